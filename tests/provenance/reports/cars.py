{
    "domain": 'used car depreciation',
    "question": 'I scraped 15 used cars. How fast do Golf, Corsa and Octavia lose value? (reference year 2024)',
    "cells": [
r'''import numpy as np, pandas as pd
txt = """model\tyear\tkm\tprice
Golf\t2021\t31000\t22900
Golf\t2019\t64000\t17500
Golf\t2018\t88000\t14900
Golf\t2016\t121000\t11200
Golf\t2022\t18000\t25800
Corsa\t2020\t42000\t13400
Corsa\t2018\t71000\t9900
Corsa\t2022\t15000\t17200
Corsa\t2017\t95000\t8300
Octavia\t2021\t56000\t23400
Octavia\t2019\t99000\t17800
Octavia\t2020\t72000\t20600
Octavia\t2017\t148000\t12400
Golf\t2020\t49000\t1995
Corsa\t2019\t58000\t11600
"""
open("cars.tsv", "w").write(txt)
c = pd.read_csv("cars.tsv", sep="\t")
c["age"] = 2024 - c.year
c.groupby("model").price.describe().round(0)''',
r'''# the 1,995 Golf is a typo (a digit is missing), drop it
c = c[c.price > 5000]
print(c.groupby("model").price.agg(["count", "mean", "median", "min", "max"]).round(0))''',
r'''fits = {}
for m, g in c.groupby("model"):
    slope, icpt = np.polyfit(g.age, np.log(g.price), 1)
    fits[m] = (round(float(np.exp(icpt))), round(float((np.exp(slope) - 1) * 100), 1), round(float(np.corrcoef(g.age, np.log(g.price))[0, 1] ** 2), 3))
fits''',
r'''for m, (p0, rate, r2) in fits.items():
    print(m, [round(p0 * (1 + rate / 100) ** a) for a in (0, 3, 5)])''',
    ],
    "answers": [
        ('summary of an analysis', 'All three lose between 13% and 15% of their value per year. The Golf holds up best at −13.1% a year, followed by the Corsa (−13.5%) and the Octavia (−14.8%). The exponential fits are very tight, with R² between 0.993 and 0.999. One listing, a Golf for 1,995, was obviously mistyped and removed.', [
            ('swapped entity', 'Corsa (−13.5%) and the Octavia (−14.8%)', 'Corsa (−14.8%) and the Octavia (−13.5%)', ['14.8%', '13.5%']),
            ('digit', 'between 0.993', 'between 0.939', '0.939'),
            ('digit', 'for 1,995', 'for 1,959', '1,959'),
        ]),
        ('units or currency', 'Average asking prices: Corsa €12,080, Golf €18,460, Octavia €18,550. By the median the Octavia (€19,200) is clearly ahead of the Golf (€17,500).', [
            ('stale value', '€18,460', '€15,716'),
            ('wrong statistic', 'Corsa €12,080', 'Corsa €11,600', '€11,600'),
            ('digit', '€19,200', '€12,900'),
        ]),
        ('derived', 'Dropping the wrong Golf listing raises the mean Golf price from 15,716 to 18,460, i.e. by 2,744. The sample shrinks from 15 to 14 cars.', [
            ('miscomputed derivation', 'by 2,744', 'by 3,744', '3,744'),
            ('sign or direction', 'raises the mean Golf price from 15,716 to 18,460', 'lowers the mean Golf price from 18,460 to 15,716', ['18,460', '15,716']),
            ('number of something else', 'to 14 cars', 'to 12 cars', '12'),
        ]),
        ('fractions in words', 'After five years a Golf or a Corsa is worth roughly half of its fitted new price (17,153 and 11,365), an Octavia only 45% (17,353 of 38,653).', [
            ('swapped entity', '(17,153 and', '(22,714 and', '22,714'),
            ('miscomputed derivation', 'only 45%', 'only 54%', '54%'),
            ('digit', '11,365', '13,165'),
        ]),
        ('list or table', '| Model | New | After 3 y | After 5 y |\n|---|---:|---:|---:|\n| Corsa | 23,468 | 15,189 | 11,365 |\n| Golf | 34,613 | 22,714 | 17,153 |\n| Octavia | 38,653 | 23,906 | 17,353 |', [
            ('digit', '34,613', '36,413'),
            ('scale', '15,189', '1,519'),
            ('digit', '23,906', '29,306'),
        ]),
        ('German', 'Der Octavia verliert mit 14,8 % pro Jahr am schnellsten an Wert, der Golf mit 13,1 % am langsamsten. Ein drei Jahre alter Octavia kostet laut Modell noch rund 23.900 €, also knapp 15.000 € weniger als neu.', [
            ('swapped entity', 'mit 13,1 %', 'mit 13,5 %', '13,5'),
            ('miscomputed derivation', 'knapp 15.000 €', 'knapp 25.000 €', '25.000'),
            ('scale', '23.900 €', '2.390 €', '2.390'),
        ]),
    ],
}
