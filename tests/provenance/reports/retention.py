{
    "domain": 'app cohort retention',
    "question": 'Build a retention table from the signup cohorts Jan–Apr 2024. Which cohort is the problem and what is our overall month-1 retention?',
    "cells": [
r'''import numpy as np, pandas as pd
rng = np.random.default_rng(2024)
size = {"2024-01": 840, "2024-02": 915, "2024-03": 1102, "2024-04": 987}
keep = {"2024-01": [.46, .80, .90, .93], "2024-02": [.48, .79, .91], "2024-03": [.39, .76], "2024-04": [.51]}
rows = []
for c, n in size.items():
    active = n
    rows.append((c, 0, n))
    for k, p in enumerate(keep[c], 1):
        active = int(rng.binomial(active, p))
        rows.append((c, k, active))
pd.DataFrame(rows, columns=["cohort", "month", "users"]).to_csv("cohorts.csv", index=False)
co = pd.read_csv("cohorts.csv").pivot(index="cohort", columns="month", values="users")
co''',
r'''ret = co.div(co[0], axis=0).mul(100).round(1)
print(ret.to_string(na_rep="-"))''',
r'''w = {m: (co[m].dropna().sum(), co.loc[co[m].notna(), 0].sum()) for m in co.columns[1:]}
for m, (k, n) in w.items():
    print(f"month {m}: {k:.0f}/{n} = {k/n:.1%} over {co[m].notna().sum()} cohorts")''',
    ],
    "answers": [
        ('summary of an analysis', 'Overall month-1 retention is **45.5%** (1,749 of 3,844 users). The March cohort is the outlier: only 38.1% came back after one month and 28.4% after two, while January, February and April are all between 46.9% and 49.7%.', [
            ('swapped entity', 'only 38.1%', 'only 31.8%', '31.8%'),
            ('miscomputed derivation', '**45.5%**', '**54.5%**', '54.5%'),
            ('swapped entity', '28.4% after two', '37.8% after two', '37.8%'),
            ('digit', '1,749', '1,794'),
        ]),
        ('derived', 'Without March, month-1 retention would be 48.5% (1,329 of 2,742), three points higher. April is your best cohort so far at 49.7%.', [
            ('miscomputed derivation', '1,329', '1,239'),
            ('miscomputed derivation', 'would be 48.5%', 'would be 46.5%', '46.5%'),
            ('swapped entity', 'at 49.7%', 'at 48.7%', '48.7%'),
        ]),
        ('plain', 'The January cohort of 840 users fell to 409 after one month and then flattened out: 331, 298 and 279 in months two to four. A third (33.2%) are still active.', [
            ('swapped entity', 'to 409 after', 'to 429 after', '429'),
            ('digit', '298 and', '289 and', '289'),
            ('scale', '33.2%', '3.32%'),
        ]),
        ('list or table', '| Cohort | M1 | M2 | M3 | M4 |\n|---|---|---|---|---|\n| Jan | 48.7% | 39.4% | 35.5% | 33.2% |\n| Feb | 46.9% | 37.8% | 34.4% | – |\n| Mar | 38.1% | 28.4% | – | – |\n| Apr | 49.7% | – | – | – |', [
            ('digit', '34.4%', '43.4%'),
            ('wrong column', '| 46.9% | 37.8%', '| 46.9% | 34.6%', '34.6%'),
            ('typed literal', '| Apr | 49.7%', '| Apr | 51.0%', '51.0%'),
        ]),
        ('counted', 'March was the biggest cohort with 1,102 signups, and 682 of them were gone after the first month. By comparison, April lost 496 out of 987.', [
            ('miscomputed derivation', '682 of them', '692 of them', '692'),
            ('wrong column', 'April lost 496', 'April lost 491', '491'),
            ('digit', '1,102 signups', '1,120 signups', '1,120'),
        ]),
        ('inequalities', "Month 2 averages 34.7% over three cohorts and month 3 34.9% over two. Month 3 only looks better because the weak March cohort isn't old enough; every single cohort keeps declining, and fewer than 4,000 people signed up in all.", [
            ('swapped entity', 'averages 34.7%', 'averages 33.2%', '33.2%'),
            ('scale', 'fewer than 4,000', 'fewer than 400', '400'),
        ]),
    ],
}
