{
    "domain": "drug trial",
    "question": "Does the drug lower systolic blood pressure compared with placebo?",
    "cells": ['''
import numpy as np
import pandas as pd
rng = np.random.default_rng(3)
arms = {"placebo": (148, 11), "low dose": (141, 10), "high dose": (134, 12)}
rows = []
for arm, (mu, sd) in arms.items():
    for v in rng.normal(mu, sd, 40):
        rows.append((arm, round(v, 1)))
bp = pd.DataFrame(rows, columns=["arm", "systolic"])
stats_ = bp.groupby("arm")["systolic"].agg(["mean", "median", "std", "min", "max"]).round(2)
print(stats_.to_string())
''', '''
from scipy import stats
pl = bp[bp.arm == "placebo"].systolic
for arm in ["low dose", "high dose"]:
    x = bp[bp.arm == arm].systolic
    t, p = stats.ttest_ind(x, pl)
    print(f"{arm} vs placebo: diff = {x.mean() - pl.mean():.2f}, t = {t:.2f}, p = {p:.4g}")
''', '''
responders = bp.assign(ok=bp.systolic < 140).groupby("arm")["ok"].sum()
print(responders)
'''],
    "answers": [
        ("summary of an analysis", "Both doses lower systolic pressure. The low dose averaged 139.52 mmHg and the high dose 135.12 mmHg, compared with 147.55 mmHg under placebo. The differences are -8.03 (p = 0.0028) and -12.43 (p < 0.001).", [
            ("swapped entity", "The low dose averaged 139.52 mmHg and the high dose 135.12", "The low dose averaged 135.12 mmHg and the high dose 139.52", ["135.12", "139.52"]),
            ("wrong statistic", "147.55", "145.50"),
            ("digit", "0.0028", "0.0082")]),
        ("plain", "The high dose reduces blood pressure by 12.43 mmHg relative to placebo.", [
            ("sign or direction", "reduces", "raises", "12.43"),
            ("swapped entity", "12.43", "8.03")]),
        ("plain", "The median in the placebo arm was 145.5, its standard deviation 12.93.", [
            ("wrong statistic", "The median in the placebo arm was 145.5", "The median in the placebo arm was 147.55", "147.55"),
            ("swapped entity", "12.93", "10.22")]),
        ("small integers", "24 patients of the high-dose arm got below 140 mmHg, 18 of the low-dose arm and 8 under placebo.", [
            ("swapped entity", "18 of the low-dose arm and 8 under placebo", "8 of the low-dose arm and 18 under placebo", ["8 of", "18 under"])]),
        ("derived", "That is 60 % of the 40 patients in the high-dose arm, against 20 % under placebo.", [
            ("miscomputed derivation", "60 %", "65 %"),
            ("miscomputed derivation", "20 %", "22 %")]),
        ("plain", "Readings under placebo ranged from 116.9 to 184.6.", [
            ("swapped entity", "184.6", "164.6"),
            ("wrong statistic", "from 116.9", "from 145.5", "145.5")]),
        ("constants of a method", "Both effects are significant at the 5 % level (t = -3.08 and t = -4.29).", [
            ("digit", "-4.29", "-4.92"),
            ("swapped entity", "t = -3.08 and t = -4.29", "t = -3.80 and t = -4.29", "-3.80")]),
    ],
}
