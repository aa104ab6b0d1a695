{
    "domain": "iris",
    "question": "Explore the flower data.",
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(53)
spec = {"setosa": (5.0, 3.4, 1.46, .25), "versicolor": (5.94, 2.77, 4.26, 1.33), "virginica": (6.59, 2.97, 5.55, 2.03)}
rows = []
for s, m in spec.items():
    for _ in range(50):
        rows.append([*np.round(rng.normal(m, [.4, .33, .35, .18]), 1), s])
df = pd.DataFrame(rows, columns=["sepal_length","sepal_width","petal_length","petal_width","species"])
print(df.head())
print(df.info())
print(df.describe())
print(df["species"].value_counts())
''', '''
print(df.groupby("species").mean().round(3))
print(df.drop(columns="species").corr().round(3))
'''],
    "answers": [
        ("summary of an analysis", "The dataset has 150 rows and 5 columns without missing values, 50 flowers of each of the three species. Sepals are 5.85 long on average; petal length varies most (standard deviation 1.77, from 0.5 to 6.6). Petal length and petal width are strongly correlated (r = 0.952), whereas sepal width is negatively correlated with all others.", [
            ("wrong statistic", "5.85 long", "5.9 long", "5.9"),
            ("wrong column", "standard deviation 1.77", "standard deviation 0.74", "0.74"),
            ("number of something else", "r = 0.952", "r = 0.817", "0.817"),
            ("wrong statistic", "to 6.6)", "to 5.3)", "5.3")]),
        ("plain", "Setosa has the shortest petals (1.456 on average) and virginica the longest (5.588).", [
            ("swapped entity", "(1.456 on average) and virginica the longest (5.588)", "(5.588 on average) and virginica the longest (1.456)", ["5.588", "1.456"]),
            ("wrong column", "5.588", "6.592")]),
        ("derived", "Virginica petals are on average 1.31 longer than those of versicolor.", [
            ("miscomputed derivation", "1.31", "1.13"),
            ("sign or direction", "longer", "shorter", "1.31")]),
        ("plain", "Sepal width and petal length correlate at -0.539.", [
            ("sign or direction", "-0.539", "0.539"),
            ("number of something else", "-0.539", "-0.442")]),
        ("plain", "Setosa's sepals are 3.36 wide on average, those of versicolor only 2.842.", [
            ("swapped entity", "3.36 wide on average, those of versicolor only 2.842", "2.842 wide on average, those of versicolor only 3.36", ["2.842", "3.36"])]),
        ("derived", "Virginica petals are almost four times as long as those of setosa (5.588 versus 1.456).", [
            ("swapped entity", "(5.588 versus 1.456)", "(1.456 versus 5.588)", ["1.456", "5.588"])]),
        ("inequalities", "Three quarters of the flowers have petals shorter than 5.3.", [
            ("wrong statistic", "5.3", "1.8")]),
    ],
}
