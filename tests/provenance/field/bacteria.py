{
    "domain": 'biology, bacterial growth curve',
    "question": 'OD600 readings every 30 minutes for two strains. Which one grows faster and what are the doubling times?',
    "cells": [
r"""import numpy as np
t = np.arange(0, 6.01, 0.5)
wt = np.array([.021,.023,.030,.044,.067,.103,.158,.241,.362,.520,.688,.801,.842])
mut = np.array([.022,.023,.025,.031,.040,.052,.068,.088,.115,.149,.193,.248,.311])
blank = 0.012
for row in zip(t, wt - blank, mut - blank):
    print("%.1f  %.3f  %.3f" % row)""",
r"""def fit(y):
    k = (t >= 1.5) & (t <= 4.0)
    mu, _ = np.polyfit(t[k], np.log(y[k] - blank), 1)
    return mu, np.log(2) / mu * 60
for name, y in [("wild type", wt), ("mutant", mut)]:
    mu, td = fit(y)
    print(f"{name}: mu = {mu:.3f} per h, doubling time {td:.1f} min, final OD {y[-1]-blank:.3f}")""",
r"""for name, y in [("wild type", wt), ("mutant", mut)]:
    first = t[np.argmax(y - blank > 0.1)]
    print(name, "OD > 0.1 after", first, "h; fold change", round((y[-1]-blank)/(y[0]-blank), 1))""",
    ],
    "answers": [
        ('plain', 'The wild type: it doubles every 43.5 minutes, the mutant only every 61.8.', [
            ('swapped entity', 'it doubles every 43.5 minutes, the mutant only every 61.8', 'it doubles every 61.8 minutes, the mutant only every 43.5', ['61.8', '43.5']),
            ('digit', '61.8', '68.1'),
            ('wrong column', '43.5 minutes', '0.955 minutes', '0.955'),
        ]),
        ('derived', 'The mutant takes about 18 minutes longer per generation; its growth rate is 30% lower.', [
            ('miscomputed derivation', '30%', '42%', '42'),
            ('miscomputed derivation', '18 minutes', '28 minutes', '28'),
            ('sign or direction', '18 minutes longer', '18 minutes less', '18'),
            ('sign or direction', '30% lower', '30% higher', '30'),
        ]),
        ('summary of an analysis', 'After subtracting the blank (0.012) I fitted the exponential phase between 1.5 and 4 hours. The wild type grows at 0.96 per hour and ends at an OD of 0.83, roughly 92 times the starting value. The mutant reaches only 0.30 after six hours (a 30-fold increase), with a rate of 0.67 per hour. It crossed OD 0.1 a full hour later, at 4.0 instead of 3.0 h.', [
            ('digit', 'rate of 0.67', 'rate of 0.76', '0.76'),
            ('scale', '92 times', '9.2 times', '9.2'),
            ('digit', 'OD of 0.83', 'OD of 0.38', '0.38'),
            ('stale value', 'only 0.30', 'only 0.311', '0.311'),
        ]),
        ('list or table', '| | Wild type | Mutant |\n|---|---|---|\n| µ (1/h) | 0.955 | 0.673 |\n| Doubling time (min) | 43.5 | 61.8 |\n| Final OD | 0.830 | 0.299 |\n| OD > 0.1 after (h) | 3.0 | 4.0 |\n| Fold change | 92.2 | 29.9 |', [
            ('digit', '0.673', '0.637'),
            ('typed literal', '0.830', '0.842'),
            ('swapped entity', '| 3.0 | 4.0 |', '| 4.0 | 3.0 |', ['4.0', '3.0']),
            ('digit', '29.9', '39.9'),
        ]),
        ('fractions in words', 'By the end the wild type is at nearly three times the density of the mutant (0.83 vs. 0.30).', [
            ('digit', 'vs. 0.30', 'vs. 0.03', '0.03'),
            ('swapped entity', '(0.83 vs.', '(0.68 vs.', '0.68'),
        ]),
        ('French', 'La souche sauvage double en 43,5 min, le mutant en 61,8 min, soit environ 18 minutes de plus.', [
            ('sign or direction', '18 minutes de plus', '18 minutes de moins', '18'),
            ('digit', '43,5 min', '45,3 min', '45,3'),
            ('miscomputed derivation', '18 minutes', '28 minutes', '28'),
        ]),
    ],
}
