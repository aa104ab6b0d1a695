{
    "domain": 'wine ratings',
    "question": 'Explore this wine tasting data - are expensive bottles rated higher, and which region gives the best value?',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(2024)
reg = rng.choice(["Rioja", "Mosel", "Douro", "Barossa"], 220, p=[0.32, 0.28, 0.22, 0.18])
price = np.exp(rng.normal(2.9, 0.45, 220)) * pd.Series(reg).map({"Rioja": 1.0, "Mosel": 1.1, "Douro": 0.85, "Barossa": 1.3}).values
points = 84 + 2.1 * np.log(price) + rng.normal(0, 2.2, 220)
df = pd.DataFrame({"region": reg, "price": price.round(2), "points": points.round(0).astype(int)})
print(df.describe().round(2))
print(df.region.value_counts())""",
r"""t = df.groupby("region").agg(n=("price", "size"), mean_price=("price", "mean"), median_price=("price", "median"), points=("points", "mean")).round(2)
t["eur_per_point"] = (t.mean_price / t.points).round(3)
print(t.sort_values("eur_per_point"))""",
r"""print("pearson price/points", df.price.corr(df.points).round(3))
print("pearson log(price)/points", np.log(df.price).corr(df.points).round(3))
df["band"] = pd.cut(df.price, [0, 12, 20, 30, 200], labels=["<=12", "12-20", "20-30", ">30"])
print(df.groupby("band").points.agg(["count", "mean", "max"]).round(2))
print("90+ points and at most 12 euro:", ((df.points >= 90) & (df.price <= 12)).sum())""",
    ],
    "answers": [
        ('summary of an analysis', 'Expensive bottles do score better, but the link is moderate: the correlation between price and points is 0.42 (0.43 with log price). Wines up to 12 euro average 89.0 points, those above 30 euro 92.3. By region the Douro is the best value: its mean price of 17.65 is the lowest while its average of 89.97 points is less than one point behind the leader Mosel (90.69).', [
            ('wrong statistic', 'mean price of 17.65', 'mean price of 16.09', '16.09'),
            ('swapped entity', '92.3', '90.8'),
            ('digit', 'points is 0.42', 'points is 0.24', '0.24'),
            ('wrong column', '(90.69)', '(23.59)', '23.59'),
        ]),
        ('plain', 'The 220 bottles cost 21.41 euro on average, the median being 19.24.', [
            ('wrong statistic', '21.41 euro on average, the median being 19.24', '19.24 euro on average, the median being 21.41', ['19.24', '21.41']),
            ('wrong statistic', '19.24', '11.35'),
            ('digit', '21.41', '24.11'),
        ]),
        ('counted', 'Eleven bottles reach 90 points for 12 euro or less, out of 30 in that price band (37 %).', [
            ('miscomputed derivation', '37 %', '27 %', '27'),
            ('swapped entity', 'out of 30', 'out of 89', '89'),
            ('wrong column', 'out of 30', 'out of 32', '32'),
        ]),
        ('list or table', '| Region | n | Mean price | Median price | Points |\n|---|---|---|---|---|\n| Douro | 37 | 17.65 | 16.09 | 89.97 |\n| Rioja | 85 | 20.53 | 18.96 | 90.12 |\n| Mosel | 61 | 23.59 | 20.65 | 90.69 |', [
            ('digit', '16.09', '19.06'),
            ('swapped entity', '| 18.96 |', '| 20.92 |', '20.92'),
            ('digit', '89.97', '98.97'),
            ('swapped entity', '| 90.12 |', '| 90.54 |', '90.54'),
        ]),
        ('derived', 'Rioja makes up 85 of the bottles, about 39 %, 24 more than Mosel.', [
            ('miscomputed derivation', '24 more', '34 more', '34'),
            ('miscomputed derivation', '39 %', '28 %', '28'),
            ('sign or direction', '24 more than', '24 fewer than', '24'),
        ]),
        ('plain', 'The most expensive bottle costs 81.45 euro and the cheapest 4.43.', [
            ('wrong column', '81.45', '96.00'),
            ('wrong statistic', '4.43', '14.56'),
            ('digit', '81.45', '84.15'),
        ]),
        ('percent', 'Roughly 40 % of the wines (89) cost between 12 and 20 euro, and 32 bottles, about one in seven, are above 30 euro.', [
            ('miscomputed derivation', '40 %', '54 %', '54'),
            ('swapped entity', '(89)', '(69)', '69'),
            ('wrong column', 'and 32 bottles', 'and 96 bottles', '96'),
        ]),
    ],
}
