{
    "domain": 'bootstrap',
    "question": "I asked 30 students for their monthly rent. What's the average, how sure can I be, and does dropping the outliers change much?",
    "cells": [
r"""import numpy as np
rent = np.array([420, 455, 390, 510, 480, 465, 530, 375, 610, 440, 495, 520, 405, 460, 550,
                 430, 475, 500, 385, 1450, 445, 515, 490, 470, 980, 410, 540, 435, 485, 450])
print("n", rent.size, "mean", rent.mean().round(2), "median", np.median(rent), "sd", rent.std(ddof=1).round(1))
q1, q3 = np.percentile(rent, [25, 75])
print("quartiles", q1, q3, "iqr", q3 - q1, "upper fence", q3 + 1.5 * (q3 - q1))""",
r"""rng = np.random.default_rng(99)
def boot(x, f, n=5000):
    s = np.array([f(rng.choice(x, x.size)) for _ in range(n)])
    return np.percentile(s, [2.5, 97.5]).round(1)
print("mean CI:", boot(rent, np.mean))
print("median CI:", boot(rent, np.median))""",
r"""trim = rent[rent <= q3 + 1.5 * (q3 - q1)]
print("kept", trim.size, "removed", sorted(set(rent) - set(trim)))
print("mean", trim.mean().round(2), "median", np.median(trim), "sd", trim.std(ddof=1).round(1))
print("mean CI:", boot(trim, np.mean))""",
    ],
    "answers": [
        ('summary of an analysis', 'The 30 students pay 518.83 a month on average, with a median of 472.50. The 95 % bootstrap interval for the mean, 462 to 601, is wide because of two very expensive flats (980 and 1,450). Leaving those out, the mean falls to 469.11 and the interval narrows to 450 to 489; the standard deviation shrinks from 205.9 to 54.8.', [
            ('digit', 'falls to 469.11', 'falls to 496.11', '496.11'),
            ('wrong statistic', 'mean falls to 469.11', 'mean falls to 467.50', '467.50'),
            ('wrong statistic', '462 to 601', '448 to 498', ['448', '498']),
            ('digit', '1,450', '1,540'),
        ]),
        ('plain', 'Without the outliers the average rent is 469.11.', [
            ('stale value', '469.11', '518.83'),
            ('wrong statistic', '469.11', '467.50'),
            ('digit', '469.11', '496.11'),
        ]),
        ('derived', 'The two outliers pull the mean up by almost 50, while the median moves by just 5.', [
            ('miscomputed derivation', 'almost 50', 'almost 60', '60'),
            ('sign or direction', 'pull the mean up by almost 50', 'pull the mean down by almost 50', '50'),
            ('wrong statistic', 'by just 5.', 'by just 46.', '46'),
        ]),
        ('constants of a method', 'I used the usual 1.5 IQR rule: with quartiles of 436.25 and 513.75 the upper fence is 630, and 28 of the 30 values stay below it.', [
            ('miscomputed derivation', '630', '591.25'),
            ('wrong column', '436.25 and', '472.50 and', '472.50'),
            ('miscomputed derivation', '28 of', '27 of', '27'),
        ]),
        ('plain', 'For the median the 95 % interval runs from 447.5 to 497.5.', [
            ('wrong column', '497.5', '600.8'),
            ('stale value', '447.5 to 497.5', '449.6 to 488.9', ['449.6', '488.9']),
            ('digit', '497.5', '479.5'),
        ]),
        ('list or table', '| | All 30 | Trimmed |\n|---|---|---|\n| Mean | 518.83 | 469.11 |\n| Median | 472.5 | 467.5 |\n| SD | 205.9 | 54.8 |\n| 95 % CI of the mean | 462.3-600.8 | 449.6-488.9 |', [
            ('swapped entity', '518.83 | 469.11', '469.11 | 518.83', ['518.83', '469.11']),
            ('digit', '205.9', '209.5'),
            ('wrong statistic', '| 54.8 |', '| 77.5 |', '77.5'),
        ]),
        ('summary of an analysis', "The second version is the one I'd report: 28 students, mean 469, median 467.50, standard deviation 55, and a 95 % interval from 449.6 to 488.9. The interval is about 39 wide; with all 30 it was about 139.", [
            ('stale value', 'mean 469', 'mean 519', '519'),
            ('stale value', 'median 467.50', 'median 472.50', '472.50'),
            ('stale value', 'deviation 55', 'deviation 206', '206'),
            ('miscomputed derivation', 'about 139', 'about 193', '193'),
        ]),
    ],
}
