{
    "domain": 'energie fr',
    "question": "Quelle est la consommation d'électricité par bâtiment ?",
    "cells": ['''
import pandas as pd
c = pd.DataFrame({"bâtiment":["Mairie","École","Piscine","Bibliothèque"], "kWh":[184320, 96410, 412875, 58230], "surface":[2400, 3100, 1850, 900]})
c["kWh_m2"] = (c.kWh/c.surface).round(2)
c["coût"] = (c.kWh*0.2276).round(2)
print(c)
print("total kWh", c.kWh.sum())
print("coût total", round(c["coût"].sum(),2))
print("moyenne kWh", c.kWh.mean())
print("médiane kWh", c.kWh.median())
'''],
    "answers": [
        ('French', 'La piscine consomme le plus : 412 875 kWh, soit 223,18 kWh par m².', [
            ('swapped entity', '412 875 kWh', '184 320 kWh', '184 320'),
            ('digit', '223,18', '232,18')]),
        ('French', 'Au total, les quatre bâtiments consomment 751 835 kWh pour un coût de 171 117,65 €.', [
            ('digit', '751 835', '715 835'),
            ('scale', '171 117,65', '17 111,77')]),
        ('French', 'En moyenne un bâtiment consomme 187 958,75 kWh, la médiane est de 140 365 kWh.', [
            ('wrong statistic', 'moyenne un bâtiment consomme 187 958,75', 'moyenne un bâtiment consomme 140 365', 'consomme 140 365')]),
        ('derived', 'La piscine représente à elle seule 54,9 % de la consommation totale.', [
            ('miscomputed derivation', '54,9 %', '59,4 %'),
            ('swapped entity', 'La piscine', 'La mairie', '54,9 %')]),
        ('French', "L'école est la plus sobre avec 31,1 kWh par m², contre 64,7 pour la bibliothèque.", [
            ('swapped entity', '31,1 kWh par m², contre 64,7', '64,7 kWh par m², contre 31,1', ['64,7', '31,1'])]),
    ],
}
