{
    "domain": 'public statistics, population by district',
    "question": "Population of our city's districts 2011 and 2021, area in km². Growth, density and share of over-65s?",
    "cells": [
r"""import pandas as pd, io
csv = '''district;pop2011;pop2021;area;over65
Altmark;41230;43870;6.2;8120
Bergtor;28914;27655;11.8;7190
Hafen;19876;26410;4.1;2630
Lindau;35502;36944;9.5;7680
Mitte;52118;55302;5.4;9010
Neustadt;30447;34190;7.7;5345
Ostfeld;14820;13902;21.3;3960
'''
d = pd.read_csv(io.StringIO(csv), sep=";").set_index("district")
print(d.sum(numeric_only=True))""",
r"""d["change"] = d.pop2021 - d.pop2011
d["pct"] = (100*d.change/d.pop2011).round(1)
d["density"] = (d.pop2021/d.area).round(0).astype(int)
d["old_pct"] = (100*d.over65/d.pop2021).round(1)
print(d[["pop2021", "change", "pct", "density", "old_pct"]].sort_values("pct", ascending=False))""",
r"""T = d.sum(numeric_only=True)
print(f"city {100*(T.pop2021/T.pop2011-1):.2f} % growth, {T.pop2021/T.area:.0f} per km2, over 65: {100*T.over65/T.pop2021:.1f} %")
print("unweighted mean growth", round(d.pct.mean(), 2), "annual city rate", round(100*((T.pop2021/T.pop2011)**.1-1), 2))""",
    ],
    "answers": [
        ('plain', 'The city grew by 6.9% to 238,273 inhabitants.', [
            ('wrong statistic', '6.9%', '7.3%', '7.3'),
            ('stale value', '238,273', '222,907'),
            ('digit', '238,273', '238,723'),
            ('sign or direction', 'grew by 6.9%', 'shrank by 6.9%', '6.9'),
        ]),
        ('derived', 'The population increased by about 15,400 people, 6,534 of them in Hafen alone (43%).', [
            ('miscomputed derivation', '43%', '33%', '33'),
            ('scale', '15,400', '1,540'),
            ('swapped entity', '6,534', '3,743'),
        ]),
        ('list or table', '| District | 2021 | Growth | per km² | 65+ |\n|---|---|---|---|---|\n| Hafen | 26,410 | +32.9% | 6,441 | 10.0% |\n| Neustadt | 34,190 | +12.3% | 4,440 | 15.6% |\n| Altmark | 43,870 | +6.4% | 7,076 | 18.5% |\n| Bergtor | 27,655 | -4.4% | 2,344 | 26.0% |\n| Ostfeld | 13,902 | -6.2% | 653 | 28.5% |', [
            ('swapped entity', '| 7,076 |', '| 3,889 |', '3,889'),
            ('sign or direction', '-4.4%', '+4.4%', '4.4'),
            ('digit', '12.3%', '13.2%', '13.2'),
            ('wrong column', '| 653 |', '| 918 |', '918'),
        ]),
        ('summary of an analysis', 'Five of seven districts grew, led by Hafen with almost 33%; Bergtor and Ostfeld together lost 2,177 residents. Mitte is the densest at 10,241 people per square kilometre, nearly 16 times as dense as Ostfeld, while the average is 3,610. Seniors make up 18.4% overall, from 10% in Hafen up to 28.5% in Ostfeld. The annual growth rate is a modest 0.67%.', [
            ('miscomputed derivation', '2,177', '2,277'),
            ('swapped entity', '28.5%', '26.0%', '26.0'),
            ('scale', '0.67%', '6.7%', '6.7'),
            ('miscomputed derivation', 'nearly 16 times', 'nearly 26 times', '26'),
        ]),
        ('fractions in words', 'Nearly a quarter of the population (23%) lives in Mitte, and almost 44,000 residents city-wide are over 65.', [
            ('scale', '44,000', '440,000'),
            ('digit', '(23%)', '(32%)', '32'),
            ('wrong column', '44,000', '55,000'),
        ]),
        ('French', "Hafen a gagné 6 534 habitants en dix ans (+32,9 %), tandis qu'Ostfeld en a perdu 918.", [
            ('swapped entity', 'perdu 918', 'perdu 1259', '1259'),
            ('digit', '32,9', '39,2'),
            ('sign or direction', '(+32,9 %)', '(-32,9 %)', '32,9'),
        ]),
    ],
}
