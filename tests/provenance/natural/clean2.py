{
    "domain": 'clean2',
    "question": 'Clean the sensor file and tell me what remains.',
    "cells": [
        r"""
import pandas as pd, numpy as np
rng = np.random.default_rng(21)
df = pd.DataFrame({"sensor": rng.choice(list("ABC"), 400), "value": rng.normal(50, 6, 400).round(2)})
df.loc[rng.choice(400, 17, replace=False), "value"] = np.nan
df.loc[[5, 60, 200], "value"] = [999.0, -999.0, 999.0]
df = pd.concat([df, df.iloc[:12]])
print("rows:", len(df), "missing:", df["value"].isna().sum(), "duplicates:", df.duplicated().sum())
print("mean:", round(df["value"].mean(), 2))
""",
        r"""
df = df.drop_duplicates().dropna()
df = df[df["value"].between(0, 100)]
print("rows:", len(df), "missing:", df["value"].isna().sum(), "duplicates:", df.duplicated().sum())
print("mean:", round(df["value"].mean(), 2))
print(df.groupby("sensor")["value"].agg(["size", "mean", "std"]).round(2))
""",
    ],
    "answers": [
        ('plain', 'After cleaning, 366 rows remain, with a mean of 50.25.', [
            ('stale value', '366', '412'),
            ('stale value', '50.25', '54.74'),
            ('digit', '366', '336'),
        ]),
        ('derived', 'I removed 46 of the 412 rows (11.2 %).', [
            ('miscomputed derivation', '46 of', '64 of', '64'),
            ('miscomputed derivation', '11.2 %', '12.1 %'),
        ]),
        ('plain', 'Before that there were 19 missing values and 40 duplicates, and the mean was distorted (54.74).', [
            ('digit', '19', '91'),
            ('swapped entity', '19 missing values and 40 duplicates', '40 missing values and 19 duplicates', ['40', '19']),
        ]),
        ('plain', 'Sensor B has the most readings (127) and the highest mean (50.81); sensor C varies most with a standard deviation of 6.08.', [
            ('swapped entity', '127', '119'),
            ('swapped entity', '50.81', '50.54'),
            ('wrong statistic', '6.08', '49.36'),
            ('swapped entity', '6.08', '5.76'),
        ]),
    ],
}
