{
    "domain": 'values',
    "question": 'What are the most common complaints?',
    "cells": [
        r"""
import pandas as pd
reasons = ["late"] * 46 + ["damaged"] * 29 + ["wrong item"] * 17 + ["missing parts"] * 11 + ["other"] * 7
region = (["EU", "US", "EU", "APAC", "EU"] * 22)[:110]
c = pd.DataFrame({"reason": reasons, "region": region})
c["days_to_close"] = [(i * 7) % 13 + 1 for i in range(110)]
print(c["reason"].value_counts())
print(c["reason"].value_counts(normalize=True).round(3))
print(pd.crosstab(c["reason"], c["region"]))
print(c.groupby("reason")["days_to_close"].mean().round(2))
""",
    ],
    "answers": [
        ('plain', 'Late deliveries are the most common complaint (46 cases, 41.8 %), followed by damaged goods (29, 26.4 %).', [
            ('digit', '46', '64'),
            ('swapped entity', '26.4 %', '15.5 %'),
            ('digit', '41.8 %', '48.1 %'),
        ]),
        ('derived', 'The top two reasons make up 68 % of all 110 complaints.', [
            ('miscomputed derivation', '68 %', '86 %'),
            ('digit', '110', '101'),
        ]),
        ('plain', 'In the EU there were 28 complaints about late deliveries, in the US and APAC nine each.', [
            ('swapped entity', '28', '17'),
            ('swapped entity', 'nine', '6'),
        ]),
        ('plain', 'Missing parts take the longest to resolve: 7.55 days on average, compared with 6.74 for late deliveries.', [
            ('swapped entity', '7.55', '7.24'),
            ('digit', '6.74', '7.64'),
        ]),
        ('derived', '66 of the complaints came from the EU and 22 each from the US and APAC.', [
            ('miscomputed derivation', '66', '56'),
            ('miscomputed derivation', '22 each', '32 each', '32'),
        ]),
        ('derived', 'There were 17 more complaints about late deliveries than about damaged goods (46 versus 29).', [
            ('miscomputed derivation', '17 more', '19 more', '19'),
            ('digit', '46', '56'),
            ('sign or direction', '17 more', '17 fewer', '17 fewer'),
        ]),
        ('small integers', 'There are 5 kinds of complaints; 7 cases could not be classified (other).', [
            ('digit', '5 kinds', '6 kinds', '6'),
            ('swapped entity', '7 cases', '11 cases', '11'),
        ]),
        ('list or table', '| reason | cases | share |\n|---|---|---|\n| late | 46 | 41.8 % |\n| damaged | 29 | 26.4 % |\n| wrong item | 17 | 15.5 % |\n| missing parts | 11 | 10.0 % |\n| other | 7 | 6.4 % |', [
            ('swapped entity', '15.5 %', '26.5 %'),
            ('digit', '| 11 |', '| 14 |', '14'),
        ]),
    ],
}
