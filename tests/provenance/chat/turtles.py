{
    "domain": "sea turtle nests",
    "question": "Nest survey of the two beaches: clutch sizes, hatching success, is there a real difference between the shaded and the open beach?",
    "cells": [
r"""import numpy as np
from scipy import stats
shaded = {"eggs": [104, 96, 118, 87, 111, 99, 123, 92, 108], "hatched": [88, 79, 101, 60, 97, 85, 102, 71, 94]}
open_  = {"eggs": [110, 101, 95, 120, 89, 114, 106], "hatched": [71, 77, 58, 69, 61, 80, 66]}
succ = {}
for name, d in (("shaded", shaded), ("open", open_)):
    e, h = np.array(d["eggs"]), np.array(d["hatched"])
    succ[name] = h / e
    print(name, len(e), "nests", e.sum(), "eggs", h.sum(), "hatched", "mean clutch", e.mean().round(1), "success", succ[name].mean().round(3), "sd", succ[name].std(ddof=1).round(3))""",
r"""res = stats.ttest_ind(succ["shaded"], succ["open"], equal_var=False)
res""",
r"""d = succ["shaded"].mean() - succ["open"].mean()
se = np.sqrt(sum(s.var(ddof=1) / len(s) for s in succ.values()))
d.round(3), se.round(3), (d - 1.96 * se).round(3), (d + 1.96 * se).round(3)"""],
    "answers": [
        ("percent", "Hatching success was 82% on the shaded beach and 66% on the open one.", [
            ("swapped entity", "82% on the shaded beach and 66%", "66% on the shaded beach and 82%", ["66%", "82%"]),
            ("wrong statistic", "82%", "5.9%"),
        ]),
        ("constants of a method", "The 95% confidence interval of the difference (±1.96 standard errors) runs from 10.6 to 22.8 percentage points.", [
            ("wrong statistic", "from 10.6", "from 3.1", "3.1"),
            ("invented", "22.8", "27.4"),
        ]),
        ("inequalities", "Yes, the difference is real: p < 0.001.", [
            ("scale", "p < 0.001", "p < 0.0001", "0.0001"),
            ("sign or direction", "p < 0.001", "p > 0.001", "0.001"),
        ]),
        ("counted", "We have 16 nests with 1,673 eggs.", [
            ("number of something else", "1,673", "1,259"),
            ("miscomputed derivation", "16 nests", "18 nests", "18"),
        ]),
        ("small integers", "9 nests in the shade and 7 in the open, with almost the same clutch: 104 and 105 eggs.", [
            ("swapped entity", "9 nests in the shade and 7 in", "7 nests in the shade and 9 in", ["7 nests", "9 in"]),
            ("typed literal", "104 and", "123 and", "123"),
        ]),
        ("fractions in words", "On the open beach about a third of the eggs never hatched (253 of 735).", [
            ("number of something else", "(253 of", "(482 of", "482"),
            ("swapped entity", "(253 of", "(161 of", "161"),
        ]),
        ("derived", "Shade raises the success by 16.7 percentage points, to 1.25 times that of the open beach.", [
            ("sign or direction", "Shade raises the success by 16.7", "Shade lowers the success by 16.7", "16.7"),
            ("miscomputed derivation", "1.25 times", "1.52 times", "1.52"),
        ]),
        ("summary of an analysis", "Shaded nests do better. 777 of 938 eggs hatched there, 482 of 735 on the open beach; the mean success per nest is 82.4% vs 65.8%. Welch's t-test gives t = 5.37 and p = 0.00014, and the difference of 0.167 has a 95% interval from 0.106 to 0.228.", [
            ("typed literal", "to 0.228", "to 1.96", "1.96"),
            ("scale", "p = 0.00014", "p = 0.014", "0.014"),
            ("wrong statistic", "difference of 0.167", "difference of 0.031", "0.031"),
        ]),
    ],
}
