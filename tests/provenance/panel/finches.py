{
    "domain": "field biology",
    "question": "Summarise the bird measurements by island. Is body mass related to beak depth?",
    "cells": [
r"""
import numpy as np, pandas as pd
rng = np.random.default_rng(2024)
spec = {"North": (38, 9.1, 15.8), "Crater": (27, 10.6, 18.4), "Lagoon": (45, 8.4, 14.1)}
rows = []
for island, (n, depth, mass) in spec.items():
    d = rng.normal(depth, 0.7, n)
    m = mass + 1.3 * (d - depth) + rng.normal(0, 1.1, n)
    rows += [(island, round(a, 2), round(b, 1)) for a, b in zip(d, m)]
birds = pd.DataFrame(rows, columns=["island", "beak_depth_mm", "mass_g"])
print(birds.describe().round(3))
print(birds.groupby("island").agg(["count", "mean", "std"]).round(2))
""",
r"""
r = birds.beak_depth_mm.corr(birds.mass_g)
slope, icpt = np.polyfit(birds.beak_depth_mm, birds.mass_g, 1)
print(f"r = {r:.3f}, r2 = {r * r:.3f}, slope = {slope:.3f} g/mm, intercept = {icpt:.2f} g")
for name, g in birds.groupby("island"):
    print(name, round(g.beak_depth_mm.corr(g.mass_g), 3))
print("heavier than 18 g:", (birds.mass_g > 18).sum())
print("ANOVA of mass across islands: F = 142.6, measurement error 2.4 %")
"""],
    "answers": [
        ("plain", "We have 110 birds averaging 15.65 g (SD 2.24) with a mean beak_depth_mm of 9.24.", [
            ("wrong column", "SD 2.24", "SD 1.08", "1.08"),
            ("digit", "9.24", "9.42"),
        ]),
        ("plain", "Crater birds are the heaviest (18.15 g on average), Lagoon birds the lightest at 13.93 g.", [
            ("swapped entity", "18.15 g on average), Lagoon birds the lightest at 13.93 g", "13.93 g on average), Lagoon birds the lightest at 18.15 g", ["13.93", "18.15"]),
            ("digit", "18.15", "18.51"),
        ]),
        ("derived", "Crater birds weigh about 30% more than Lagoon birds, a gap of roughly 4.2 g.", [
            ("miscomputed derivation", "4.2 g", "5.2 g"),
            ("miscomputed derivation", "30%", "40%"),
            ("sign or direction", "30% more", "30% less", "30%"),
        ]),
        ("plain", "Within the islands the correlation is weaker: 0.63 on Crater, 0.71 on North, 0.72 on Lagoon.", [
            ("swapped entity", "0.63 on Crater, 0.71 on North", "0.71 on Crater, 0.63 on North", ["0.71", "0.63"]),
            ("rounding", "0.71", "0.70"),
        ]),
        ("counted", "15 of the 110 birds (13.6%) tip the scales at over 18 g.", [
            ("number of something else", "15 of", "27 of"),
            ("miscomputed derivation", "13.6%", "16.3%"),
        ]),
        ("fractions in words", "With R² = 0.74, beak depth explains about three quarters of the variance in mass.", [
            ("wrong statistic", "0.74", "0.86"),
            ("typed literal", "in mass.", "in mass; the ANOVA gave F = 142.6.", "142.6"),
        ]),
        ("summary of an analysis", "Yes, the two are closely related: r = 0.86, and each extra millimetre of beak depth goes with about 1.8 g more body mass. Beaks range from 6.40 to 12.17 mm and masses from 9.6 to 20.9 g. Lagoon contributed most birds (45), Crater fewest (27).", [
            ("sign or direction", "1.8 g more", "1.8 g less", "1.8"),
            ("wrong column", "6.40 to 12.17", "6.40 to 20.90", "20.90"),
            ("typed literal", "Crater fewest (27)", "Crater fewest (27), and the measurement error is 2.4 %", "2.4 %"),
        ]),
    ],
}
