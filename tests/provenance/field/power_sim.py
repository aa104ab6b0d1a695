{
    "domain": 'power simulation',
    "question": 'How many participants do I need per group to detect a difference of 4 points (SD 10) with 80% power? Please simulate.',
    "cells": [
r"""import numpy as np
def power(n, delta=4, sd=10, reps=1500, seed=10):
    rng = np.random.default_rng(seed)
    a = rng.normal(0, sd, (reps, n)); b = rng.normal(delta, sd, (reps, n))
    se = np.sqrt(a.var(1, ddof=1) / n + b.var(1, ddof=1) / n)
    t = (b.mean(1) - a.mean(1)) / se
    return (np.abs(t) > 1.98).mean()
for n in (20, 40, 60, 80, 100, 120, 140):
    print(f"n={n:<4} power={power(n):.3f}")""",
r"""print("no effect at all, n=100:", power(100, delta=0).round(4))
for n in (90, 95, 100, 105, 110):
    print(n, power(n, reps=4000, seed=11).round(3))""",
r"""print("with sd 12 instead of 10:")
for n in (100, 120, 140, 160):
    print(n, power(n, sd=12, reps=4000, seed=12).round(3))
print("with delta 3, n=100:", power(100, delta=3, reps=4000, seed=12).round(3))""",
    ],
    "answers": [
        ('summary of an analysis', "You need roughly 100 people per group, 200 altogether. With 100 each the first simulation gave a power of 80.8 %, the finer one (4,000 runs) 79.8 %; at 105 it is 82.0 %. With only 40 per group you would find the effect in just 46 % of studies. If the SD is really 12, you'd need about 140 per group.", [
            ('stale value', 'finer one (4,000 runs) 79.8 %', 'finer one (4,000 runs) 65.3 %', '65.3'),
            ('swapped entity', 'just 46 %', 'just 58.8 %', '58.8'),
            ('miscomputed derivation', '200 altogether', '300 altogether', '300'),
            ('number of something else', 'about 140 per', 'about 120 per', '120'),
        ]),
        ('plain', 'With an SD of 12 and 100 per group the power is 65.3 %.', [
            ('stale value', '65.3', '79.8'),
            ('stale value', '65.3', '80.8'),
            ('swapped entity', '65.3', '73.6'),
            ('number of something else', '65.3', '56.7'),
        ]),
        ('percent', 'When there is no effect, 4.2 % of the tests come out significant, close to the nominal 5 %.', [
            ('scale', '4.2 %', '42 %', '42'),
            ('digit', '4.2', '2.4'),
            ('number of something else', '4.2', '19.2'),
        ]),
        ('derived', 'Doubling the group size from 40 to 80 raises power by about 24 percentage points, from 46.0 % to 70.4 %.', [
            ('miscomputed derivation', '24 percentage', '34 percentage', '34'),
            ('swapped entity', 'to 70.4', 'to 80.8', '80.8'),
            ('digit', '70.4', '74.0'),
        ]),
        ('plain', 'If the true difference were only 3 points, 100 per group would give 56.7 %.', [
            ('stale value', '56.7', '65.3'),
            ('digit', '56.7', '57.6'),
            ('scale', '56.7 %', '0.567 %', '0.567'),
        ]),
        ('list or table', '| n per group | Power |\n|---|---|\n| 20 | 24.5 % |\n| 60 | 58.8 % |\n| 100 | 80.8 % |\n| 140 | 91.3 % |', [
            ('swapped entity', '58.8', '70.4'),
            ('stale value', '91.3', '80.2'),
            ('digit', '24.5', '25.4'),
        ]),
        ('plain', "At 105 per group you're safely above 80 %, with 82.0 %; 95 is not quite enough at 79.1 %.", [
            ('swapped entity', '82.0', '84.4'),
            ('swapped entity', '79.1', '76.4'),
            ('digit', '79.1', '71.9'),
        ]),
    ],
}
