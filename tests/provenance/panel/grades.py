{
    "domain": "exam marks",
    "question": "Two groups sat the algebra exam (max 60 marks, pass mark 30). Compare them; group B had the new tutorials.",
    "cells": [
r"""
import pandas as pd, numpy as np
a = [22, 31, 45, 28, 37, 51, 19, 40, 33, 29, 44, 36, 58, 25, 30, 38, 41, 27, 35, 47]
b = [34, 41, 52, 30, 46, 55, 28, 43, 39, 37, 49, 26, 59, 33, 44, 48, 36, 50]
marks = pd.concat([pd.Series(a, name="A"), pd.Series(b, name="B")], axis=1)
print(marks.describe())
print((marks >= 30).sum())
""",
r"""
va, vb = np.var(a, ddof=1), np.var(b, ddof=1)
sp = np.sqrt(((len(a) - 1) * va + (len(b) - 1) * vb) / (len(a) + len(b) - 2))
d = (np.mean(b) - np.mean(a)) / sp
t = (np.mean(b) - np.mean(a)) / np.sqrt(va / len(a) + vb / len(b))
print("statistical power 0.82, marker agreement kappa 0.91")
print(f"diff {np.mean(b) - np.mean(a):.3f}, Welch t {t:.3f}, Cohen d {d:.3f}")
rng = np.random.default_rng(0)
pool = np.array(a + b)
obs = np.mean(b) - np.mean(a)
hits = 0
for _ in range(10000):
    rng.shuffle(pool)
    hits += abs(pool[len(a):].mean() - pool[:len(a)].mean()) >= obs - 1e-9
print(f"permutation p = {hits / 10000:.4f} (10000 shuffles, {hits} at least as extreme)")
"""],
    "answers": [
        ("list or table", "| | A | B |\n|---|---|---|\n| n | 20 | 18 |\n| mean | 35.8 | 41.7 |\n| SD | 9.98 | 9.51 |\n| median | 35.5 | 42.0 |", [
            ("swapped entity", "| 35.8 | 41.7 |", "| 41.7 | 35.8 |", ["41.7", "35.8"]),
            ("wrong statistic", "42.0", "48.75"),
            ("digit", "9.51", "9.15"),
        ]),
        ("derived", "Group B scored 5.9 marks higher on average, that's about a tenth of the maximum of 60.", [
            ("sign or direction", "higher", "lower", "5.9"),
            ("miscomputed derivation", "5.9", "6.9"),
        ]),
        ("percent", "In B 16 of 18 passed (89%), in A 14 of 20 (70%).", [
            ("miscomputed derivation", "89%", "80%"),
            ("number of something else", "70%", "30%"),
        ]),
        ("constants of a method", "Not significant at the 5% level: permutation p = 0.075 (10,000 shuffles), Welch t = 1.855.", [
            ("scale", "0.075", "0.0075"),
            ("digit", "1.855", "1.585"),
        ]),
        ("plain", "Cohen's d comes out as 0.60, a medium-sized effect.", [
            ("typed literal", "0.60", "0.91"),
            ("typed literal", "medium-sized effect", "medium-sized effect, and the test had a power of 0.82", "0.82"),
        ]),
        ("small integers", "The top mark overall was 59, one short of full marks; the lowest was 19, in group A.", [
            ("question number given as result", "59", "60"),
            ("swapped entity", "19", "26"),
        ]),
        ("derived", "All told 38 students sat the exam and 8 of them failed.", [
            ("miscomputed derivation", "38", "36"),
            ("question number given as result", "8 of them", "30 of them", "30"),
        ]),
    ],
}
