{
    "domain": 'churn analysis',
    "question": 'Which of our gym members leave? Please look at churn by contract and age, and see whether visits predict it.',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(45)
n = 500
m = pd.DataFrame({"contract": rng.choice(["monthly", "yearly", "student"], n, p=[0.45, 0.35, 0.2]),
                  "age": rng.integers(17, 70, n), "visits": rng.poisson(6, n)})
p = m.contract.map({"monthly": 0.34, "yearly": 0.11, "student": 0.24}) - 0.018 * (m.visits - 6)
m["left"] = (rng.random(n) < p).astype(int)
m["fee"] = m.contract.map({"monthly": 39, "yearly": 29, "student": 22})
print(m.contract.value_counts())
print(m[["age", "visits", "left"]].describe().round(2))""",
r"""c = m.groupby("contract").left.agg(["sum", "size", "mean"])
c["mean"] = (c["mean"] * 100).round(1)
print(c)
m["ageband"] = pd.cut(m.age, [16, 25, 40, 55, 70], labels=["17-25", "26-40", "41-55", "56-69"])
print(pd.crosstab(m.ageband, m.left, margins=True))""",
r"""print(m.groupby("left").visits.agg(["mean", "median", "std"]).round(2))
low = m[m.visits <= 3]; high = m[m.visits >= 9]
print(f"churn at <=3 visits: {low.left.mean():.1%} of {len(low)}; at >=9 visits: {high.left.mean():.1%} of {len(high)}")
print("monthly fees lost:", m.loc[m.left == 1, "fee"].sum(), "of", m.fee.sum())""",
    ],
    "answers": [
        ('summary of an analysis', 'Of your 500 members 116 left, 23.2 %. Monthly contracts are the problem: 36.1 % of those 205 members quit, compared with 20.4 % of students and 11.2 % on yearly contracts. Members who left had visited 5.12 times on average, the others 6.04. By age, the 26-40 band is the most loyal with 21 of 137 leaving.', [
            ('swapped entity', '20.4 % of students and 11.2 %', '11.2 % of students and 20.4 %', ['11.2', '20.4']),
            ('wrong column', '36.1 %', '74 %', '74'),
            ('swapped entity', '5.12 times on average, the others 6.04', '6.04 times on average, the others 5.12', ['6.04', '5.12']),
            ('swapped entity', 'with 21 of', 'with 39 of', '39'),
        ]),
        ('percent', 'The monthly contract has a churn rate of 36.1 %.', [
            ('swapped entity', '36.1', '20.4'),
            ('wrong column', '36.1 %', '74 %', '74'),
            ('number of something else', '36.1', '36.5'),
            ('digit', '36.1', '31.6'),
        ]),
        ('derived', 'The oldest band (56-69) loses 28 % of its members, almost twice the 15 % of the 26-40 year-olds.', [
            ('miscomputed derivation', '28 %', '39 %', '39'),
            ('miscomputed derivation', 'the 15 %', 'the 21 %', '21'),
            ('swapped entity', '28 %', '25 %', '25'),
        ]),
        ('plain', 'Frequent visitors stay: with nine or more visits churn is 11.7 %, with three or fewer it is 36.5 %, about 3.1 times as much.', [
            ('miscomputed derivation', '3.1 times', '4.1 times', '4.1'),
            ('swapped entity', 'churn is 11.7 %, with three or fewer it is 36.5 %', 'churn is 36.5 %, with three or fewer it is 11.7 %', ['36.5', '11.7']),
            ('wrong column', 'it is 36.5 %', 'it is 85 %', '85'),
        ]),
        ('units or currency', 'You lost 3,964 in monthly fees, a quarter of the 15,864 total.', [
            ('digit', '3,964', '3,694'),
            ('scale', '3,964', '39,640'),
            ('miscomputed derivation', 'the 15,864', 'the 11,900', '11,900'),
        ]),
        ('list or table', '| Contract | Members | Left | Churn |\n|---|---|---|---|\n| Monthly | 205 | 74 | 36.1 % |\n| Student | 98 | 20 | 20.4 % |\n| Yearly | 197 | 22 | 11.2 % |', [
            ('swapped entity', '| 98 | 20 | 20.4 % |\n| Yearly | 197 | 22 |', '| 98 | 22 | 20.4 % |\n| Yearly | 197 | 20 |', ['22']),
            ('digit', '197', '179'),
            ('wrong column', '| 74 |', '| 39 |', '39'),
        ]),
        ('derived', 'Monthly contracts account for 74 of the 116 departures, not quite two thirds.', [
            ('number of something else', 'the 116', 'the 205', '205'),
            ('swapped entity', 'for 74', 'for 22', '22'),
            ('digit', '74 of', '47 of', '47'),
        ]),
    ],
}
