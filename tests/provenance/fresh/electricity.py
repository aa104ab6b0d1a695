{
    "domain": "electricity",
    "question": "When and where do we use the most electricity?",
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(67)
idx = pd.date_range("2024-03-01", periods=24*28, freq="h")
h = idx.hour.values
df = pd.DataFrame({"office": (12 + 30*((h>=8)&(h<=18)) + rng.normal(0,2,len(idx))).round(1), "workshop": (5 + 48*((h>=6)&(h<=15)) + rng.normal(0,4,len(idx))).clip(0).round(1)}, index=idx)
print(df.sum().round(1))
print(df.groupby(df.index.hour).mean().round(1).loc[[3, 9, 12, 20]])
d = df.sum(axis=1).resample("D").sum()
print("peak day:", d.idxmax().date(), round(d.max(), 1))
print("daily mean:", round(d.mean(), 1), "daily std:", round(d.std(), 1))
print("cost at 0.31 EUR/kWh:", round(df.sum().sum()*0.31, 2))
'''],
    "answers": [
        ("summary of an analysis", "In four weeks the office used 17,347.2 kWh and the workshop 16,843.0 kWh. On average that is 1,221.1 kWh per day with a standard deviation of 21.7; the peak day was 23 March with 1,263.2 kWh. At 0.31 EUR/kWh the electricity cost 10,598.96 EUR.", [
            ("swapped entity", "office used 17,347.2 kWh and the workshop 16,843.0", "office used 16,843.0 kWh and the workshop 17,347.2", ["16,843.0", "17,347.2"]),
            ("wrong statistic", "1,221.1 kWh per day", "1,263.2 kWh per day", "1,263.2 kWh per day"),
            ("digit", "10,598.96", "10,958.96"),
            ("number of something else", "deviation of 21.7", "deviation of 12.6", "12.6")]),
        ("plain", "At noon the workshop draws 54.0 kWh per hour and the office 41.9.", [
            ("swapped entity", "54.0 kWh per hour and the office 41.9", "41.9 kWh per hour and the office 54.0", ["41.9", "54.0"]),
            ("wrong column", "54.0", "51.5")]),
        ("derived", "Together they used 34,190.2 kWh.", [
            ("miscomputed derivation", "34,190.2", "34,910.2")]),
        ("derived", "The office used 504.2 kWh more than the workshop.", [
            ("miscomputed derivation", "504.2", "540.2"),
            ("sign or direction", "more", "less", "504.2")]),
        ("scale words", "In total about 34.2 MWh were used.", [
            ("scale", "34.2 MWh", "34.2 GWh")]),
    ],
}
