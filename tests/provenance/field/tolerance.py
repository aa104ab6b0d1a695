{
    "domain": 'engineering, tolerance stack-up',
    "question": 'Shaft and bearing stack: what clearance do I get worst case and statistically, and how many assemblies will be out of spec (0.05-0.35 mm)?',
    "cells": [
r"""import numpy as np
parts = {"housing": (48.60, 0.10), "bearing A": (14.00, 0.05), "spacer": (20.25, 0.08), "bearing B": (14.00, 0.05), "circlip": (0.15, 0.02)}
nom = parts["housing"][0] - sum(v[0] for k, v in parts.items() if k != "housing")
wc = sum(v[1] for v in parts.values())
rss = np.sqrt(sum(v[1]**2 for v in parts.values()))
print(f"nominal {nom:.3f} mm, worst case +-{wc:.3f} -> {nom-wc:.3f} .. {nom+wc:.3f}, RSS +-{rss:.4f}")""",
r"""rng = np.random.default_rng(99)
N = 100_000
x = {k: rng.normal(m, t/3, N) for k, (m, t) in parts.items()}
gap = x["housing"] - sum(v for k, v in x.items() if k != "housing")
out_lo, out_hi = (gap < 0.05).sum(), (gap > 0.35).sum()
print(f"mean {gap.mean():.4f} std {gap.std():.4f} min {gap.min():.3f} max {gap.max():.3f}")
print("too tight:", out_lo, "too loose:", out_hi, "ppm:", round((out_lo+out_hi)/N*1e6))""",
r"""sens = {k: round(100*(t/rss)**2, 1) for k, (m, t) in parts.items()}
print(sens)
cpk = min(gap.mean()-0.05, 0.35-gap.mean())/(3*gap.std())
print("Cpk", round(cpk, 3))""",
    ],
    "answers": [
        ('plain', 'Nominal clearance is 0.20 mm; worst case it ranges from -0.10 to 0.50 mm, statistically (RSS) ±0.15 mm.', [
            ('sign or direction', 'from -0.10', 'from 0.10', '0.10'),
            ('wrong statistic', '±0.15', '±0.30', '0.30'),
            ('scale', '0.20 mm', '2.0 mm', '2.0'),
            ('question number given as result', 'to 0.50 mm', 'to 0.35 mm', '0.35'),
        ]),
        ('counted', 'In the simulation 254 of 100,000 assemblies were out of spec, about 0.25%: 139 too tight and 115 too loose.', [
            ('miscomputed derivation', '254 of', '264 of', '264'),
            ('swapped entity', '139 too tight and 115 too loose', '115 too tight and 139 too loose', ['115', '139']),
            ('scale', '0.25%', '2.5%', '2.5'),
        ]),
        ('plain', 'Expect around 2,540 ppm rejects; Cpk is just 1.02.', [
            ('scale', '2,540 ppm', '254 ppm', '254'),
            ('digit', '2,540', '2,450'),
            ('invented', '1.02', '1.33'),
        ]),
        ('summary of an analysis', 'The worst-case stack gives a gap of 0.2 ± 0.3 mm, so in theory parts could even interfere by 0.1 mm. In 100,000 simulated assemblies the mean was 0.1999 mm with a standard deviation of 0.049, and the extremes were -0.024 and 0.396 mm. That puts 0.25% outside the limits of 0.05 to 0.35 mm. The housing contributes 46% of the variance and the spacer 29%, so tighten those first.', [
            ('swapped entity', 'spacer 29%', 'spacer 11.5%', '11.5'),
            ('wrong statistic', 'deviation of 0.049', 'deviation of 0.148', '0.148'),
            ('swapped entity', 'and 0.396', 'and 0.500', '0.500'),
            ('digit', '46% of', '64% of', '64'),
        ]),
        ('list or table', 'Share of the variance:\n\n1. Housing 45.9%\n2. Spacer 29.4%\n3. Bearings 11.5% each\n4. Circlip 1.8%\n\nThe two bearings together account for 23%.', [
            ('miscomputed derivation', '23%', '33%', '33'),
            ('digit', '45.9%', '49.5%', '49.5'),
            ('scale', '1.8%', '18%', '18'),
        ]),
        ('derived', 'The statistical tolerance is about half the arithmetic one (0.148 vs 0.300 mm).', [
            ('wrong statistic', '0.148', '0.049'),
            ('typed literal', '0.300 mm', '0.350 mm', '0.350'),
        ]),
    ],
}
