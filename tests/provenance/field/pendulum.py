{
    "domain": 'physics, pendulum and g',
    "question": 'Students timed 10 swings for several pendulum lengths. What g do we get from the fit and how far is it from 9.81?',
    "cells": [
r"""import numpy as np
L = np.array([0.30, 0.40, 0.50, 0.60, 0.70, 0.80, 1.00])
T10 = np.array([11.05, 12.66, 14.25, 15.46, 16.89, 17.88, 20.14])
T = T10 / 10
for l, t in zip(L, T):
    print(f"L={l:.2f} m  T={t:.3f} s  g={4*np.pi**2*l/t**2:.3f}")""",
r"""slope, icpt = np.polyfit(L, T**2, 1)
res = T**2 - (slope * L + icpt)
r2 = 1 - (res**2).sum() / ((T**2 - (T**2).mean())**2).sum()
g = 4 * np.pi**2 / slope
print("slope", round(slope, 4), "s^2/m, intercept", round(icpt, 4), "s^2, R2", round(r2, 5))
print("g from slope", round(g, 3))""",
r"""gi = 4*np.pi**2*L/T**2
print("mean of single values", gi.mean().round(3), "std", gi.std(ddof=1).round(3), "sem", (gi.std(ddof=1)/np.sqrt(len(gi))).round(3))
print("deviation %", round(100*(g-9.81)/9.81, 2))""",
    ],
    "answers": [
        ('plain', 'The fit gives g = 9.76 m/s², about 0.5% below the accepted value.', [
            ('wrong statistic', '9.76', '9.78'),
            ('digit', '9.76', '9.67'),
            ('question number given as result', 'g = 9.76', 'g = 9.81', '9.81'),
            ('sign or direction', '0.5% below', '0.5% above', '0.5'),
        ]),
        ('derived', "You're 0.046 m/s² short of 9.81.", [
            ('miscomputed derivation', '0.046', '0.146'),
            ('wrong statistic', '0.046', '0.094'),
            ('scale', '0.046', '0.46'),
        ]),
        ('summary of an analysis', 'I fitted T² against L for the seven lengths. The slope is 4.043 s²/m with an intercept of practically zero (-0.005 s²), and the line explains 99.9% of the variance. That gives 9.764 m/s². Averaging the seven individual results instead gives 9.783 ± 0.035 m/s² (standard error), so the textbook 9.81 is within one standard error.', [
            ('wrong statistic', '± 0.035', '± 0.094', '0.094'),
            ('digit', '4.043', '4.403'),
            ('scale', '(-0.005 s²)', '(-0.05 s²)', '0.05'),
            ('swapped entity', 'That gives 9.764', 'That gives 9.733', '9.733'),
        ]),
        ('plain', 'The single values run from 9.69 (70 cm) to 9.91 m/s² (60 cm).', [
            ('swapped entity', '(70 cm)', '(30 cm)', '30'),
            ('wrong statistic', '9.69', '9.73'),
            ('digit', '9.91', '9.19'),
        ]),
        ('list or table', 'Period and resulting g per length:\n\n| L (m) | T (s) | g (m/s²) |\n|---|---|---|\n| 0.30 | 1.105 | 9.70 |\n| 0.50 | 1.425 | 9.72 |\n| 0.80 | 1.788 | 9.88 |\n| 1.00 | 2.014 | 9.73 |', [
            ('scale', '| 1.425 |', '| 14.25 |', '14.25'),
            ('swapped entity', '| 9.88 |', '| 9.91 |', '9.91'),
            ('digit', '2.014', '2.041'),
        ]),
        ('derived', 'The longest pendulum swings 1.8 times as slowly as the shortest (2.01 s vs 1.1 s), which fits the square root of the length ratio, 3.3.', [
            ('miscomputed derivation', '1.8 times', '2.8 times', '2.8'),
            ('swapped entity', '2.01 s', '1.79 s', '1.79'),
            ('miscomputed derivation', '3.3.', '2.3.', '2.3'),
        ]),
    ],
}
