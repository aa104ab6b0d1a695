{
    "domain": "rainfall climatology",
    "question": "Compare the rain of 2023 with the 1991-2020 normal at my station. Which months were off the most?",
    "cells": [
r"""import pandas as pd
months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
normal = pd.Series([52.1, 43.8, 47.0, 38.6, 61.9, 68.4, 79.5, 74.2, 56.3, 55.0, 53.7, 58.9], index=months)
y2023 = pd.Series([71.4, 18.2, 88.9, 51.7, 33.0, 24.6, 97.3, 112.8, 21.5, 83.1, 104.4, 90.6], index=months)
t = pd.DataFrame({"normal": normal, "2023": y2023, "diff": y2023 - normal, "pct": (y2023 / normal * 100).round()})
print(t.to_string(float_format="%.1f"))""",
r"""print(f"total 2023: {y2023.sum():.1f} mm, normal {normal.sum():.1f} mm, ratio {y2023.sum() / normal.sum():.3f}")
print("wettest", y2023.idxmax(), "driest", y2023.idxmin())
int((y2023 > normal).sum())"""],
    "answers": [
        ("percent", "2023 brought 797.5 mm, 16% more than the normal 689.4 mm.", [
            ("sign or direction", "16% more", "16% less", "16%"),
            ("miscomputed derivation", "16% more", "26% more", "26%"),
        ]),
        ("plain", "August was the wettest month with 112.8 mm, February the driest with 18.2.", [
            ("wrong column", "112.8", "74.2"),
            ("swapped entity", "18.2", "21.5"),
        ]),
        ("counted", "8 of the 12 months were wetter than normal.", [
            ("number of something else", "8 of", "4 of", "4"),
            ("sign or direction", "wetter than", "drier than", "8 of"),
        ]),
        ("units or currency", "June was short of 43.8 mm, the largest deficit of the year.", [
            ("wrong column", "43.8", "24.6"),
            ("swapped entity", "43.8", "34.8"),
        ]),
        ("inequalities", "November got nearly twice its usual amount, more than 50 mm extra.", [
            ("invented", "more than 50 mm", "more than 60 mm", "60"),
            ("sign or direction", "more than 50 mm extra", "more than 50 mm too little", "50"),
        ]),
        ("constants of a method", "Measured against the 1991-2020 normal, 2023 was 108.1 mm too wet.", [
            ("miscomputed derivation", "108.1", "118.1"),
            ("typed literal", "108.1", "104.4"),
        ]),
        ("summary of an analysis", "The year was wet: 797.5 mm against a normal of 689.4. November stands out with 104.4 mm (194% of normal), followed by March with 189%. May and June together had only 57.6 mm instead of 130.3, and September reached 38%.", [
            ("miscomputed derivation", "130.3", "120.3"),
            ("wrong column", "104.4 mm", "53.7 mm", "53.7"),
            ("swapped entity", "38%", "36%"),
        ]),
    ],
}
