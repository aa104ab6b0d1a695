{
    "domain": 'elections',
    "question": 'Hier sind die Ergebnisse der Bürgermeisterwahl nach Stimmbezirk. Wer liegt vorn, gibt es eine Stichwahl und wo war die Beteiligung am höchsten?',
    "cells": [
r"""import pandas as pd
import io
csv = '''bezirk;berechtigt;Kern;Yilmaz;Lorenz;ungueltig
Altstadt;2410;612;498;203;17
Nordhang;1875;401;655;177;12
Siedlung;3120;690;702;398;31
Mühlbach;1290;377;214;166;9
Briefwahl;0;504;437;212;12
'''
w = pd.read_csv(io.StringIO(csv), sep=";").set_index("bezirk")
kand = ["Kern", "Yilmaz", "Lorenz"]
w["gueltig"] = w[kand].sum(axis=1)
print(w)
ges = w[kand].sum()
print(ges)
print((ges / ges.sum() * 100).round(2))
""",
r"""urne = w.drop("Briefwahl").copy()
urne["beteiligung"] = ((urne.gueltig + urne.ungueltig) / urne.berechtigt * 100).round(1)
print(urne.beteiligung)
wb = w.berechtigt.sum()
ab = w.gueltig.sum() + w.ungueltig.sum()
print("berechtigt", wb, "abgegeben", ab, "Beteiligung", round(ab / wb * 100, 1), "ungueltig", w.ungueltig.sum())
print("Briefwahlanteil", round((w.gueltig["Briefwahl"] + w.ungueltig["Briefwahl"]) / ab * 100, 1))
print("noetig fuer absolute Mehrheit:", w.gueltig.sum() // 2 + 1)
""",
    ],
    "answers": [
        ('German', 'Kern liegt mit 2.584 Stimmen (41,4 %) vorn, 78 Stimmen vor Yilmaz. Lorenz kommt auf 18,5 %.', [
            ('sign or direction', '78 Stimmen vor Yilmaz', '78 Stimmen hinter Yilmaz', '78'),
            ('stale value', '2.584', '2.080'),
            ('digit', '18,5 %', '15,8 %', '15,8'),
            ('miscomputed derivation', '78 Stimmen', '67 Stimmen', '67'),
        ]),
        ('German', 'Ja, es gibt eine Stichwahl: Für die absolute Mehrheit wären 3.124 Stimmen nötig gewesen, Kern fehlen davon 540.', [
            ('miscomputed derivation', '540', '640'),
            ('swapped entity', '3.124', '2.584'),
            ('digit', '3.124', '3.214'),
        ]),
        ('German', 'Am höchsten war die Beteiligung an der Urne im Nordhang mit 66,4 %, am niedrigsten in der Altstadt mit 55,2 %. Mit Briefwahl sind es insgesamt 72,8 %.', [
            ('swapped entity', '66,4 %', '59,4 %', '59,4'),
            ('swapped entity', '55,2 %', '58,4 %', '58,4'),
            ('digit', '72,8 %', '78,2 %', '78,2'),
        ]),
        ('German', 'Von 8.695 Berechtigten haben 6.327 abgestimmt, 81 Stimmen waren ungültig (1,3 %).', [
            ('wrong column', '6.327', '6.246', ['6.246']),
            ('scale', '1,3 %', '13 %', '13'),
            ('swapped entity', '81 Stimmen', '31 Stimmen', '31'),
        ]),
        ('German', 'Zwischen den beiden liegen nur 1,25 Prozentpunkte. Ohne die Briefwahl wäre es noch knapper gewesen: 2.080 zu 2.069, also 11 Stimmen.', [
            ('miscomputed derivation', '11 Stimmen', '21 Stimmen', '21'),
            ('miscomputed derivation', '1,25', '2,15'),
            ('digit', '2.069', '2.096'),
        ]),
        ('German', '18,4 % der Stimmen kamen per Brief. Im Nordhang hatte Yilmaz mit 655 zu 401 einen klaren Vorsprung von 254, in der Altstadt führte Kern mit 114.', [
            ('miscomputed derivation', '254', '245'),
            ('miscomputed derivation', 'mit 114', 'mit 163', '163'),
            ('wrong column', '655', '702'),
            ('digit', '18,4 %', '14,8 %', '14,8'),
        ]),
    ],
}
