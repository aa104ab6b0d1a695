{
    "domain": 'A/B test of a checkout page',
    "question": "here's our checkout experiment, old page (A) vs new page (B). did B win? we said up front we'd ship if it's at least +1 percentage point and p < 0.05. also something looks off with the session counts, pls check",
    "cells": [r"""import numpy as np
import pandas as pd

rng = np.random.default_rng(2024)
n_a, n_b = 4812, 4767
df = pd.DataFrame({
    "variant": ["A"] * n_a + ["B"] * n_b,
    "converted": np.concatenate([rng.random(n_a) < 0.062, rng.random(n_b) < 0.079]).astype(int),
    "sessions": rng.poisson(2.1, n_a + n_b) + 1,
})
# a handful of scrapers hit the site during the test
bots = rng.choice(df.index, 211, replace=False)
df.loc[bots, "sessions"] = rng.integers(60, 400, 211)
df.loc[bots, "converted"] = 0

for v, g in df.groupby("variant"):
    print(v, len(g), g["converted"].sum(), round(g["converted"].mean() * 100, 3), round(g["sessions"].mean(), 2))""",
r"""# Sessions averages look far too high: drop visitors with 50+ sessions (bots) and redo it
clean = df[df["sessions"] < 50]
print(len(df) - len(clean), "removed")
for v, g in clean.groupby("variant"):
    print(v, len(g), g["converted"].sum(), round(g["converted"].mean() * 100, 3), round(g["sessions"].mean(), 2))""",
r"""from math import sqrt, erf

a = clean[clean.variant == "A"]["converted"]
b = clean[clean.variant == "B"]["converted"]
p1, p2 = a.mean(), b.mean()
pool = (a.sum() + b.sum()) / (len(a) + len(b))
z = (p2 - p1) / sqrt(pool * (1 - pool) * (1 / len(a) + 1 / len(b)))
pval = 2 * (1 - 0.5 * (1 + erf(abs(z) / sqrt(2))))
se = sqrt(p1 * (1 - p1) / len(a) + p2 * (1 - p2) / len(b))
lo, hi = (p2 - p1) - 1.96 * se, (p2 - p1) + 1.96 * se
print(f"z={z:.3f} p={pval:.5f}")
print(f"lift: {(p2 - p1) * 100:.2f} pp  [{lo * 100:.2f}, {hi * 100:.2f}]  rel {(p2 / p1 - 1) * 100:.1f}%")"""],
    "answers": [
        ('summary of an analysis', 'Yes, B won. After removing 211 bot-like visitors (50 or more sessions each), A converted 290 of 4,710 visitors (6.16 %) and B 378 of 4,658 (8.12 %). That is a lift of 1.96 percentage points (95 % CI 0.92 to 3.00), or 31.8 % in relative terms, with z = 3.68 and p = 0.0002. Your bar of +1 point and p < 0.05 is met by the point estimate, although the lower end of the interval is just below 1.', [
            ('stale value', '6.16 %', '6.03 %'),
            ('swapped entity', '290 of 4,710 visitors (6.16 %) and B 378 of 4,658', '378 of 4,710 visitors (6.16 %) and B 290 of 4,658', ['378 of 4,710', '290 of 4,658']),
            ('digit', '31.8 %', '38.1 %'),
            ('wrong statistic', 'z = 3.68', 'z = 1.96', 'z = 1.96'),
        ]),
        ('plain', 'B converts at 8.1 % against 6.2 % for A once the bots are out, and the difference is significant (p ≈ 0.0002).', [
            ('scale', '0.0002', '0.002'),
            ('stale value', '8.1 %', '7.9 %'),
            ('swapped entity', '8.1 % against 6.2 % for A', '6.2 % against 8.1 % for A', ['6.2 %', '8.1 %']),
        ]),
        ('derived', 'The session averages were inflated by scrapers: with them, A showed 8.07 and B 8.54 sessions per visitor; without them both are at about 3.1. 102 of the removed visitors were in A and 109 in B, so the split was fairly even, and together they made up 2.2 % of the 9,579 visitors.', [
            ('miscomputed derivation', '109 in B', '119 in B', '119'),
            ('miscomputed derivation', '2.2 %', '4.4 %'),
            ('digit', '8.54', '8.45'),
            ('swapped entity', 'A showed 8.07 and B 8.54', 'A showed 8.54 and B 8.07', ['8.54', '8.07']),
        ]),
        ('inequalities', 'Ship it: the lift is nearly 2 percentage points, well over the 1 point you asked for, and p is far below 0.05. More than 9,300 real visitors are left after cleaning.', [
            ('sign or direction', 'More than 9,300', 'Fewer than 9,300', '9,300'),
            ('miscomputed derivation', 'nearly 2 percentage points', 'nearly 3 percentage points', '3 percentage'),
        ]),
        ('list or table', '| | A | B |\n|---|---|---|\n| visitors (bots removed) | 4,710 | 4,658 |\n| conversions | 290 | 378 |\n| conversion rate | 6.157 % | 8.115 % |\n| sessions per visitor | 3.11 | 3.12 |\n\nB had 88 conversions more than A. The p-value of the two-sided z-test is 0.00023.', [
            ('stale value', '4,658', '4,767'),
            ('swapped entity', '| 290 | 378 |', '| 378 | 290 |', ['378', '290']),
            ('miscomputed derivation', '88 conversions', '98 conversions', '98'),
            ('digit', '0.00023', '0.00032'),
        ]),
        ('units or currency', "One extra order for roughly every 51 visitors: that's what a lift of 1.96 points means. Relative to A's 6.16 %, B's rate is about 1.32 times as high.", [
            ('miscomputed derivation', '1.32 times', '1.96 times', '1.96 times'),
            ('miscomputed derivation', 'every 51 visitors', 'every 196 visitors', '196'),
        ]),
        ('constants of a method', 'I compared the two rates with a pooled two-proportion z-test at the 5 % level. The 95 % interval for the difference (using ±1.96 standard errors) runs from 0.92 to 3.00 percentage points, so zero is excluded.', [
            ('digit', '0.92 to', '0.29 to', '0.29'),
            ('sign or direction', 'from 0.92', 'from -0.92', '-0.92'),
            ('invented', '3.00', '3.41'),
        ]),
    ],
}
