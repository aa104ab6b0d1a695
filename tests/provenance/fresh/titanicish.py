{
    "domain": "titanicish",
    "question": "Which passengers survived, and what do age and class tell?",
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(7)
n = 240
df = pd.DataFrame({"pclass": rng.choice([1,2,3], n, p=[.24,.21,.55]), "sex": rng.choice(["male","female"], n, p=[.64,.36]),
  "age": rng.normal(30, 13, n).clip(1, 78).round(0), "fare": rng.gamma(2, 16, n).round(2)})
p = 0.12 + 0.5*(df.sex=="female") + 0.1*(3-df.pclass)
df["survived"] = (rng.random(n) < p).astype(int)
df.loc[rng.choice(n, 31, replace=False), "age"] = np.nan
print(df.shape)
print(df.isnull().sum())
print(df.describe().round(2))
''', '''
print(df.groupby("sex")["survived"].agg(["mean","sum","count"]).round(3))
print(df.groupby("pclass")["survived"].mean().round(3))
print("Overall survival rate:", round(df.survived.mean(), 3))
print("Median age of survivors:", df[df.survived==1].age.median(), "of the others:", df[df.survived==0].age.median())
'''],
    "answers": [
        ("summary of an analysis", "The data has 240 passengers and 5 columns; only age has gaps (31 missing values). The mean age is 28.83 years, with a standard deviation of 12.33, and the average fare was 30.12. Overall 36.7 % survived.", [
            ("wrong statistic", "mean age is 28.83", "mean age is 29.00", "29.00"),
            ("wrong column", "fare was 30.12", "fare was 28.83", "was 28.83"),
            ("digit", "36.7 %", "37.6 %"),
            ("number of something else", "31 missing", "29 missing", "29")]),
        ("percent", "Women survived far more often than men: 62.8 % versus 19.9 %.", [
            ("swapped entity", "62.8 % versus 19.9 %", "19.9 % versus 62.8 %", ["19.9 %", "62.8 %"]),
            ("digit", "62.8", "68.2")]),
        ("derived", "Of the 94 women 59 survived, and of the 146 men only 29, so 88 passengers in total made it.", [
            ("swapped entity", "59 survived", "29 survived", "29 survived"),
            ("miscomputed derivation", "88", "86")]),
        ("fractions in words", "More than half of the first-class passengers survived (52.5 %), but not even a third of those in third class (29.0 %).", [
            ("swapped entity", "(52.5 %)", "(39.5 %)", "39.5 %"),
            ("swapped entity", "(29.0 %)", "(39.5 %)", "39.5 %")]),
        ("small integers", "The youngest passenger was 1 year old and the oldest 63; half of them were younger than 29.", [
            ("wrong statistic", "oldest 63", "oldest 37", "37"),
            ("wrong statistic", "younger than 29", "younger than 20", "20")]),
        ("inequalities", "A quarter of the passengers paid more than 40 for their ticket, and nobody more than 123.", [
            ("number of something else", "more than 40", "more than 80", "80")]),
        ("derived", "The survival rate of women was 42.9 percentage points higher than that of men.", [
            ("miscomputed derivation", "42.9", "44.9"),
            ("sign or direction", "higher", "lower", "42.9")]),
    ],
}
