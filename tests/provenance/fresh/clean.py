{
    "domain": "clean",
    "question": "Clean the orders file and tell me what you changed.",
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(43)
n = 1204
df = pd.DataFrame({"order_id": np.arange(n), "customer": rng.choice(["c%03d" % i for i in range(180)], n), "amount": rng.gamma(3, 27, n).round(2)})
df.loc[rng.choice(n, 57, replace=False), "amount"] = np.nan
df.loc[rng.choice(n, 9, replace=False), "amount"] = -1.0
df = pd.concat([df, df.sample(38, random_state=1)])
print("rows:", len(df))
print("missing amounts:", df.amount.isna().sum())
print("mean amount:", round(df.amount.mean(), 2))
''', '''
dup = df.duplicated().sum()
print("duplicates:", dup)
df = df.drop_duplicates()
neg = (df.amount < 0).sum()
print("negative amounts:", neg)
df = df[~(df.amount < 0)]
med = df.amount.median()
df["amount"] = df.amount.fillna(med)
print("filled with median", med)
print("rows:", len(df))
print("mean amount:", round(df.amount.mean(), 2))
print("customers:", df.customer.nunique())
'''],
    "answers": [
        ("summary of an analysis", "The file had 1,242 rows. I removed 38 duplicates and 9 orders with a negative amount and filled 57 missing amounts with the median, 72.77. 1,195 rows remain, from 180 customers, with a mean amount of 80.85.", [
            ("stale value", "mean amount of 80.85", "mean amount of 80.32", "80.32"),
            ("stale value", "1,195 rows remain", "1,242 rows remain", "1,242 rows remain"),
            ("swapped entity", "38 duplicates and 9 orders", "9 duplicates and 38 orders", ["9 duplicates", "38 orders"]),
            ("number of something else", "57 missing", "180 missing", "180 missing")]),
        ("plain", "The mean amount is now 80.85.", [
            ("stale value", "80.85", "80.32"),
            ("wrong statistic", "80.85", "72.77")]),
        ("derived", "In total 47 rows were dropped, 3.8 % of the file.", [
            ("miscomputed derivation", "47", "57"),
            ("miscomputed derivation", "3.8 %", "8.3 %")]),
        ("plain", "Cleaning raised the mean amount from 80.32 to 80.85.", [
            ("sign or direction", "raised", "lowered", ["80.32", "80.85"]),
            ("digit", "80.85", "80.58")]),
        ("derived", "That is about 6.6 orders per customer.", [
            ("miscomputed derivation", "6.6", "5.6")]),
    ],
}
