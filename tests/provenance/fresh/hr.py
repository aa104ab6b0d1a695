{
    "domain": "hr",
    "question": "Is there a gender pay gap? Please describe salaries.",
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(29)
n = 320
df = pd.DataFrame({"gender": rng.choice(["F","M"], n, p=[.45,.55]), "dept": rng.choice(["Engineering","Sales","Support"], n, p=[.4,.35,.25]), "years": rng.integers(0, 25, n)})
base = df.dept.map({"Engineering": 62000, "Sales": 51000, "Support": 41000})
df["salary"] = (base + 1350*df.years + rng.normal(0, 5200, n) + 2300*(df.gender=="M")).round(0)
print(df.salary.describe().round(2))
g = df.groupby("gender").salary.agg(["count","mean","median"]).round(0)
print(g)
''', '''
pt = df.pivot_table(index="dept", columns="gender", values="salary", aggfunc="mean").round(0)
print(pt)
pt["gap"] = pt.M - pt.F
print(pt.gap)
print("corr years/salary:", round(df.years.corr(df.salary), 3))
'''],
    "answers": [
        ("summary of an analysis", "The 320 employees earn 70,529.52 on average (median 70,615, standard deviation 13,423.68), ranging from 38,955 to 104,035. The 147 women earn 69,545 and the 173 men 71,366 on average.", [
            ("wrong statistic", "70,529.52 on average (median 70,615", "70,615 on average (median 70,529.52", ["70,615", "70,529.52"]),
            ("swapped entity", "women earn 69,545 and the 173 men 71,366", "women earn 71,366 and the 173 men 69,545", ["71,366", "69,545"]),
            ("wrong statistic", "to 104,035", "to 81,049.5", "81,049.5")]),
        ("derived", "Men earn 1,821 more than women on average, a gap of 2.6 %.", [
            ("miscomputed derivation", "1,821", "1,281"),
            ("miscomputed derivation", "2.6 %", "3.6 %"),
            ("sign or direction", "more than", "less than", "1,821")]),
        ("plain", "The gap is largest in Engineering (1,532) and reversed in Support, where women earn 266 more.", [
            ("swapped entity", "(1,532)", "(1,143)", "1,143"),
            ("sign or direction", "women earn 266 more", "women earn 266 less", "266")]),
        ("plain", "Experience matters: years and salary correlate with r = 0.704.", [
            ("digit", "0.704", "0.740"),
            ("scale", "0.704", "7.04")]),
        ("derived", "By the median the gap is 3,018.", [
            ("miscomputed derivation", "3,018", "3,081"),
            ("wrong statistic", "3,018", "1,821")]),
        ("fractions in words", "A quarter of the staff earns more than 81,049.50, a quarter less than 60,535.25.", [
            ("wrong statistic", "more than 81,049.50, a quarter less than 60,535.25", "more than 60,535.25, a quarter less than 81,049.50", ["60,535.25", "81,049.50"])]),
        ("plain", "In Sales, women average 67,002 and men 68,145.", [
            ("swapped entity", "women average 67,002 and men 68,145", "women average 68,145 and men 67,002", ["68,145", "67,002"]),
            ("swapped entity", "Sales", "Support", ["67,002", "68,145"])]),
    ],
}
