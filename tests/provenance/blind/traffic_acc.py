{
    "domain": 'traffic acc',
    "question": 'Wie haben sich die Unfallzahlen entwickelt?',
    "cells": ['''
import pandas as pd
u = pd.DataFrame({"Jahr":[2018,2019,2020,2021,2022,2023], "Unfälle":[4310,4188,3402,3517,3890,4025], "Verletzte":[1244,1199,931,987,1105,1130], "Tote":[31,28,19,22,27,24]}).set_index("Jahr")
print(u)
print(u.sum())
print(u.mean().round(2))
''', '''
v = u["Unfälle"].pct_change().mul(100).round(2)
print("Veränderung in Prozent")
print(v)
print("Tote je 1000 Unfälle:", (u["Tote"]/u["Unfälle"]*1000).round(2).to_dict())
'''],
    "answers": [
        ('German', 'Die Zahl der Unfälle sank 2020 um 18,77 % auf 3.402 und stieg bis 2023 wieder auf 4.025.', [
            ('sign or direction', 'sank 2020 um 18,77 %', 'stieg 2020 um 18,77 %', '18,77 %'),
            ('swapped entity', '2023 wieder auf 4.025', '2023 wieder auf 3.890', '3.890'),
            ('scale', '3.402', '3,402')]),
        ('German', 'Im Mittel gab es 3.888,67 Unfälle pro Jahr, mit durchschnittlich 25,17 Toten.', [
            ('wrong column', '25,17 Toten', '1.099,33 Toten', '1.099,33'),
            ('digit', '3.888,67', '3.889,67')]),
        ('German', 'Insgesamt wurden in den sechs Jahren 6.596 Menschen verletzt und 151 getötet.', [
            ('swapped entity', '6.596 Menschen verletzt und 151 getötet', '151 Menschen verletzt und 6.596 getötet', ['151', '6.596']),
            ('digit', '6.596', '6.956')]),
        ('German', '2018 kamen auf 1000 Unfälle 7,19 Tote, 2023 nur noch 5,96.', [
            ('swapped entity', '7,19 Tote, 2023 nur noch 5,96', '5,96 Tote, 2023 nur noch 7,19', ['5,96', '7,19'])]),
        ('derived', '2023 gab es 285 Unfälle weniger als 2018, ein Rückgang um 6,6 %.', [
            ('miscomputed derivation', '285', '258'),
            ('sign or direction', 'weniger als', 'mehr als', '285')]),
    ],
}
