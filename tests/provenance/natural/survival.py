{
    "domain": 'survival',
    "question": 'How long do the pumps last?',
    "cells": [
        r"""
import numpy as np
rng = np.random.default_rng(3)
groups = {}
for name, scale in (("ceramic", 2400), ("steel", 1500)):
    t = np.sort(rng.weibull(1.6, 40) * scale).round(0)
    groups[name] = t
    print(f"{name}: n={len(t)} median={np.median(t):.0f} h mean={t.mean():.0f} h min={t.min():.0f} h max={t.max():.0f} h")
    for h in (500, 1000, 2000):
        print(f"  survived {h} h: {(t > h).sum()} ({(t > h).mean():.1%})")
""",
    ],
    "answers": [
        ('plain', 'Ceramic pumps last longer: their median life is 1,782 hours against 1,238 for steel.', [
            ('swapped entity', '1,782 hours against 1,238', '1,238 hours against 1,782', ['1,238', '1,782']),
            ('wrong statistic', '1,782', '2,037'),
            ('digit', '1,238', '1,328'),
        ]),
        ('plain', 'After 1,000 hours 77.5 % of the ceramic and 60 % of the steel pumps were still running.', [
            ('swapped entity', '77.5 %', '47.5 %'),
            ('digit', '60 %', '66 %'),
        ]),
        ('plain', 'Only 11 of the 40 steel pumps made it past 2,000 hours, but 19 of the ceramic ones did.', [
            ('swapped entity', '11 of', '24 of', '24 of'),
            ('digit', '19 of', '17 of', '17 of'),
        ]),
        ('derived', 'The median life of ceramic is thus 44 % longer.', [
            ('miscomputed derivation', '44 %', '54 %'),
            ('sign or direction', 'longer', 'shorter', '44 %'),
        ]),
        ('derived', 'On average they run 552 hours longer (2,037 vs. 1,485).', [
            ('miscomputed derivation', '552', '525'),
            ('wrong statistic', '2,037 vs.', '1,782 vs.', '1,782'),
        ]),
        ('derived', 'Nine of the ceramic pumps failed within the first 1,000 hours, 16 of the steel ones.', [
            ('miscomputed derivation', 'Nine', '7'),
            ('miscomputed derivation', '16 of', '12 of', '12 of'),
        ]),
        ('plain', 'Interestingly, the earliest failure was a ceramic pump (after 46 hours), whereas no steel pump failed before 305 hours.', [
            ('digit', '46', '64'),
            ('digit', '305', '350'),
        ]),
    ],
}
