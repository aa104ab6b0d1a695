{
    "domain": 'permutation test',
    "question": 'Twenty-four volunteers slept with or without a blue light filter. Is the difference in sleep latency real?',
    "cells": [
r"""import numpy as np
filt = np.array([14, 11, 19, 22, 9, 16, 13, 18, 12, 15, 10, 17])
none = np.array([21, 18, 26, 15, 24, 19, 31, 17, 22, 20, 28, 16])
print("filter:  mean", filt.mean().round(2), "sd", filt.std(ddof=1).round(2), "median", np.median(filt))
print("control: mean", none.mean().round(2), "sd", none.std(ddof=1).round(2), "median", np.median(none))
diff = none.mean() - filt.mean()
print("difference in means:", round(diff, 2))""",
r"""rng = np.random.default_rng(0)
pool = np.concatenate([filt, none])
def perm(stat, n):
    out = np.empty(n)
    for i in range(n):
        p = rng.permutation(pool)
        out[i] = stat(p[12:]) - stat(p[:12])
    return out
d = perm(np.mean, 5000)
print("extreme permutations:", int((np.abs(d) >= diff - 1e-9).sum()), "of 5000")
print("p (two-sided) =", (np.abs(d) >= diff - 1e-9).mean())
print("largest permuted difference:", round(np.abs(d).max(), 2))""",
r"""dm = np.median(none) - np.median(filt)
d2 = perm(np.median, 5000)
print("difference in medians:", dm, " p =", (np.abs(d2) >= dm - 1e-9).mean())
# leave out the slowest sleeper in the control group (31 min)
c2 = none[none < 31]
print("control without the 31: mean", c2.mean().round(2), "difference", (c2.mean() - filt.mean()).round(2))
bs = [rng.choice(none, 12).mean() - rng.choice(filt, 12).mean() for _ in range(4000)]
print("bootstrap 95% interval:", np.percentile(bs, [2.5, 97.5]).round(2))""",
    ],
    "answers": [
        ('summary of an analysis', 'The difference looks real. People with the filter took 14.7 minutes to fall asleep on average, the control group 21.4, a gap of 6.75 minutes. Only 7 of 5,000 random relabelings produced a difference that large (p = 0.0014). The bootstrap interval of 3.3 to 10.2 minutes excludes zero as well.', [
            ('wrong statistic', 'took 14.7 minutes', 'took 3.9 minutes', '3.9'),
            ('scale', 'p = 0.0014', 'p = 0.014', '0.014'),
            ('stale value', 'gap of 6.75', 'gap of 5.88', '5.88'),
            ('digit', '10.2 minutes', '12.0 minutes', '12.0'),
        ]),
        ('plain', 'The medians differ by 6 minutes (20.5 against 14.5).', [
            ('wrong statistic', 'by 6 minutes', 'by 6.75 minutes', '6.75'),
            ('wrong statistic', '20.5', '21.42'),
            ('digit', 'against 14.5', 'against 15.4', '15.4'),
        ]),
        ('plain', 'For the medians the p-value is 0.0028, twice that of the means.', [
            ('wrong statistic', '0.0028', '0.0014'),
            ('scale', '0.0028', '0.028'),
            ('digit', '0.0028', '0.0082'),
        ]),
        ('derived', 'Without the slowest sleeper (31 min) the control mean falls to 20.55, and the difference shrinks to 5.88 minutes, i.e. by 0.87.', [
            ('stale value', 'falls to 20.55', 'falls to 21.42', '21.42'),
            ('stale value', 'shrinks to 5.88', 'shrinks to 6.75', '6.75'),
            ('miscomputed derivation', 'by 0.87', 'by 1.87', '1.87'),
            ('sign or direction', 'shrinks to 5.88', 'grows to 5.88', '5.88'),
        ]),
        ('list or table', '| Group | n | Mean | Median | SD |\n|---|---|---|---|---|\n| Filter | 12 | 14.67 | 14.5 | 3.92 |\n| Control | 12 | 21.42 | 20.5 | 4.98 |', [
            ('wrong column', '| 20.5 | 4.98', '| 20.55 | 4.98', '20.55'),
            ('digit', '14.67', '16.47'),
            ('digit', '3.92', '3.29'),
        ]),
        ('percent', 'On average the filter group needed about 32 % less time to fall asleep than the controls.', [
            ('miscomputed derivation', '32 %', '46 %', '46'),
            ('sign or direction', '32 % less', '32 % more', '32'),
            ('digit', '32 %', '23 %', '23'),
        ]),
        ('inequalities', 'None of the 5,000 permuted mean differences exceeded 8.08 minutes, and fewer than 0.2 % reached our 6.75.', [
            ('scale', '0.2 %', '0.02 %', '0.02'),
            ('wrong statistic', 'our 6.75', 'our 6.00', '6.00'),
            ('invented', '8.08', '7.08'),
        ]),
    ],
}
