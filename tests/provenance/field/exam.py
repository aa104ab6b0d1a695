{
    "domain": 'education, exam item analysis',
    "question": 'Exam results for my class. Average, pass rate (50 points), grades, and which question was too hard?',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(77)
n = 58
ability = rng.normal(0, 1, n)
mx = {"Q1": 15, "Q2": 20, "Q3": 20, "Q4": 25, "Q5": 20}
diff = {"Q1": -1.3, "Q2": -0.5, "Q3": -0.2, "Q4": 1.2, "Q5": 0.0}
df = pd.DataFrame({q: np.round(m / (1 + np.exp(-(ability - diff[q] + rng.normal(0, .6, n))))) for q, m in mx.items()}).astype(int)
df["total"] = df.sum(axis=1)
df.total.describe().round(2)""",
r"""print("passed:", int((df.total >= 50).sum()), "of", n)
g = pd.cut(df.total, [-1, 49, 61, 74, 87, 100], labels=["F", "D", "C", "B", "A"])
print(g.value_counts().reindex(list("ABCDF")).to_dict())""",
r"""items = pd.DataFrame({"max": pd.Series(mx), "mean": df[list(mx)].mean().round(2)})
items["pct"] = (100*items["mean"]/items["max"]).round(1)
items["disc"] = [round(df[q].corr(df.total - df[q]), 2) for q in mx]
print(items)""",
    ],
    "answers": [
        ('plain', '24 of your 58 students passed (41%); the class average was 47.7 points.', [
            ('wrong statistic', '47.7', '46.5'),
            ('miscomputed derivation', '41%', '59%', '59'),
            ('number of something else', '24 of', '34 of', '34'),
            ('question number given as result', '24 of', '50 of', '50'),
        ]),
        ('plain', 'Question 4 was too hard: on average they only got 26.6% of the 25 points.', [
            ('wrong column', '26.6%', '6.66%', '6.66'),
            ('swapped entity', '26.6%', '46.6%', '46.6'),
            ('swapped entity', '25 points', '20 points', '20'),
        ]),
        ('list or table', 'Grades:\n\n- A: 1\n- B: 5\n- C: 9\n- D: 9\n- F: 34', [
            ('digit', 'F: 34', 'F: 43', '43'),
            ('invented', 'B: 5', 'B: 7', '7'),
            ('number of something else', 'F: 34', 'F: 24', '24'),
        ]),
        ('summary of an analysis', 'The results are low: a mean of 47.7 and a median of 46.5 out of 100, with a wide spread (standard deviation 18.8, range 15 to 94). 34 students, well over half, failed. By question, Q1 was the easiest with 72% of the points achieved, Q2 to Q5 lay around half except Q4, which got just 27%. All items separate strong from weak students well, with discrimination between 0.71 and 0.85.', [
            ('wrong statistic', 'median of 46.5', 'median of 34.25', '34.25'),
            ('digit', 'range 15 to', 'range 51 to', '51'),
            ('swapped entity', 'and 0.85', 'and 0.94', '0.94'),
            ('wrong column', 'with 72%', 'with 10.7%', '10.7'),
        ]),
        ('list or table', '| Question | Max | Mean | % | Discrimination |\n|---|---|---|---|---|\n| Q1 | 15 | 10.74 | 71.6 | 0.71 |\n| Q2 | 20 | 11.10 | 55.5 | 0.79 |\n| Q3 | 20 | 9.88 | 49.4 | 0.84 |\n| Q4 | 25 | 6.66 | 26.6 | 0.81 |\n| Q5 | 20 | 9.33 | 46.6 | 0.85 |', [
            ('digit', '| 9.88 |', '| 8.98 |', '8.98'),
            ('rounding', '| 49.4 |', '| 49.5 |', '49.5'),
            ('scale', '| 6.66 |', '| 66.6 |', '66.6'),
        ]),
        ('derived', 'The top student got 94 points, 79 more than the weakest; only six people reached a B or better.', [
            ('miscomputed derivation', '79 more', '69 more', '69'),
            ('sign or direction', '79 more', '79 fewer', '79'),
            ('miscomputed derivation', 'only six people', 'only 15 people', '15'),
            ('wrong statistic', '94 points', '61.5 points', '61.5'),
        ]),
    ],
}
