{
    "domain": 'exam items',
    "question": "How difficult are the exam's questions and does the exam work?",
    "cells": [
        """
import numpy as np
rng = np.random.default_rng(5)
ability = rng.normal(0, 1, 120)
difficulty = np.array([-1.6, -0.9, -0.2, 0.4, 1.1, 1.9])
answers = (rng.random((120, 6)) < 1 / (1 + np.exp(-(ability[:, None] - difficulty)))).astype(int)
share = answers.mean(axis=0)
for i, s in enumerate(share, 1):
    print(f"Q{i}: {s:.1%} correct ({answers[:, i - 1].sum()} of 120)")
total = answers.sum(axis=1)
print("mean score", total.mean().round(3), "sd", total.std(ddof=1).round(3))
""",
        """
k = 6
alpha = k / (k - 1) * (1 - answers.var(axis=0, ddof=1).sum() / total.var(ddof=1))
print("Cronbach alpha:", round(alpha, 3))
print("scores:", dict(zip(*[x.tolist() for x in np.unique(total, return_counts=True)])))
""",
    ],
    "answers": [
        ('plain', 'Q1 is the easiest question with 77.5 % correct answers, Q6 the hardest with 16.7 %.', [
            ('swapped entity', '77.5 %', '73.3 %'),
            ('swapped entity', '16.7 %', '28.3 %'),
            ('digit', '16.7 %', '17.6 %'),
        ]),
        ('plain', 'The mean score is 2.783 out of 6 with a standard deviation of 1.298.', [
            ('wrong statistic', '2.783 out of 6 with a standard deviation of 1.298', '1.298 out of 6 with a standard deviation of 2.783', ['1.298', '2.783']),
            ('digit', '2.783', '2.378'),
        ]),
        ('plain', "Cronbach's alpha is 0.344, so reliability is low (below 0.7).", [
            ('digit', '0.344', '0.434'),
            ('wrong statistic', '0.344', '1.298'),
        ]),
        ('small integers', 'Seven students got nothing right and 1 got all six.', [
            ('digit', '1 got', '7 got', '7 got'),
        ]),
        ('derived', '32 of the 120 students (26.7 %) solved at least four questions.', [
            ('miscomputed derivation', '26.7 %', '27.6 %'),
        ]),
        ('plain', 'The most common score was 3, reached by 41 students.', [
            ('swapped entity', '41', '30'),
            ('digit', '41', '14'),
        ]),
        ('fractions in words', 'Fewer than half of the students answered Q3 correctly (56 of 120).', [
            ('swapped entity', '56', '43'),
            ('digit', '56', '65'),
        ]),
        ('derived', 'Between Q1 and Q2 the share drops by 4.2 percentage points.', [
            ('miscomputed derivation', '4.2', '5.2'),
            ('sign or direction', 'drops', 'rises', '4.2'),
        ]),
    ],
}
