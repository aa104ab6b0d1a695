{
    "domain": 'grades',
    "question": 'Which course has the best results?',
    "cells": [
        r"""
import pandas as pd
df = pd.DataFrame({"course": ["Algebra"] * 8 + ["Physics"] * 7 + ["History"] * 9,
                   "grade": [78, 85, 62, 91, 70, 88, 55, 73, 66, 59, 81, 74, 48, 90, 69, 82, 79, 95, 88, 71, 64, 86, 77, 92]})
stats = df.groupby("course")["grade"].describe().round(2)
print(stats)
""",
        r"""
passed = df[df.grade >= 60].groupby("course").size()
print("passed:", passed.to_dict())
print("overall mean:", round(df.grade.mean(), 2), "overall median:", df.grade.median())
best = df.loc[df.grade.idxmax()]
print("best grade:", best.grade, "in", best.course)
""",
    ],
    "answers": [
        ('plain', 'History has the best results: a mean of 81.56 and no grade below 64.', [
            ('swapped entity', '81.56', '75.25'),
            ('wrong statistic', '64', '77'),
        ]),
        ('plain', 'All 9 history students passed, as did 7 of 8 in algebra and 5 of 7 in physics.', [
            ('swapped entity', '7 of 8', '5 of 8', '5 of 8'),
            ('digit', 'All 9', 'All 8', 'All 8'),
        ]),
        ('plain', 'Physics varies most (standard deviation 13.89) and has the lowest grade, 48.', [
            ('swapped entity', '13.89', '12.71'),
            ('digit', '48', '84'),
            ('wrong statistic', '48', '62.5'),
        ]),
        ('plain', 'The best grade overall was a 95 in history; the overall median is 77.5.', [
            ('swapped entity', '95', '91'),
            ('wrong statistic', '77.5', '75.96'),
        ]),
        ('derived', '24 grades were recorded, 3 of which are below 60.', [
            ('miscomputed derivation', '24', '26'),
        ]),
        ('derived', 'The history mean is 11.99 points above that of physics.', [
            ('miscomputed derivation', '11.99', '19.11'),
            ('sign or direction', 'above', 'below', '11.99'),
        ]),
    ],
}
