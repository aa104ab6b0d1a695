{
    "domain": "git history",
    "question": "who committed most in the last quarter, and how big are our commits? leave out anything over 2000 lines, that's vendored code",
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(21)
who = rng.choice(["mara", "jonas", "li", "sam", "priya"], 640, p=[.31, .24, .2, .15, .1])
lines = np.ceil(rng.lognormal(3.2, 1.4, 640)).astype(int)
hour = rng.choice(24, 640, p=np.r_[np.full(7, .005), np.full(12, .07), np.full(5, .025)])
log = pd.DataFrame({"who": who, "lines": lines, "hour": hour})
log.lines.describe()""",
r"""log = log[log.lines <= 2000]
log.lines.describe().round(1)""",
r"""log.who.value_counts().to_dict()""",
r"""log.groupby("who").lines.agg(["median", "sum", "max"])""",
r"""night = ((log.hour >= 20) | (log.hour < 7)).sum()
print(night, "commits between 20:00 and 07:00,", f"{night / len(log):.1%}")
print("over 500 lines:", (log.lines > 500).sum(), "; single-line:", (log.lines == 1).sum())"""],
    "answers": [
        ("plain", "Mara committed most, 206 times, followed by Jonas with 148.", [
            ("stale value", "206", "207"),
            ("swapped entity", "148", "133"),
        ]),
        ("plain", "A typical commit has 25 lines (median); the mean is 57.7.", [
            ("stale value", "57.7", "68.2"),
            ("wrong statistic", "57.7", "103.8"),
        ]),
        ("counted", "3 vendored commits dropped out, which leaves 637.", [
            ("stale value", "637", "640"),
            ("question number given as result", "637", "2000"),
        ]),
        ("percent", "12.4% of the commits were made between 20:00 and 07:00.", [
            ("scale", "12.4%", "1.24%"),
            ("invented", "12.4%", "17.9%"),
        ]),
        ("inequalities", "Only 4 commits have more than 500 lines, the biggest has 1,433.", [
            ("stale value", "1,433", "2,819"),
            ("typed literal", "1,433", "2,000"),
        ]),
        ("summary of an analysis", "637 commits are left without the vendored code. Mara leads with 206 (32%), Jonas has 148. Half of all commits change 25 lines or fewer, three quarters at most 66. Mara also wrote the most lines, 10,924, while Li's 133 commits add up to 9,739.", [
            ("stale value", "at most 66", "at most 67", "67"),
            ("typed literal", "(32%)", "(31%)", "31%"),
            ("wrong column", "9,739", "1,433"),
        ]),
        ("fractions in words", "Mara and Jonas together account for 354 of the commits, well over half.", [
            ("miscomputed derivation", "354", "344"),
        ]),
        ("scale words", "Without the vendored code the team touched nearly 37 thousand lines, 10.9 thousand of them Mara's.", [
            ("stale value", "10.9 thousand", "13.0 thousand", "13.0"),
            ("scale", "37 thousand", "3.7 thousand", "3.7"),
        ]),
    ],
}
