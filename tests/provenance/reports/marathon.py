{
    "domain": 'marathon results',
    "question": 'race.csv has both half splits (in minutes) of our 400 finishers. Typical times, how much do people slow down in the second half, and does age matter?',
    "cells": [
r'''import numpy as np, pandas as pd
rng = np.random.default_rng(42)
n = 400
first = rng.normal(118, 14, n).clip(72, 170)
fade = rng.gamma(2.2, 4.0, n) - 1.5
age = rng.integers(19, 68, n)
pd.DataFrame({"bib": np.arange(1, n + 1), "age": age, "half1": first.round(2), "half2": (first + fade).round(2)}).to_csv("race.csv", index=False)
r = pd.read_csv("race.csv")
r["total"] = r.half1 + r.half2
r["split"] = r.half2 - r.half1
r[["half1", "half2", "total", "split"]].describe().round(2)''',
r'''def hms(m):
    s = int(round(m * 60)); return f"{s//3600}:{s%3600//60:02d}:{s%60:02d}"
print("winner", r.loc[r.total.idxmin(), "bib"], hms(r.total.min()))
print("median", hms(r.total.median()), " last", hms(r.total.max()))
print("sub-3:", (r.total < 180).sum(), " sub-4:", (r.total < 240).sum(), " negative splits:", (r.split < 0).sum())''',
r'''r["group"] = pd.cut(r.age, [0, 29, 39, 49, 59, 99], labels=["<30", "30s", "40s", "50s", "60+"])
r.groupby("group").agg(n=("bib", "size"), mean_total=("total", "mean"), mean_split=("split", "mean")).round(1)''',
    ],
    "answers": [
        ('summary of an analysis', 'The median finisher needed 4:04:07; the winner (bib 294) took 2:52:20 and the last runner 5:46:47. Runners were on average 6.9 minutes slower in the second half, and only 14 of 400 (3.5%) ran a negative split. Age hardly matters: group means range only from 240.5 to 244.5 minutes.', [
            ('digit', '4:04:07', '4:40:07'),
            ('wrong statistic', 'average 6.9 minutes', 'average 9.8 minutes', '9.8'),
            ('miscomputed derivation', '(3.5%)', '(5.6%)', '5.6%'),
            ('swapped entity', 'to 244.5 minutes', 'to 247.5 minutes', '247.5'),
        ]),
        ('counted', 'Three runners finished in under three hours and 180 in under four, which is 45% of the field.', [
            ('miscomputed derivation', '45% of the field', '54% of the field', '54%'),
            ('digit', 'and 180 in', 'and 108 in', '108'),
        ]),
        ('plain', 'First half: 117.9 minutes on average (SD 13.3). Second half: 124.9 minutes (SD 14.8). The biggest fade was 40.3 minutes.', [
            ('wrong statistic', 'Second half: 124.9', 'Second half: 133.7', '133.7'),
            ('swapped entity', '(SD 14.8)', '(SD 27.6)', '27.6'),
            ('digit', '40.3 minutes', '43.0 minutes', '43.0'),
        ]),
        ('derived', 'Half of the field came in between 223.8 and 259.5 minutes, a window of about 36 minutes. Between first and last lay almost three hours (174 minutes).', [
            ('miscomputed derivation', 'about 36 minutes', 'about 46 minutes', '46'),
            ('miscomputed derivation', '(174 minutes)', '(147 minutes)', '147'),
            ('wrong column', 'between 223.8', 'between 114.9', '114.9'),
        ]),
        ('list or table', '- <30: 98 runners, mean 243.4 min, fade 8.1 min\n- 30s: 74 runners, mean 240.5 min, fade 5.8 min\n- 40s: 82 runners, mean 243.8 min, fade 6.5 min\n- 50s: 64 runners, mean 241.0 min, fade 7.5 min\n- 60+: 82 runners, mean 244.5 min, fade 6.5 min', [
            ('digit', '74 runners', '47 runners', '47'),
            ('swapped entity', 'fade 7.5 min', 'fade 5.7 min', '5.7'),
            ('digit', 'mean 243.8', 'mean 248.3', '248.3'),
        ]),
        ('inequalities', 'The under-30s fade the most, 8.1 minutes compared with 5.8 for runners in their 30s. The typical (median) slowdown is below 6 minutes, and a quarter of the runners lost less than 3.', [
            ('swapped entity', 'with 5.8 for', 'with 6.5 for', '6.5'),
            ('wrong statistic', 'is below 6 minutes', 'is above 6 minutes', '6 minutes'),
            ('digit', 'most, 8.1 minutes', 'most, 8.7 minutes', '8.7'),
        ]),
    ],
}
