{
    "domain": 'physics, radioactive decay counting',
    "question": 'Counts per minute of a short-lived source, measured every two minutes, background 38 per minute. Half-life with uncertainty?',
    "cells": [
r"""import numpy as np
rng = np.random.default_rng(137)
t = np.arange(0, 21, 2)
counts = rng.poisson(2400 * 0.5 ** (t / 2.55) + 38)
for a, b in zip(t, counts): print(f"{a:3d} min  {b:5d}")""",
r"""bg = 38
raw = np.log(2) / -np.polyfit(t, np.log(counts), 1)[0]
print("half-life without background correction: %.2f min" % raw)
net = counts - bg
keep = net > 3 * np.sqrt(counts)
print("points used:", keep.sum(), "of", len(t), "net:", net.tolist())""",
r"""x, y = t[keep], np.log(net[keep])
w = net[keep] / np.sqrt(counts[keep])
(p, c), cov = np.polyfit(x, y, 1, w=w, cov="unscaled")
hl = np.log(2) / -p
err = hl * np.sqrt(cov[0, 0]) / -p
print(f"half-life {hl:.3f} +- {err:.3f} min, lambda {-p:.4f} per min, N0 {np.exp(c):.0f}")
print("remaining after 10 min: %.1f %%" % (100 * np.exp(p * 10)))""",
    ],
    "answers": [
        ('plain', 'Half-life: 2.52 ± 0.04 min.', [
            ('stale value', '2.52', '3.38'),
            ('scale', '0.04', '0.4'),
            ('typed literal', '2.52', '2.55'),
        ]),
        ('derived', "Without the background correction you'd have got 3.38 min, about a third too long.", [
            ('digit', '3.38', '3.83'),
            ('number of something else', '3.38', '2.52'),
        ]),
        ('summary of an analysis', 'The counts fall from 2,498 to 42 per minute over 20 minutes, at which point almost everything is background (38 per minute). I therefore used only the 9 of 11 points that exceed three standard deviations after subtraction. The weighted fit gives a decay constant of 0.275 per minute and a half-life of 2.52 min with an error of 1.6%.', [
            ('number of something else', 'the 9 of 11', 'the 10 of 11', '10'),
            ('digit', '2,498', '2,948'),
            ('wrong column', '0.275', '0.041'),
            ('miscomputed derivation', '1.6%', '2.6%', '2.6'),
        ]),
        ('percent', 'After ten minutes 6.4% of the nuclei are left, i.e. nearly 94% have decayed.', [
            ('scale', '6.4%', '0.064%', '0.064'),
            ('miscomputed derivation', '94%', '84%', '84'),
            ('digit', '6.4%', '4.6%', '4.6'),
        ]),
        ('list or table', '| Time (min) | Counts | Net |\n|---|---|---|\n| 0 | 2498 | 2460 |\n| 2 | 1424 | 1386 |\n| 4 | 844 | 806 |\n| 6 | 512 | 474 |\n| 8 | 277 | 239 |\n| 10 | 212 | 174 |', [
            ('digit', '| 474 |', '| 447 |', '447'),
            ('swapped entity', '| 239 |', '| 102 |', '102'),
            ('rounding', '1386', '1387'),
        ]),
        ('plain', 'The fitted initial rate is 2,436 counts per minute, a bit below the 2,460 you measured.', [
            ('typed literal', '2,436', '2,400'),
            ('swapped entity', 'the 2,460', 'the 1,386', '1,386'),
            ('sign or direction', 'a bit below the 2,460', 'a bit above the 2,460', ['2,460', '2,436']),
        ]),
    ],
}
