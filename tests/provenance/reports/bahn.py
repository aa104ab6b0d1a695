{
    "domain": 'Pünktlichkeit im Regionalverkehr',
    "question": 'Kannst du die Pünktlichkeit unserer fünf Linien auswerten? Welche Linie ist das Sorgenkind und wie stünden wir ohne sie da?',
    "cells": [
r'''import pandas as pd
open("zuege.csv", "w", encoding="utf-8").write("""linie;fahrten;puenktlich;ausfall;versp_min
RE1;1240;1017;31;5208
RE7;980;862;12;2646
RB10;1510;1374;19;2869
RB22;640;448;42;4032
S3;2860;2631;23;4290
""")
z = pd.read_csv("zuege.csv", sep=";")
z["quote"] = (z.puenktlich / z.fahrten * 100).round(1)
z["ausfallquote"] = (z.ausfall / z.fahrten * 100).round(2)
z["versp_je_fahrt"] = (z.versp_min / (z.fahrten - z.ausfall)).round(2)
print(z.sort_values("quote", ascending=False).to_string(index=False))''',
r'''s = z[["fahrten", "puenktlich", "ausfall", "versp_min"]].sum()
print(s.to_dict())
print("Pünktlichkeit gesamt: %.1f %%, Ausfälle: %.2f %%" % (100 * s.puenktlich / s.fahrten, 100 * s.ausfall / s.fahrten))
ohne = z[z.linie != "RB22"]
print("ohne RB22: %.1f %%" % (100 * ohne.puenktlich.sum() / ohne.fahrten.sum()))''',
    ],
    "answers": [
        ('German', 'Das Sorgenkind ist die **RB22**: Nur 70,0 % der Fahrten waren pünktlich, 6,56 % fielen aus, und im Schnitt hatte jede Fahrt 6,74 Minuten Verspätung. Insgesamt lag die Pünktlichkeit bei 87,6 %, ohne die RB22 wären es 89,3 %.', [
            ('swapped entity', 'Nur 70,0 %', 'Nur 82,0 %', '82,0'),
            ('digit', '6,74 Minuten', '7,64 Minuten', '7,64'),
            ('miscomputed derivation', 'wären es 89,3 %', 'wären es 98,3 %', '98,3'),
        ]),
        ('German', 'Am besten schneidet die S3 ab (92,0 % pünktlich, 0,80 % Ausfälle), gefolgt von RB10 mit 91,0 % und RE7 mit 88,0 %.', [
            ('swapped entity', 'RB10 mit 91,0 %', 'RB10 mit 82,0 %', '82,0'),
            ('scale', '0,80 % Ausfälle', '8,0 % Ausfälle', '8,0 % Ausfälle'),
            ('digit', 'mit 88,0 %', 'mit 86,0 %', '86,0'),
        ]),
        ('German', 'Von 7.230 Fahrten waren 6.332 pünktlich, 127 fielen aus. Insgesamt kamen 19.045 Verspätungsminuten zusammen, also gut 317 Stunden.', [
            ('digit', '6.332', '6.232'),
            ('miscomputed derivation', '317 Stunden', '371 Stunden', '371'),
            ('wrong column', '127 fielen', '898 fielen', '898'),
            ('scale', '19.045', '190.450'),
        ]),
        ('German', 'Ein Drittel aller Ausfälle (42 von 127) entfällt auf die RB22, obwohl sie nur 8,9 % der Fahrten stellt.', [
            ('swapped entity', '(42 von 127)', '(31 von 127)', '31'),
            ('miscomputed derivation', 'nur 8,9 %', 'nur 9,8 %', '9,8'),
        ]),
        ('percent', 'Without RB22, on-time performance would improve by 1.7 percentage points, from 87.6% to 89.3%. RE1 is the second problem: 82.0% on time and 4.31 minutes of delay per trip.', [
            ('miscomputed derivation', 'by 1.7 percentage', 'by 2.7 percentage', '2.7'),
            ('sign or direction', 'improve by 1.7 percentage points', 'worsen by 1.7 percentage points', '1.7'),
            ('swapped entity', '4.31 minutes', '2.73 minutes', '2.73'),
        ]),
        ('list or table', '| Linie | Pünktlich | Ausfall | Ø Verspätung |\n|---|---|---|---|\n| S3 | 92,0 % | 0,80 % | 1,51 min |\n| RB10 | 91,0 % | 1,26 % | 1,92 min |\n| RE7 | 88,0 % | 1,22 % | 2,73 min |\n| RE1 | 82,0 % | 2,50 % | 4,31 min |\n| RB22 | 70,0 % | 6,56 % | 6,74 min |', [
            ('digit', '1,92 min', '1,29 min', '1,29'),
            ('swapped entity', '| 1,22 %', '| 1,62 %', '1,62'),
            ('digit', '2,50 %', '5,20 %', '5,20'),
        ]),
    ],
}
