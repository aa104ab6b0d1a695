{
    "domain": 'gardening',
    "question": 'I weighed all my tomatoes per plant this summer. Which variety did best, and did the mulched plants really do better?',
    "cells": [
r"""import pandas as pd, io
csv = '''plant,variety,mulch,fruits,grams
1,Roma,yes,41,2870
2,Roma,no,36,2340
3,Roma,yes,44,3125
4,Roma,no,29,1900
5,Brandywine,yes,13,4160
6,Brandywine,no,9,2655
7,Brandywine,yes,11,3410
8,Sungold,no,212,2530
9,Sungold,yes,268,3290
10,Sungold,yes,251,3075
11,Sungold,no,187,2210
12,Black Krim,no,14,2940
13,Black Krim,yes,16,3520
'''
t = pd.read_csv(io.StringIO(csv))
t.groupby("variety").agg(plants=("plant", "count"), fruits=("fruits", "sum"), kg=("grams", lambda g: g.sum() / 1000), per_plant=("grams", "mean")).round(2)
""",
r"""m = t.groupby("mulch").grams.agg(["count", "mean", "median", "sum"]).round(0)
print(m)
t["g_per_fruit"] = t.grams / t.fruits
print(t.groupby("variety").g_per_fruit.mean().round(1))
print("total kg:", t.grams.sum() / 1000, "best plant:", t.loc[t.grams.idxmax(), ["plant", "variety", "grams"]].tolist())
""",
    ],
    "answers": [
        ('plain', 'Per plant, Brandywine did best with 3.4 kg on average; the Romas came last with about 2.6 kg.', [
            ('swapped entity', '3.4 kg', '3.2 kg', '3.2'),
            ('wrong column', '2.6 kg', '10.2 kg', '10.2'),
            ('digit', '3.4 kg', '4.3 kg', '4.3'),
        ]),
        ('derived', 'Mulch clearly helped: 3,350 g per plant against 2,429 g without, which is 38% more.', [
            ('swapped entity', '3,350 g per plant against 2,429 g', '2,429 g per plant against 3,350 g', ['2,429', '3,350']),
            ('sign or direction', '38% more', '38% less', '38%'),
            ('miscomputed derivation', '38%', '27%'),
            ('wrong statistic', '2,429 g', '2,435 g', '2,435'),
        ]),
        ('plain', 'You harvested 38 kg altogether. The best single plant was no. 5, a Brandywine with 4,160 g.', [
            ('wrong column', '38 kg', '23 kg', '23'),
            ('digit', '4,160 g', '4,610 g', '4,610'),
            ('number of something else', 'no. 5', 'no. 7', '7'),
        ]),
        ('derived', '13 plants gave 1,131 tomatoes, and 918 of those, about 81%, were Sungold cherries.', [
            ('miscomputed derivation', '81%', '71%'),
            ('digit', '918', '981'),
            ('miscomputed derivation', '1,131', '1,101'),
            ('number of something else', '13 plants', '11 plants', '11'),
        ]),
        ('units or currency', 'A Sungold weighs about 12 g and a Brandywine 308 g, so one Brandywine is worth some 25 Sungolds.', [
            ('scale', '12 g', '120 g', '120'),
            ('swapped entity', '308 g', '215 g', '215'),
            ('miscomputed derivation', '25 Sungolds', '15 Sungolds', '15'),
        ]),
        ('list or table', 'Harvest by variety:\n\n1. Sungold: 11.1 kg from 4 plants\n2. Roma: 10.24 kg from 4 plants\n3. Brandywine: 10.22 kg from 3 plants\n4. Black Krim: 6.46 kg from 2 plants', [
            ('digit', '6.46 kg', '6.64 kg', '6.64'),
            ('wrong column', '6.46 kg', '3.23 kg', '3.23'),
            ('number of something else', 'from 3 plants', 'from 7 plants', '7'),
            ('rounding', '11.1 kg', '11.2 kg', '11.2'),
        ]),
    ],
}
