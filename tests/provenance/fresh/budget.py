{
    "domain": "budget",
    "question": "How did spending compare with the budget per department?",
    "cells": ['''
import pandas as pd
df = pd.DataFrame({"department": ["IT", "HR", "Marketing", "Operations", "Legal"],
   "budget": [420000, 180000, 310000, 655000, 95000], "actual": [447300, 171250, 356900, 631400, 95800]})
df["variance"] = df.actual - df.budget
df["pct"] = (df.variance / df.budget * 100).round(1)
print(df.to_string(index=False))
print("Total budget", df.budget.sum(), "Total actual", df.actual.sum())
'''],
    "answers": [
        ("summary of an analysis", "In total the departments spent 1,702,650 against a budget of 1,660,000. Marketing overspent most, by 46,900 (15.1 %), followed by IT with 27,300 (6.5 %). Operations stayed 23,600 below its budget and HR 8,750.", [
            ("swapped entity", "by 46,900 (15.1 %), followed by IT with 27,300", "by 27,300 (15.1 %), followed by IT with 46,900", ["27,300", "46,900"]),
            ("sign or direction", "stayed 23,600 below", "went 23,600 above", "23,600"),
            ("wrong column", "spent 1,702,650 against a budget of 1,660,000", "spent 1,660,000 against a budget of 1,702,650", ["1,660,000", "1,702,650"])]),
        ("derived", "That is an overrun of 42,650, or 2.6 %.", [
            ("miscomputed derivation", "42,650", "46,250"),
            ("miscomputed derivation", "2.6 %", "2.9 %")]),
        ("fractions in words", "Three of the five departments exceeded their budget.", []),
        ("plain", "Legal was almost on target: 95,800 spent with 95,000 planned.", [
            ("wrong column", "95,800 spent with 95,000 planned", "95,000 spent with 95,800 planned", ["95,000", "95,800"])]),
        ("scale words", "Operations has by far the largest budget, 655 thousand, and spent 631.4 thousand.", [
            ("scale", "655 thousand", "655 million"),
            ("wrong column", "largest budget, 655 thousand", "largest budget, 420 thousand", "420 thousand")]),
        ("derived", "Operations alone accounts for 39.5 % of the total budget.", [
            ("miscomputed derivation", "39.5 %", "37.1 %"),
            ("swapped entity", "Operations", "Marketing", "39.5 %")]),
    ],
}
