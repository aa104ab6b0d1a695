{
    "domain": 'climate series',
    "question": 'Can you work out monthly normals from my weather log, compare the two years, and fill the missing days sensibly?',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(1961)
d = pd.date_range("2021-01-01", "2022-12-31")
t = 10.2 - 9.4 * np.cos(2 * np.pi * (d.dayofyear - 20) / 365) + rng.normal(0, 2.8, len(d)) + 0.7 * (d.year == 2022)
s = pd.Series(t.values.round(1), index=d)
s["2021-07-10":"2021-07-24"] = np.nan
s["2022-02-03":"2022-02-08"] = np.nan
s["2022-11-15"] = 81.3
print("days", len(s), "missing", s.isna().sum())
print(s.groupby(s.index.year).agg(["count", "mean", "min", "max"]).round(2))""",
r"""s["2022-11-15"] = np.nan
filled = s.interpolate()
print("missing after:", filled.isna().sum())
print(filled.groupby(filled.index.year).agg(["count", "mean", "min", "max"]).round(2))""",
r"""tab = filled.groupby([filled.index.month, filled.index.year]).mean().unstack().round(1)
tab["diff"] = (tab[2022] - tab[2021]).round(1)
print(tab)
print("frost days:", (filled < 0).groupby(filled.index.year).sum().to_dict(), " above 25:", (filled > 25).groupby(filled.index.year).sum().to_dict())""",
    ],
    "answers": [
        ('summary of an analysis', 'The log covers 730 days with 21 missing values plus one obvious typo (81.3 degrees on 15 November 2022). After removing the typo and interpolating, 2021 averages 10.29 degrees and 2022 10.87, so the second year was 0.58 warmer. Eight of the twelve months were milder in 2022, with September showing the biggest gain (+1.5).', [
            ('stale value', '2022 10.87', '2022 11.27', '11.27'),
            ('stale value', 'averages 10.29', 'averages 9.89', '9.89'),
            ('miscomputed derivation', '0.58 warmer', '0.68 warmer', '0.68'),
            ('sign or direction', '0.58 warmer', '0.58 colder', '0.58'),
        ]),
        ('plain', 'The hottest day of 2022 reached 25.8 degrees, the coldest -5.5.', [
            ('stale value', '25.8', '81.3'),
            ('swapped entity', '25.8', '26.9'),
            ('sign or direction', '-5.5', '5.5'),
            ('swapped entity', '-5.5', '-5.7'),
        ]),
        ('derived', "Before the clean-up the gap between the years looked like 1.38 degrees; now it's 0.58.", [
            ('miscomputed derivation', "now it's 0.58", "now it's 0.98", '0.98'),
            ('miscomputed derivation', '1.38', '1.83'),
            ('number of something else', '1.38', '1.5'),
        ]),
        ('list or table', '| Month | 2021 | 2022 |\n|---|---|---|\n| January | 1.2 | 1.0 |\n| April | 8.9 | 9.9 |\n| July | 20.2 | 19.7 |\n| October | 10.7 | 12.0 |', [
            ('swapped entity', '| 20.2 | 19.7 |', '| 19.7 | 20.2 |', ['19.7', '20.2']),
            ('swapped entity', '| 9.9 |', '| 14.5 |', '14.5'),
            ('digit', '10.7', '17.0'),
        ]),
        ('small integers', 'The second year had 27 frost days, 5 more than the first.', [
            ('swapped entity', '27 frost', '22 frost', '22'),
            ('sign or direction', '5 more', '5 fewer', '5'),
            ('miscomputed derivation', '5 more', '6 more', '6'),
        ]),
        ('plain', 'February was 1.2 degrees colder in 2022 than in 2021 (1.1 instead of 2.3).', [
            ('sign or direction', '1.2 degrees colder', '1.2 degrees warmer', '1.2'),
            ('miscomputed derivation', '1.2 degrees', '3.4 degrees', '3.4'),
            ('swapped entity', 'instead of 2.3', 'instead of 5.0', '5.0'),
        ]),
        ('dates, versions, ordinals', "The faulty reading of 81.3 was logged on 15 November 2022; it had pushed that year's mean up from 10.87 to 11.27, together with the six missing February days.", [
            ('digit', '81.3', '83.1'),
            ('sign or direction', "pushed that year's mean up from 10.87", "pushed that year's mean down from 10.87", ['10.87', '11.27']),
            ('swapped entity', 'from 10.87', 'from 10.29', '10.29'),
        ]),
    ],
}
