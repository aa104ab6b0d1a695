{
    "domain": "survey",
    "question": "What did the customers say in the survey?",
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(41)
n = 412
df = pd.DataFrame({"score": rng.choice(range(0, 11), n, p=[.02,.01,.02,.03,.04,.08,.10,.15,.20,.18,.17]), "plan": rng.choice(["Free","Basic","Pro"], n, p=[.5,.3,.2]), "age": rng.integers(18, 70, n)})
counts = df.score.value_counts().sort_index()
print(counts)
prom = (df.score >= 9).sum(); det = (df.score <= 6).sum(); pas = n - prom - det
nps = (prom - det) / n * 100
print("promoters", prom, "passives", pas, "detractors", det)
print("NPS", round(nps, 1))
''', '''
x = df.groupby("plan").score.agg(["mean","std","size"]).round(2)
print(x)
print(df.groupby(pd.cut(df.age, [17, 30, 45, 70], labels=["18-30","31-45","46-69"])).score.mean().round(2))
'''],
    "answers": [
        ("summary of an analysis", "412 customers answered. 162 are promoters, 132 passives and 118 detractors, which gives an NPS of 10.7. Free users are happiest (7.66 on average), Pro users least (7.30).", [
            ("swapped entity", "162 are promoters, 132 passives and 118 detractors", "118 are promoters, 132 passives and 162 detractors", ["118", "162"]),
            ("swapped entity", "(7.30)", "(7.37)", "7.37"),
            ("wrong statistic", "7.66 on", "2.00 on", "2.00"),
            ("digit", "10.7", "17.0")]),
        ("percent", "39.3 % of the respondents are promoters and 28.6 % detractors.", [
            ("miscomputed derivation", "39.3 %", "32.0 %"),
            ("swapped entity", "39.3 % of the respondents are promoters and 28.6 %", "28.6 % of the respondents are promoters and 39.3 %", ["28.6 %", "39.3 %"])]),
        ("plain", "The most frequent score was 9, given 87 times; 75 people gave a 10.", [
            ("swapped entity", "87 times", "79 times", "79"),
            ("number of something else", "75 people", "79 people", "79")]),
        ("fractions in words", "Half of the respondents, 205, are on the free plan.", [
            ("swapped entity", "205", "126")]),
        ("plain", "Older customers rate us better: 7.74 among those aged 46-69, 7.24 among the youngest.", [
            ("swapped entity", "7.74 among those aged 46-69, 7.24", "7.24 among those aged 46-69, 7.74", ["7.24", "7.74"]),
            ("number of something else", "7.24", "7.33")]),
        ("constants of a method", "Promoters are those who gave 9 or 10, detractors those with 6 or less.", []),
    ],
}
