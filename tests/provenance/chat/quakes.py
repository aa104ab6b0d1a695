{
    "domain": "earthquake catalogue",
    "question": "Here's my little catalogue of quakes from the swarm. How many were M4 or larger, what was the biggest, and what b-value do you get (Mc = 2.5)?",
    "cells": [
r"""import numpy as np
rng = np.random.default_rng(7)
mag = np.round(2.5 + rng.exponential(0.43, 412), 1)
depth = np.round(rng.gamma(6, 1.6, 412), 1)
len(mag), mag.max(), int((mag >= 4).sum())""",
r"""mc, dm = 2.5, 0.1
b = np.log10(np.e) / (mag.mean() - (mc - dm / 2))
print("mean magnitude", mag.mean())
print("b =", b, "+/-", b / np.sqrt(len(mag)))""",
r"""for lo, hi in [(0, 5), (5, 10), (10, 15), (15, 99)]:
    k = (depth >= lo) & (depth < hi)
    print(f"{lo:>2}-{hi:<2} km  n={k.sum():>3}  mean M {mag[k].mean():.2f}  max M {mag[k].max():.1f}")
print("depth of the largest:", depth[mag.argmax()], "km; median depth", np.median(depth), "km")"""],
    "answers": [
        ("plain", "15 of the 412 quakes reached magnitude 4 or more; the largest was an M5.6.", [
            ("swapped entity", "M5.6", "M4.8", "4.8"),
            ("number of something else", "15 of the", "35 of the", "35"),
        ]),
        ("constants of a method", "Using Mc = 2.5 and a bin width of 0.1, the maximum-likelihood b-value is 0.88 ± 0.04.", [
            ("typed literal", "is 0.88", "is 0.43", "0.43"),
            ("question number given as result", "is 0.88 ±", "is 2.5 ±", "2.5 ±"),
        ]),
        ("fractions in words", "More than half of the events (233 of 412) were between 5 and 10 km deep, and about two thirds were shallower than 10 km.", [
            ("digit", "(233 of", "(323 of", "323"),
            ("swapped entity", "(233 of", "(99 of", "99"),
        ]),
        ("inequalities", "The b-value of 0.88 is clearly below 1, and not a single quake went beyond magnitude 6.", [
            ("wrong statistic", "0.88", "0.04"),
            ("sign or direction", "below 1", "above 1", ["0.88", "above 1"]),
        ]),
        ("percent", "3.6% of the quakes were M4 or larger.", [
            ("scale", "3.6%", "36%"),
            ("number of something else", "3.6%", "8.5%"),
        ]),
        ("summary of an analysis", "I looked at 412 events. The mean magnitude is 2.94 and the b-value 0.88 ± 0.04. The largest shock, an M5.6, happened at 8.9 km, close to the median depth of 8.6 km. Below 15 km there were only 35 events, none above M4.4.", [
            ("swapped entity", "none above M4.4", "none above M4.1", "4.1"),
            ("invented", "only 35 events", "only 27 events", "27"),
            ("digit", "M5.6", "M6.5", "6.5"),
        ]),
    ],
}
