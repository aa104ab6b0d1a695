{
    "domain": "marathon",
    "question": "Analyse the finishing times of the marathon.",
    "cells": ['''
import pandas as pd
import numpy as np
rng = np.random.default_rng(42)
n = 400
sex = rng.choice(["F", "M"], n, p=[0.38, 0.62])
base = np.where(sex == "F", 268, 246)
minutes = (base + rng.gamma(4, 9, n) - 36).round(1)
club = rng.choice(["Harriers", "Striders", "none"], n, p=[0.2, 0.15, 0.65])
run = pd.DataFrame({"sex": sex, "club": club, "minutes": minutes})
summary = run.groupby("sex")["minutes"].agg(["count", "mean", "median", "std", "min", "max"]).round(2)
print(summary)
''', '''
print(run.minutes.quantile([0.1, 0.25, 0.5, 0.75, 0.9]))
print(run.groupby(["club", "sex"]).minutes.mean().round(1))
''', '''
under4 = (run.minutes < 240).sum()
print("finishers:", len(run), "under four hours:", under4)
print("share:", under4 / len(run))
'''],
    "answers": [
        ("plain", "Women needed 266.06 minutes on average, men 245.14.", [
            ("swapped entity", "266.06 minutes on average, men 245.14", "245.14 minutes on average, men 266.06", ["245.14", "266.06"]),
            ("wrong statistic", "266.06", "265.15")]),
        ("plain", "The median time of the men is 241.45 minutes.", [
            ("wrong statistic", "241.45", "245.14"),
            ("swapped entity", "241.45", "265.15")]),
        ("percent", "29 % of the finishers stayed under four hours, 116 of 400.", [
            ("digit", "29 %", "39 %"),
            ("number of something else", "116 of", "152 of", "152")]),
        ("plain", "The fastest woman finished in 237.9 minutes and the slowest in 325.4.", [
            ("wrong statistic", "237.9", "265.15"),
            ("swapped entity", "237.9", "216.5")]),
        ("plain", "Female Striders averaged 270.1 minutes, female Harriers 266.6.", [
            ("swapped entity", "270.1 minutes, female Harriers 266.6", "266.6 minutes, female Harriers 270.1", ["266.6", "270.1"]),
            ("digit", "270.1", "271.0")]),
        ("derived", "On average men were 20.92 minutes faster than women.", [
            ("miscomputed derivation", "20.92", "22.09"),
            ("sign or direction", "faster", "slower", "20.92")]),
        ("summary of an analysis", "Of 400 finishers 152 were women and 248 men. The overall median was 251.25 minutes; a quarter finished within 238.1 minutes and 90 % within 279.5.", [
            ("swapped entity", "152 were women and 248 men", "248 were women and 152 men", ["248", "152"]),
            ("wrong statistic", "within 238.1", "within 265.8", "265.8"),
            ("digit", "251.25", "215.25")]),
        ("percent", "62 % of the runners were men.", [
            ("miscomputed derivation", "62 %", "68 %")]),
        ("inequalities", "More than 100 runners broke four hours.", []),
        ("German", "Im Median brauchten die Männer 241,45 Minuten, die Frauen 265,15 Minuten.", [
            ("digit", "265,15", "256,15")]),
    ],
}
