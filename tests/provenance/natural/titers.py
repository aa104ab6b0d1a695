{
    "domain": 'titers',
    "question": 'Summarise the antibody trial.',
    "cells": [
        r"""
import numpy as np
rng = np.random.default_rng(5)
placebo = rng.lognormal(3.2, 0.5, 48)
vaccine = rng.lognormal(5.1, 0.6, 52)
print("n placebo =", len(placebo), " n vaccine =", len(vaccine))
print("mean titer placebo: %.1f (SD %.1f)" % (placebo.mean(), placebo.std(ddof=1)))
print("mean titer vaccine: %.1f (SD %.1f)" % (vaccine.mean(), vaccine.std(ddof=1)))
print("median placebo: %.1f, median vaccine: %.1f" % (np.median(placebo), np.median(vaccine)))
""",
        r"""
gm = lambda x: np.exp(np.log(x).mean())
print("GMT placebo", round(gm(placebo), 2))
print("GMT vaccine", round(gm(vaccine), 2))
print("ratio", round(gm(vaccine) / gm(placebo), 2))
sero = (vaccine > 4 * gm(placebo)).sum()
print(f"seroconverted: {sero} of {len(vaccine)} ({sero / len(vaccine):.1%})")
se = np.sqrt(np.log(vaccine).var(ddof=1) / len(vaccine) + np.log(placebo).var(ddof=1) / len(placebo))
d = np.log(vaccine).mean() - np.log(placebo).mean()
print("t =", round(d / se, 2), "95% CI of ratio:", np.round(np.exp([d - 1.984 * se, d + 1.984 * se]), 2))
""",
    ],
    "answers": [
        ('summary of an analysis', '100 people took part, 48 on placebo and 52 vaccinated. The geometric mean titer was 151.89 after vaccination and 20.82 under placebo, a ratio of 7.29 (95% CI 6.01 to 8.85). 43 of the 52 vaccinated (82.7%) seroconverted.', [
            ('swapped entity', '48 on placebo and 52 vaccinated', '52 on placebo and 48 vaccinated', ['52 on', '48 vacc']),
            ('swapped entity', '151.89 after vaccination and 20.82 under', '20.82 after vaccination and 151.89 under', ['20.82', '151.89']),
            ('digit', '7.29', '7.92'),
            ('wrong statistic', '151.89', '141.6'),
            ('miscomputed derivation', '82.7%', '87.2%'),
        ]),
        ('plain', 'Mean titers were 176.1 (SD 111.8) in the vaccine group versus 23.0 (SD 10.9) in the placebo group.', [
            ('wrong statistic', '176.1', '141.6'),
            ('swapped entity', 'SD 111.8', 'SD 10.9', 'SD 10.9) in the vacc'),
            ('digit', '176.1', '167.1'),
            ('scale', '23.0', '230'),
        ]),
        ('derived', 'Nine of the vaccinated did not seroconvert.', [
            ('miscomputed derivation', 'Nine', '11'),
        ]),
        ('plain', 'The difference is highly significant (t = 20.37).', [
            ('digit', '20.37', '20.73'),
            ('number of something else', '20.37', '7.29'),
        ]),
        ('derived', 'The median titer after vaccination was 6.6 times that of placebo (141.6 vs. 21.3).', [
            ('miscomputed derivation', '6.6 times', '7.6 times', '7.6'),
            ('wrong statistic', '141.6', '176.1'),
        ]),
    ],
}
