{
    "domain": 'exam results',
    "question": 'Exam results of three groups: is there a real difference, and do practice hours matter? Two scripts were entered wrongly at first.',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(6)
g = np.repeat(["A", "B", "C"], [24, 26, 22])
hours = rng.gamma(3, 4, 72).round(1)
score = (44 + pd.Series(g).map({"A": 0, "B": 7, "C": 3}).values + 1.3 * hours + rng.normal(0, 9, 72)).round(0).clip(0, 100)
e = pd.DataFrame({"group": g, "hours": hours, "score": score})
e.loc[3, "score"] = 6
e.loc[60, "score"] = 7
print(e.groupby("group").score.describe().round(1))
print("r =", round(e.hours.corr(e.score), 3))""",
r"""e.loc[3, "score"] = 60
e.loc[60, "score"] = 70
s = e.groupby("group").score.describe().round(1)
print(s)
print("r =", round(e.hours.corr(e.score), 3), "| passed (>=50):", int((e.score >= 50).sum()), "of", len(e))""",
r"""grand = e.score.mean()
ssb = sum(len(x) * (x.mean() - grand) ** 2 for _, x in e.groupby("group").score)
ssw = sum(((x - x.mean()) ** 2).sum() for _, x in e.groupby("group").score)
F = (ssb / 2) / (ssw / 69)
lab = e.group.values.copy(); sc = e.score.values; cnt = 0
for _ in range(2000):
    p = rng.permutation(sc)
    m = [p[lab == k].mean() for k in "ABC"]; nn = [24, 26, 22]
    b = sum(n * (x - grand) ** 2 for n, x in zip(nn, m))
    cnt += b >= ssb
print(f"F = {F:.2f}, eta2 = {ssb / (ssb + ssw):.3f}, permutation p = {cnt / 2000}")
slope, icpt = np.polyfit(e.hours, e.score, 1)
print(f"score = {icpt:.1f} + {slope:.2f} * hours")""",
    ],
    "answers": [
        ('summary of an analysis', 'After fixing the two scripts, group B averages 67.0, C 66.6 and A 58.5. The groups differ more than chance would suggest (F = 4.43, permutation p = 0.0145), although group membership explains only 11.4 % of the variance. Practice counts too: the correlation of hours and score rose from 0.295 to 0.473 through the correction.', [
            ('stale value', 'C 66.6', 'C 63.7', '63.7'),
            ('stale value', 'A 58.5', 'A 56.2', '56.2'),
            ('scale', '11.4 %', '0.114 %', '0.114'),
            ('digit', 'F = 4.43', 'F = 4.34', '4.34'),
        ]),
        ('plain', "Group A's mean is 58.5 and its median 59.5.", [
            ('stale value', '58.5', '56.2'),
            ('stale value', '59.5', '59.0'),
            ('wrong statistic', '58.5', '11.2'),
            ('wrong column', '59.5', '47.0'),
        ]),
        ('counted', '63 of the 72 students passed, so nine failed (12.5 %).', [
            ('miscomputed derivation', '12.5', '14.3'),
            ('digit', '63 of', '36 of', '36'),
            ('miscomputed derivation', '12.5 %', '87.5 %', '87.5'),
        ]),
        ('plain', 'The lowest score in group C is now 38, not 7.', [
            ('swapped entity', 'now 38', 'now 37', '37'),
            ('stale value', 'not 7', 'not 6', '6'),
            ('wrong statistic', 'now 38', 'now 60', '60'),
        ]),
        ('derived', "Group C gained about 2.9 points through the correction and A about 2.3; B didn't change.", [
            ('miscomputed derivation', '2.9 points', '3.9 points', '3.9'),
            ('swapped entity', '2.9 points through the correction and A about 2.3', '2.3 points through the correction and A about 2.9', ['2.3', '2.9']),
            ('wrong statistic', '2.9 points', '5.2 points', '5.2'),
        ]),
        ('plain', 'Each extra hour of practice goes along with 0.91 more points, starting from 54.0.', [
            ('typed literal', '0.91', '1.3'),
            ('typed literal', '54.0', '44'),
            ('wrong statistic', '0.91', '0.473'),
            ('sign or direction', '0.91 more', '0.91 fewer', '0.91'),
        ]),
        ('list or table', '| Group | n | Mean | SD | Min | Max |\n|---|---|---|---|---|---|\n| A | 24 | 58.5 | 11.2 | 37 | 80 |\n| B | 26 | 67.0 | 9.5 | 51 | 89 |\n| C | 22 | 66.6 | 12.9 | 38 | 91 |', [
            ('stale value', '| 11.2 |', '| 15.5 |', '15.5'),
            ('stale value', '| 66.6 |', '| 63.7 |', '63.7'),
            ('stale value', '| 12.9 |', '| 18.1 |', '18.1'),
            ('digit', '67.0', '76.0'),
        ]),
    ],
}
