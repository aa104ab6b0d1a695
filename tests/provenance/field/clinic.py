{
"domain": "hospital waiting times",
"question": "Waiting times in the emergency department by triage level, old process versus new process?",
"cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(8)
rows = []
for proc, k in (("old", 1.0), ("new", 0.78)):
    for lvl, mean, n in ((1, 4, 40), (2, 14, 130), (3, 52, 310), (4, 95, 240), (5, 120, 80)):
        for w in rng.gamma(3, mean / 3 * (k if lvl > 2 else 1), n):
            rows.append((proc, lvl, round(w)))
w = pd.DataFrame(rows, columns=["process", "level", "wait"])
print(w.groupby(["level", "process"]).wait.agg(["count", "mean", "median", "max"]).round(1))""",
r"""o = w.groupby("process").wait.agg(["mean", "median"]).round(1)
print(o)
print("over 4 hours:", w[w.wait > 240].groupby("process").size().to_dict(), "of", w.groupby("process").size().to_dict())""",
],
"answers": [
("derived", "The mean wait fell by 10.4 minutes, from 61.4 to 51.0, which is 17% less.", [
    ("miscomputed derivation", "17%", "27%", "27"),
    ("sign or direction", "from 61.4 to 51.0", "from 51.0 to 61.4", ["51.0", "61.4"]),
    ("miscomputed derivation", "10.4", "11.4"),
    ("sign or direction", "mean wait fell by 10.4", "mean wait rose by 10.4", "10.4"),
]),
("derived", "Level 3 patients wait 41.4 minutes on average now, 11.8 less than before.", [
    ("wrong statistic", "41.4", "36.0"),
    ("sign or direction", "11.8 less", "11.8 more", "11.8"),
    ("swapped entity", "41.4", "76.4"),
    ("miscomputed derivation", "11.8", "12.8"),
]),
("counted", "Waits over 4 hours went from 10 down to 3 out of 800, 7 fewer.", [
    ("miscomputed derivation", "7 fewer", "6 fewer", "6"),
    ("sign or direction", "7 fewer", "7 more", "7"),
    ("swapped entity", "from 10 down to 3", "from 3 up to 10", ["3", "10"]),
]),
("summary of an analysis", "The gain is largest where people wait longest. Level 5 went from 119.4 to 96.9 minutes on average (22.5 less, 19%), level 4 from 87.7 to 76.4 (11.3 less) and level 3 from 53.2 to 41.4, a decrease of 22%. The urgent levels 1 and 2 changed by less than a minute. The overall median dropped from 50 to 39 minutes, and only 0.4% instead of 1.25% of patients waited more than four hours; the longest wait at level 5 fell from 398 to 261 minutes.", [
    ("miscomputed derivation", "22.5 less", "32.5 less", "32.5"),
    ("swapped entity", "from 87.7 to 76.4 (11.3 less)", "from 76.4 to 87.7 (11.3 less)", ["76.4", "87.7"]),
    ("sign or direction", "fell from 398 to 261", "rose from 398 to 261", ["398", "261"]),
    ("miscomputed derivation", "1.25%", "2.15%", "2.15"),
]),
("list or table", '''Change in the mean wait (minutes), new minus old:

- Level 1: -0.1
- Level 2: -0.7
- Level 3: -11.8
- Level 4: -11.3
- Level 5: -22.5

One exception by median: level 1 rose from 3.0 to 3.5.''', [
    ("sign or direction", "-0.7", "+0.7"),
    ("miscomputed derivation", "-22.5", "-31.7"),
    ("sign or direction", "level 1 rose from 3.0 to 3.5", "level 1 fell from 3.0 to 3.5", ["3.0", "3.5"]),
    ("miscomputed derivation", "-11.3", "-13.1"),
]),
("derived", "A level 3 patient used to wait 3.8 times as long as one at level 2; now it's 3.1 times (41.4 against 13.4 minutes).", [
    ("miscomputed derivation", "3.8 times", "4.8 times", "4.8"),
    ("swapped entity", "(41.4 against 13.4 minutes)", "(13.4 against 41.4 minutes)", ["13.4", "41.4"]),
    ("miscomputed derivation", "3.1 times", "2.7 times", "2.7"),
]),
]
}
