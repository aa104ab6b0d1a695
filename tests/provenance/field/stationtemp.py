{
    "domain": 'climate, station temperatures',
    "question": 'Annual means from our station 1991-2023. Is there a trend, and how much warmer is the last decade?',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(1991)
yrs = np.arange(1991, 2024)
t = pd.Series((8.6 + 0.043 * (yrs - 1991) + rng.normal(0, 0.45, len(yrs))).round(2), index=yrs, name="t")
print(t.to_string())""",
r"""a, b = np.polyfit(yrs, t.values, 1)
print(f"trend {a*10:.2f} C/decade, total {a*(yrs[-1]-yrs[0]):.2f} C")
ref = t.loc[1991:2020].mean()
print("1991-2020 normal:", round(ref, 2))""",
r"""dec = {"1991-2000": t.loc[1991:2000].mean(), "2001-2010": t.loc[2001:2010].mean(), "2011-2020": t.loc[2011:2020].mean(), "2014-2023": t.loc[2014:2023].mean()}
for k, v in dec.items(): print(k, round(v, 2))
top = t.sort_values(ascending=False).head(5)
print(top)
print("coldest", t.idxmin(), t.min())
print("years above normal + 0.5:", int((t > ref + 0.5).sum()))""",
    ],
    "answers": [
        ('plain', 'Yes: the station warmed by 0.58 °C per decade, or 1.9 °C in total.', [
            ('scale', '0.58 °C', '0.058 °C', '0.058'),
            ('typed literal', '0.58 °C', '0.43 °C', '0.43'),
            ('sign or direction', 'warmed by 0.58', 'cooled by 0.58', '0.58'),
        ]),
        ('derived', '2014-2023 averaged 10.1 °C, nearly 1.5 °C warmer than the 1990s (8.63 °C) and 0.76 above the 1991-2020 normal.', [
            ('miscomputed derivation', '0.76 above', '0.67 above', '0.67'),
            ('sign or direction', '1.5 °C warmer', '1.5 °C colder', '1.5'),
            ('swapped entity', '8.63', '9.35'),
            ('number of something else', '10.1 °C', '9.8 °C', '9.8'),
        ]),
        ('dates, versions, ordinals', 'The warmest year was 2019 with 11.04 °C, followed by 2015 at 10.40; the coldest was 1994.', [
            ('swapped entity', '1994', '1991'),
            ('swapped entity', '10.40', '10.36'),
            ('digit', '11.04', '11.40'),
        ]),
        ('list or table', 'Means by period:\n\n- 1991-2000: 8.63 °C\n- 2001-2010: 9.35 °C\n- 2011-2020: 10.04 °C\n\nSo each ten-year block was about 0.7 °C warmer than the one before. Ten years exceeded the normal of 9.34 °C by more than half a degree.', [
            ('digit', '10.04 °C', '10.40 °C', '10.40'),
            ('miscomputed derivation', '0.7 °C warmer', '1.7 °C warmer', '1.7'),
            ('number of something else', 'Ten years', '12 years', '12'),
            ('wrong statistic', '9.34', '9.78'),
        ]),
        ('inequalities', 'No year since 2015 except 2021 and 2023 was below 10 °C, and four of the five warmest fell into 2016 or later.', [
            ('swapped entity', '2021 and 2023', '2021 and 2020', '2020'),
            ('number of something else', '2016 or later', '2018 or later', '2018'),
        ]),
        ('derived', 'At 11.04 °C, 2019 was 1.7 °C above normal and about 3 °C warmer than 1994.', [
            ('miscomputed derivation', '1.7 °C', '2.7 °C', '2.7'),
            ('sign or direction', '1.7 °C above', '1.7 °C below', '1.7'),
            ('miscomputed derivation', 'about 3 °C', 'about 5 °C', '5'),
        ]),
    ],
}
