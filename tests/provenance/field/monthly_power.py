{
    "domain": 'household electricity',
    "question": "Here's our monthly electricity use for two years. How did 2023 compare with 2022, and what did it cost?",
    "cells": [
r"""import pandas as pd
k22 = [412, 378, 351, 296, 268, 241, 255, 262, 274, 318, 365, 428]
k23 = [398, 352, 339, 281, 252, 238, 279, 291, 266, 297, 341, 389]
idx = pd.date_range("2022-01-01", periods=24, freq="MS")
s = pd.Series(k22 + k23, index=idx, name="kwh")
t = pd.DataFrame({"2022": k22, "2023": k23}, index=idx[:12].strftime("%b"))
t["change"] = t["2023"] - t["2022"]
print(t)
print(t.sum())""",
r"""print(s.groupby(s.index.year).agg(["mean", "median", "min", "max", "std"]).round(1))
q = s.resample("Q").sum()
print(q)""",
r"""price = {2022: 0.312, 2023: 0.384}
base_fee = 11.50
for y, p in price.items():
    kwh = s[s.index.year == y].sum()
    print(y, "energy cost", round(kwh * p, 2), "with base fee", round(kwh * p + 12 * base_fee, 2))""",
    ],
    "answers": [
        ('summary of an analysis', 'You used 3,723 kWh in 2023, 125 kWh (3.2 %) less than the 3,848 kWh of the year before. Ten of the twelve months were lower; only July (+24) and August (+29) went up. Nevertheless the energy bill rose from 1,200.58 to 1,429.63 because the price per kWh climbed from 0.312 to 0.384.', [
            ('sign or direction', '(3.2 %) less', '(3.2 %) more', ['3.2', '125']),
            ('swapped entity', 'July (+24) and August (+29)', 'July (+29) and August (+24)', '24'),
            ('wrong column', 'from 1,200.58', 'from 1,338.58', '1,338.58'),
            ('miscomputed derivation', '3.2 %', '5.2 %', '5.2'),
        ]),
        ('plain', 'Last year you averaged 310.2 kWh per month.', [
            ('stale value', '310.2', '320.7'),
            ('wrong statistic', '310.2', '294.0'),
            ('wrong statistic', '310.2', '52.5'),
        ]),
        ('derived', 'Including the base fee you paid 1,567.63 in 2023, 229.05 more than in 2022, an increase of about 17 %.', [
            ('wrong column', '1,567.63', '1,429.63'),
            ('sign or direction', '229.05 more', '229.05 less', '229.05'),
            ('wrong column', 'about 17 %', 'about 19.1 %', '19.1'),
            ('miscomputed derivation', '229.05', '367.05'),
        ]),
        ('list or table', '| Quarter | 2022 | 2023 |\n|---|---|---|\n| Q1 | 1,141 | 1,089 |\n| Q2 | 805 | 771 |\n| Q3 | 791 | 836 |\n| Q4 | 1,111 | 1,027 |\n\nOnly the third quarter was higher, by 45 kWh.', [
            ('digit', '1,089', '1,098'),
            ('swapped entity', '| 771 |\n| Q3 | 791 | 836 |', '| 836 |\n| Q3 | 791 | 771 |', ['836', '771']),
            ('miscomputed derivation', 'by 45 kWh', 'by 55 kWh', '55'),
            ('sign or direction', 'was higher, by 45', 'was lower, by 45', '45'),
        ]),
        ('plain', 'The peak month was December 2022 with 428 kWh; the lowest was June 2023 with 238.', [
            ('swapped entity', 'with 238', 'with 241', '241'),
            ('wrong statistic', 'with 428', 'with 398', '398'),
            ('digit', '428', '482'),
        ]),
        ('derived', 'July and August together used 570 kWh in 2023 against 517 in 2022, so summer cost you 53 kWh extra.', [
            ('miscomputed derivation', '570', '560'),
            ('miscomputed derivation', '53 kWh', '63 kWh', '63'),
            ('swapped entity', 'against 517', 'against 536', '536'),
        ]),
        ('fractions in words', "About 29 % of 2023's electricity, 1,089 kWh, fell into the first quarter and only a little over a fifth (771) into the second.", [
            ('stale value', '1,089', '1,141'),
            ('miscomputed derivation', '29 %', '39 %', '39'),
            ('swapped entity', '(771)', '(836)', '836'),
        ]),
    ],
}
