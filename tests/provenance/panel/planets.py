{
    "domain": "astronomy",
    "question": "Check Kepler's third law on these planets, and how far is Neptune compared with Earth in light time?",
    "cells": [
r"""
import numpy as np, pandas as pd
p = pd.DataFrame({"a_au": [0.3871, 0.7233, 1.0, 1.5237, 5.2029, 9.537, 19.189, 30.070],
                  "moons": [0, 0, 1, 2, 95, 146, 28, 16],
                  "radius_km": [2439.7, 6051.8, 6371.0, 3389.5, 69911, 58232, 25362, 24622]},
                 index=["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"])
p["period_yr"] = p.a_au ** 1.5
p["period_d"] = p.period_yr * 365.25
p["light_min"] = p.a_au * 499.005 / 60
p["v_kms"] = 2 * np.pi * p.a_au * 149597870.7 / (p.period_yr * 365.25 * 86400)
p["vol_earth"] = (p.radius_km / 6371) ** 3
print(p.round(3).to_string())
""",
r"""
print(p.moons.sum(), (p.moons > 20).sum(), p.moons.median())
k, c = np.polyfit(np.log(p.a_au), np.log(p.v_kms), 1)
print(round(k, 4), round(np.exp(c), 3))
"""],
    "answers": [
        ("plain", "Neptune is 30.07 AU out, so sunlight takes 250 minutes to get there, compared with 8.3 for Earth.", [
            ("swapped entity", "250", "160"),
            ("rounding", "8.3 for", "8.4 for", "8.4"),
        ]),
        ("units or currency", "Light needs a bit over 4 hours to reach Neptune, some 30 times as long as to Earth.", [
            ("miscomputed derivation", "4 hours", "6 hours", "6"),
            ("miscomputed derivation", "30 times", "13 times", "13"),
        ]),
        ("plain", "By Kepler's law a year lasts 11.87 Earth years on Jupiter and 29.45 on Saturn.", [
            ("swapped entity", "11.87 Earth years on Jupiter and 29.45 on Saturn", "29.45 Earth years on Jupiter and 11.87 on Saturn", ["29.45", "11.87"]),
            ("digit", "11.87", "18.17"),
            ("wrong column", "29.45", "79.32"),
        ]),
        ("constants of a method", "Orbital speed goes with the distance to the power of -0.5; Mercury does 47.9 km/s, Neptune only 5.4.", [
            ("swapped entity", "47.9", "35.0"),
            ("scale", "5.4", "54"),
            ("sign or direction", "-0.5", "0.5"),
        ]),
        ("counted", "Together they have 288 moons, just over half of them (146) around Saturn.", [
            ("swapped entity", "146", "95"),
            ("digit", "288", "268"),
        ]),
        ("small integers", "3 planets have more than 20 moons; the median is 9.", [
            ("number of something else", "than 20", "than 30", "30"),
            ("wrong statistic", "is 9", "is 36", "36"),
        ]),
        ("scale words", "Jupiter holds some 1.3 thousand Earth volumes, though its radius is only about 11 times as large.", [
            ("scale", "1.3 thousand", "13 thousand", "13"),
            ("miscomputed derivation", "11 times", "21 times", "21"),
        ]),
    ],
}
