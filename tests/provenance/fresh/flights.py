{
    "domain": "flights",
    "question": "How punctual are flights by airline and weekday?",
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(61)
n = 2400
df = pd.DataFrame({"airline": rng.choice(["SkyJet","Nordair","Globe"], n, p=[.5,.3,.2]), "day": rng.choice(["Mon","Tue","Wed","Thu","Fri","Sat","Sun"], n), "delay": rng.exponential(14, n).round(0) - 4})
df.loc[df.airline=="Globe", "delay"] += 6
df["late"] = df.delay > 15
a = df.groupby("airline").agg(flights=("delay","size"), mean_delay=("delay","mean"), median_delay=("delay","median"), late_share=("late","mean")).round(3)
print(a)
w = df.groupby("day").late.mean().mul(100).round(1)
print(w.sort_values())
print("late flights:", int(df.late.sum()), f"({df.late.mean():.1%})")
'''],
    "answers": [
        ("summary of an analysis", "SkyJet operates half of the flights (1,195), Nordair 724 and Globe 481. Globe is by far the least punctual: 38.7 % of its flights are late, with a mean delay of 16.05 minutes. Overall 669 flights, i.e. 27.9 %, were more than 15 minutes late.", [
            ("swapped entity", "Nordair 724 and Globe 481", "Nordair 481 and Globe 724", ["481", "724"]),
            ("wrong statistic", "mean delay of 16.05", "mean delay of 12.0", "12.0"),
            ("swapped entity", "38.7 %", "26.2 %"),
            ("digit", "669", "696")]),
        ("plain", "Saturday is the worst day (29.5 % late), Tuesday the best (25.4 %).", [
            ("swapped entity", "(29.5 % late), Tuesday the best (25.4 %)", "(25.4 % late), Tuesday the best (29.5 %)", ["25.4 %", "29.5 %"]),
            ("swapped entity", "29.5 %", "28.9 %")]),
        ("derived", "A Globe flight is 15.2 percentage points more likely to be late than a Nordair flight.", [
            ("miscomputed derivation", "15.2", "12.5"),
            ("sign or direction", "more likely", "less likely", "15.2")]),
        ("derived", "Globe's average delay is 6.06 minutes longer than Nordair's.", [
            ("miscomputed derivation", "6.06", "5.80"),
            ("sign or direction", "longer", "shorter", "6.06")]),
        ("derived", "1,731 flights were on time.", [
            ("miscomputed derivation", "1,731", "1,713")]),
        ("percent", "Globe has only 20.0 % of the flights.", [
            ("miscomputed derivation", "20.0 %", "30.2 %")]),
        ("plain", "The median delay is 6 minutes for Nordair and SkyJet and 12 for Globe.", [
            ("swapped entity", "12 for Globe", "16 for Globe", "16")]),
    ],
}
