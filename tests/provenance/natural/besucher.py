{
    "domain": 'besucher',
    "question": 'Wie haben sich die Besucherzahlen unserer Bibliotheken entwickelt?',
    "cells": [
        r"""
import pandas as pd
d = pd.DataFrame({"Zweigstelle": ["Mitte", "Nord", "Süd", "West"], "2022": [48210, 21475, 30990, 15320], "2023": [51934, 20118, 34407, 17850]})
d["Differenz"] = d["2023"] - d["2022"]
d["Prozent"] = (d["Differenz"] / d["2022"] * 100).round(1)
print(d.to_string(index=False))
print("Summe 2022:", d["2022"].sum(), "Summe 2023:", d["2023"].sum())
""",
        r"""
ausleihen = {"Mitte": 102480, "Nord": 38800, "Süd": 71260, "West": 29945}
for k, v in ausleihen.items():
    print(f"{k}: {v} Ausleihen, {v / d.set_index('Zweigstelle')['2023'][k]:.2f} je Besuch")
""",
    ],
    "answers": [
        ('German', 'Insgesamt stieg die Zahl der Besuche von 115.995 auf 124.309, also um 7,2 %.', [
            ('miscomputed derivation', '7,2 %', '6,7 %'),
            ('digit', '124.309', '124.903'),
            ('sign or direction', 'stieg', 'sank', '7,2 %'),
        ]),
        ('German', 'Am stärksten wuchs West mit 16,5 %, während Nord 6,3 % verlor.', [
            ('swapped entity', '16,5 %', '11,0 %'),
            ('sign or direction', 'verlor', 'gewann', '6,3 %'),
        ]),
        ('German', 'Nord hatte 1.357 Besuche weniger als im Vorjahr.', [
            ('digit', '1.357', '1.537'),
            ('sign or direction', 'weniger', 'mehr', '1.357'),
        ]),
        ('German', 'In Mitte wurden 102.480 Medien ausgeliehen, das sind 1,97 je Besuch.', [
            ('swapped entity', '102.480', '71.260'),
            ('swapped entity', '1,97', '2,07'),
        ]),
        ('German', 'Fast 42 % aller Besuche entfielen 2023 auf Mitte (51.934 von 124.309).', [
            ('miscomputed derivation', '42 %', '24 %'),
            ('digit', '51.934', '51.394'),
        ]),
        ('German', 'Zusammen gab es 242.485 Ausleihen.', [
            ('miscomputed derivation', '242.485', '244.285'),
        ]),
        ('German', '- Mitte: 51.934 (+7,7 %)\n- Süd: 34.407 (+11,0 %)\n- Nord: 20.118 (-6,3 %)\n- West: 17.850 (+16,5 %)', [
            ('swapped entity', '+11,0 %', '+7,2 %'),
            ('sign or direction', '-6,3 %', '+6,3 %'),
            ('wrong column', '17.850', '15.320'),
        ]),
        ('German', 'Im Süden kamen gut 3.400 Besucher mehr als 2022.', [
            ('digit', '3.400', '4.300'),
        ]),
    ],
}
