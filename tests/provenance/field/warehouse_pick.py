{
    "domain": 'warehouse productivity',
    "question": 'Check our picking data for outliers and compare the shifts.',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(5)
rows = []
for shift, mu, n in (("early", 92, 140), ("late", 86, 120), ("night", 77, 70)):
    for _ in range(n):
        rows.append((shift, int(rng.normal(mu, 11)), int(rng.random() < {"early": .04, "late": .06, "night": .11}[shift])))
df = pd.DataFrame(rows, columns=["shift", "picks_per_hour", "error"])
df.loc[[17, 203], "picks_per_hour"] = [912, 8]     # scanner glitches
print(df.picks_per_hour.describe().round(1).to_string())
""",
r"""q1, q3 = df.picks_per_hour.quantile([.25, .75])
iqr = q3 - q1
lo, hi = q1 - 1.5 * iqr, q3 + 1.5 * iqr
out = df[(df.picks_per_hour < lo) | (df.picks_per_hour > hi)]
print(lo, hi, len(out), sorted(out.picks_per_hour.tolist()))
clean = df.drop(out.index)
print(len(clean), clean.picks_per_hour.mean().round(1), clean.picks_per_hour.std().round(1))
""",
r"""r = clean.groupby("shift").agg(n=("error", "size"), rate=("picks_per_hour", "mean"), errors=("error", "sum")).round(1)
r["error_pct"] = (r.errors / r.n * 100).round(1)
r
""",
    ],
    "answers": [('plain',
  'After removing 4 outliers, the average is 86.7 picks per hour.',
  [('stale value', '86.7', '88.7'), ('invented', '4 outliers', '9 outliers', '9'), ('digit', '86.7', '87.6')]),
 ('constants of a method',
  'With the usual 1.5 IQR rule everything outside 52.5 to 120.5 counts as an outlier; that hit the values 8, 40, 50 and 912.',
  [('digit', '120.5', '125.0'), ('wrong statistic', '52.5', '78.0'), ('digit', '912', '921')]),
 ('derived',
  'The early shift picks 14.5 items an hour more than the night shift, a lead of almost 19%.',
  [('miscomputed derivation', '14.5 items', '5.7 items', '5.7'),
   ('miscomputed derivation', '19%', '29%', '29'),
   ('sign or direction', '14.5 items an hour more', '14.5 items an hour less', '14.5')]),
 ('list or table',
  '| Shift | Records | Picks/h | Errors | Error rate |\n'
  '|---|---|---|---|---|\n'
  '| Early | 139 | 91.8 | 4 | 2.9% |\n'
  '| Late | 119 | 86.1 | 7 | 5.9% |\n'
  '| Night | 68 | 77.3 | 11 | 16.2% |\n'
  '| All | 326 | 86.7 | 22 | 6.7% |',
  [('miscomputed derivation', '6.7%', '8.3%', '8.3'), ('digit', '16.2%', '12.6%', '12.6'), ('stale value', '326', '330'), ('digit', '77.3', '73.7')]),
 ('summary of an analysis',
  'The raw mean of 88.7 was distorted, mostly by a single reading of 912; cleaning brings the standard deviation down from 47.3 to 11.9. Night is '
  "the problem shift: it's the slowest at 77.3 and causes half of the 22 errors with only a fifth of the records.",
  [('miscomputed derivation', '22 errors', '32 errors', '32'),
   ('digit', '47.3 to', '43.7 to', '43.7'),
   ('wrong statistic', 'to 11.9', 'to 86.7', '86.7'),
   ('sign or direction', 'down from 47.3 to 11.9', 'up from 47.3 to 11.9', ['47.3', '11.9'])]),
 ('percent',
  'Night shift error rate is 16.2%, more than five times that of the early shift (2.9%).',
  [('wrong column', '16.2%', '11%', '11'), ('swapped entity', '(2.9%)', '(5.9%)', '5.9'), ('scale', '16.2%', '1.62%', '1.62')])],
}
