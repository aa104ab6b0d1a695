{
    "domain": 'corrs',
    "question": 'Which variables are related?',
    "cells": [
        r"""
import numpy as np, pandas as pd
rng = np.random.default_rng(5)
n = 180
study = rng.normal(14, 4, n).clip(2)
sleep = rng.normal(7, 0.9, n) - 0.03 * (study - 14)
stress = 3 + 0.12 * study - 0.5 * (sleep - 7) + rng.normal(0, 0.8, n)
score = 40 + 2.1 * study + 2.5 * sleep - 3 * stress + rng.normal(0, 5, n)
df = pd.DataFrame({"study_hours": study, "sleep_hours": sleep, "stress": stress, "score": score}).round(2)
print(df.corr().round(2))
print(df.describe().round(2))
""",
    ],
    "answers": [
        ('plain', 'Study hours and score correlate strongly (r = 0.68), whereas sleep hardly matters for the score (r = 0.15).', [
            ('digit', '0.68', '0.86'),
            ('swapped entity', '0.15', '0.51'),
            ('sign or direction', 'r = 0.15', 'r = -0.15', '-0.15'),
        ]),
        ('plain', 'Stress is negatively related to sleep (-0.54) and positively to study time (0.51).', [
            ('sign or direction', '(-0.54)', '(0.54)', '0.54'),
            ('swapped entity', '(0.51)', '(0.68)', '0.68'),
        ]),
        ('plain', 'The average score was 71.8 with a standard deviation of 8.7; half of the students scored below 71.7.', [
            ('wrong statistic', '71.8', '65.4'),
            ('digit', '8.7;', '7.8;', '7.8'),
            ('wrong statistic', '71.7', '77.7'),
        ]),
        ('plain', 'Students sleep 7.0 hours on average, between 4.6 and 9.4.', [
            ('wrong column', '7.0 hours', '4.7 hours', '4.7'),
            ('digit', '9.4', '9.7'),
        ]),
        ('constants of a method', 'With n = 180, a correlation of 0.15 is borderline at the 5 % level.', [
            ('digit', '180', '108'),
            ('invented', '0.15', '0.23'),
        ]),
        ('derived', 'The study times span almost 20 hours: 19.29 h lie between the laziest (4.44 h) and the most diligent student (23.73 h).', [
            ('miscomputed derivation', '19.29', '18.29'),
            ('wrong statistic', '4.44', '10.75'),
        ]),
        ('inequalities', 'A quarter of the students study more than 16 hours a week, and nobody less than 4.', [
            ('wrong statistic', '16 hours', '13 hours', '13'),
            ('digit', 'less than 4', 'less than 8', '8'),
        ]),
        ('derived', 'Study hours alone explain about 46 % of the variance in score (0.68² ≈ 0.46).', [
            ('miscomputed derivation', '46 %', '64 %'),
            ('miscomputed derivation', '≈ 0.46', '≈ 0.56', '0.56'),
        ]),
    ],
}
