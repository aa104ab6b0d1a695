{
    "domain": 'bread',
    "question": 'Wie viel Brot wurde verkauft?',
    "cells": [
        r"""
import pandas as pd
v = pd.DataFrame({"Tag": ["Mo", "Di", "Mi", "Do", "Fr", "Sa"], "Roggen": [42, 38, 45, 40, 61, 83], "Weizen": [55, 49, 52, 57, 70, 96], "Dinkel": [18, 21, 17, 20, 29, 44]}).set_index("Tag")
v["gesamt"] = v.sum(axis=1)
print(v)
print(v.sum())
print("Durchschnitt pro Tag:", v["gesamt"].mean().round(1))
""",
        r"""
print("Anteil Weizen: %.1f %%" % (v["Weizen"].sum() / v["gesamt"].sum() * 100))
print("Verkauf am Samstag:", v.loc["Sa", "gesamt"], "davon Dinkel", v.loc["Sa", "Dinkel"])
""",
    ],
    "answers": [
        ('German', 'Insgesamt wurden 837 Brote verkauft, im Schnitt 139,5 pro Tag.', [
            ('digit', '837', '873'),
            ('scale', '139,5', '13,95'),
        ]),
        ('German', 'Am besten lief Weizen mit 379 Broten (45,3 %), Dinkel kam nur auf 149.', [
            ('swapped entity', '379', '309'),
            ('swapped entity', '149', '309'),
            ('digit', '45,3 %', '43,5 %'),
        ]),
        ('German', 'Der Samstag war mit 223 Broten der stärkste Tag; am Dienstag waren es nur 108.', [
            ('swapped entity', '223', '160'),
            ('swapped entity', '108', '114'),
        ]),
        ('German', 'Am Samstag wurden 63 Brote mehr verkauft als am Freitag.', [
            ('miscomputed derivation', '63', '36'),
            ('sign or direction', 'mehr', 'weniger', '63'),
        ]),
    ],
}
