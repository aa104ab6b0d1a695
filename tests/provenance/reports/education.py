{
    "domain": "education",
    "question": "We offered voluntary tutoring at three schools this year and have pre and post test scores for 420 pupils. Did it help? Please also show pass rates by school (pass mark 50) and whether attendance mattered.",
    "cells": [
r"""import numpy as np
import pandas as pd
rng = np.random.default_rng(909)
n = 420
school = rng.choice(["Ashford", "Brookside", "Carlton"], n, p=[.4, .35, .25])
tutoring = rng.random(n) < .36
attendance = np.clip(rng.normal(91, 6, n), 60, 100).round(1)
pre = np.clip(rng.normal(58, 12, n), 10, 100).round(0).astype(int)
post = np.clip(pre + 4 + 5.5 * tutoring + .22 * (attendance - 91) + rng.normal(0, 6.5, n), 5, 100).round(0).astype(int)
st = pd.DataFrame({"school": school, "tutoring": tutoring, "attendance": attendance, "pre": pre, "post": post})
st["gain"] = st.post - st.pre
st.head(4)""",
r"""st.groupby("tutoring")[["pre", "post", "gain", "attendance"]].agg(["count", "mean", "std"]).round(2).T""",
r"""a, b = st.loc[st.tutoring, "gain"], st.loc[~st.tutoring, "gain"]
diff = a.mean() - b.mean()
se = np.sqrt(a.var() / len(a) + b.var() / len(b))
pooled = np.sqrt(((len(a) - 1) * a.var() + (len(b) - 1) * b.var()) / (len(a) + len(b) - 2))
res = {"diff": round(diff, 2), "ci": (round(diff - 1.96 * se, 2), round(diff + 1.96 * se, 2)),
       "t": round(diff / se, 2), "cohens_d": round(diff / pooled, 2)}
res""",
r"""st["grade"] = pd.cut(st.post, [0, 49, 59, 69, 79, 100], labels=["F", "D", "C", "B", "A"])
print(st.grade.value_counts().sort_index())
print((st.post >= 50).groupby(st.school).agg(["sum", "size", "mean"]).round(3))
st[["attendance", "pre", "post", "gain"]].corr().round(2)""",
    ],
    "answers": [
        ("summary of an analysis", "**Short answer: yes, pupils with tutoring improved more.**\n\n- The 151 tutored pupils gained **9.38** points on average; the 269 others gained **4.00**.\n- The difference is **5.38 points** (95% CI: 4.08 to 6.69), with t = 8.11.\n- Cohen's d is **0.83**, usually considered a large effect.\n\nBecause tutoring was voluntary, part of this may be self-selection.", [
            ("wrong column", "gained **9.38** points", "gained **6.63** points", "6.63"),
            ("digit", "6.69", "6.96"),
            ("swapped entity", "The 151 tutored pupils", "The 269 tutored pupils", "The 269"),
            ("digit", "0.83", "0.38"),
        ]),
        ("plain", "Both groups started from a similar level: the mean pre-test score was 59.47 with tutoring and 58.11 without. At the end of the year the means were 68.85 and 62.11.", [
            ("swapped entity", "59.47 with tutoring and 58.11 without", "58.11 with tutoring and 59.47 without", ["58.11", "59.47"]),
            ("wrong statistic", "58.11", "12.30"),
            ("digit", "68.85", "65.88"),
        ]),
        ("list or table", "Pass rates:\n\n| School | Passed | Pupils | Rate |\n|---|---|---|---|\n| Ashford | 152 | 167 | 91.0% |\n| Carlton | 104 | 116 | 89.7% |\n| Brookside | 112 | 137 | 81.8% |\n| **All** | **368** | **420** | **87.6%** |", [
            ("digit", "81.8%", "88.1%"),
            ("miscomputed derivation", "**368**", "**358**", "358"),
            ("swapped entity", "| 104 |", "| 121 |", "121"),
            ("miscomputed derivation", "87.6%", "84.6%"),
        ]),
        ("derived", "Brookside is the outlier: 25 of its 137 pupils failed, compared with 15 at Ashford and 12 at Carlton. So nearly half of the 52 fails come from a school with about a third of the pupils.", [
            ("miscomputed derivation", "25 of its", "35 of its", "35"),
            ("swapped entity", "15 at Ashford and 12 at Carlton", "12 at Ashford and 15 at Carlton", ["12 at Ashford", "15 at Carlton"]),
        ]),
        ("inequalities", "Attendance has only a weak relation with the gain (r = 0.20) and practically none with the final score (r = 0.02). The pre-test, by contrast, predicts the post-test very well (r = 0.86).", [
            ("swapped entity", "(r = 0.20)", "(r = 0.51)", "0.51"),
            ("digit", "0.86", "0.68"),
            ("scale", "(r = 0.02)", "(r = 0.22)", "0.22"),
        ]),
        ("constants of a method", "I compared the mean gains with a Welch-type standard error and a normal 95% interval (±1.96 SE). The tutored group's advantage of 5.38 points is clearly different from zero, since the interval from 4.08 to 6.69 excludes it.", [
            ("typed literal", "advantage of 5.38 points", "advantage of 5.5 points", "5.5"),
            ("wrong statistic", "advantage of 5.38 points", "advantage of 8.11 points", "8.11"),
            ("sign or direction", "from 4.08 to", "from −4.08 to", "−4.08"),
        ]),
        ("counted", "Grades on the post-test: 58 pupils got an A, 92 a B, 121 a C, 97 a D and 52 failed. That puts 150 pupils (35.7%) at B or better.", [
            ("swapped entity", "92 a B", "97 a B", "97 a B"),
            ("miscomputed derivation", "150 pupils", "140 pupils", "140"),
            ("miscomputed derivation", "35.7%", "37.5%"),
        ]),
    ],
}
