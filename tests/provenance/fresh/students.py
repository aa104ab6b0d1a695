{
    "domain": "students",
    "question": "How did the class do in the three exams?",
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(59)
names = ["Ana","Ben","Chloe","David","Eva","Finn","Gita","Hugo","Ines","Jack","Kim","Leo"]
df = pd.DataFrame({"math": rng.integers(45, 100, 12), "physics": rng.integers(40, 98, 12), "history": rng.integers(50, 95, 12)}, index=names)
df["average"] = df.mean(axis=1).round(1)
print(df.sort_values("average", ascending=False))
''', '''
print(df.mean().round(2))
print(df.std().round(2))
print("passed all:", int((df[["math","physics","history"]] >= 60).all(axis=1).sum()))
print("failed math:", list(df[df.math < 60].index))
print("corr math-physics:", round(df.math.corr(df.physics), 2))
'''],
    "answers": [
        ("summary of an analysis", "Physics went best with an average of 76.92, history worst with 62.42. Ana is top of the class (91.3 on average), ahead of David (86.0) and Chloe (79.0); Ben comes last with 57.0. Only 3 of 12 students passed all three exams.", [
            ("swapped entity", "average of 76.92, history worst with 62.42", "average of 62.42, history worst with 76.92", ["62.42", "76.92"]),
            ("swapped entity", "David (86.0)", "David (77.0)", "77.0"),
            ("wrong column", "Ana is top of the class (91.3", "Ana is top of the class (94", "94"),
            ("digit", "3 of 12", "5 of 12", "5 of 12")]),
        ("plain", "Ana scored 94 in history and 88 in math.", [
            ("wrong column", "94 in history and 88 in math", "88 in history and 94 in math", ["94", "88"]),
            ("swapped entity", "94 in", "86 in", "86")]),
        ("small integers", "Four students failed math.", []),
        ("plain", "Scores vary most in physics (standard deviation 19.19) and least in history (14.32).", [
            ("swapped entity", "19.19", "16.24"),
            ("wrong statistic", "19.19", "76.92")]),
        ("derived", "The gap between the best and the worst student is 34.3 points.", [
            ("miscomputed derivation", "34.3", "33.4")]),
        ("derived", "Physics scores are on average 14.5 points higher than history scores.", [
            ("miscomputed derivation", "14.5", "15.4"),
            ("sign or direction", "higher", "lower", "14.5")]),
        ("plain", "Math and physics are moderately correlated (0.54).", [
            ("digit", "0.54", "0.45"),
            ("sign or direction", "0.54", "-0.54")]),
    ],
}
