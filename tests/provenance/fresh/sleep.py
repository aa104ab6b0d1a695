{
    "domain": "sleep",
    "question": "How much do the participants sleep, and does caffeine matter?",
    "cells": ['''
import pandas as pd
import numpy as np
rng = np.random.default_rng(11)
n = 60
sleep = pd.DataFrame({
    "age": rng.integers(19, 66, n),
    "caffeine_mg": (rng.gamma(2.2, 70, n)).round(0),
    "group": rng.choice(["shift", "office"], n, p=[0.4, 0.6]),
})
sleep["hours"] = (8.1 - 0.004 * sleep.caffeine_mg - 0.5 * (sleep.group == "shift") + rng.normal(0, 0.6, n)).round(2)
sleep.loc[[4, 17, 33], "caffeine_mg"] = np.nan
print(sleep.describe().round(3))
''', '''
print(sleep.isna().sum())
print(sleep["group"].value_counts())
''', '''
from scipy import stats
a = sleep.loc[sleep.group == "shift", "hours"]
b = sleep.loc[sleep.group == "office", "hours"]
res = stats.ttest_ind(a, b)
print(f"shift: n={len(a)}, mean={a.mean():.3f}, sd={a.std():.3f}")
print(f"office: n={len(b)}, mean={b.mean():.3f}, sd={b.std():.3f}")
print(f"t = {res.statistic:.3f}, p = {res.pvalue:.4f}")
clean = sleep.dropna()
r, p = stats.pearsonr(clean.caffeine_mg, clean.hours)
print(f"Pearson r = {r:.3f} (p = {p:.2g}, n = {len(clean)})")
'''],
    "answers": [
        ("plain", "Participants sleep 7.336 hours on average, with a standard deviation of 0.709.", [
            ("wrong statistic", "7.336 hours", "7.425 hours"),
            ("swapped entity", "0.709", "13.873"),
            ("digit", "7.336", "7.363")]),
        ("plain", "The median caffeine intake is 155 mg; the highest value was 454 mg.", [
            ("wrong statistic", "median caffeine intake is 155", "median caffeine intake is 164.684", "164.684"),
            ("wrong statistic", "454 mg", "223 mg")]),
        ("small integers", "Caffeine has 3 missing values, the other columns have none.", [
            ("number of something else", "3 missing", "19 missing", "19")]),
        ("plain", "19 participants work shifts and 41 in an office.", [
            ("swapped entity", "19 participants work shifts and 41 in an office", "41 participants work shifts and 19 in an office", ["41", "19"])]),
        ("summary of an analysis", "Shift workers sleep 6.82 h, office workers 7.58 h, a difference of 0.754 h that is significant (t = -4.387, p < 0.001).", [
            ("swapped entity", "Shift workers sleep 6.82 h, office workers 7.58 h", "Shift workers sleep 7.58 h, office workers 6.82 h", ["7.58", "6.82"]),
            ("miscomputed derivation", "0.754", "0.745"),
            ("digit", "-4.387", "-4.837")]),
        ("constants of a method", "The correlation between caffeine and sleep is moderate and negative (r = -0.442, p < 0.05, n = 57).", [
            ("sign or direction", "moderate and negative (r = -0.442", "moderate and positive (r = 0.442", "0.442"),
            ("number of something else", "n = 57", "n = 60", "60")]),
        ("plain", "Ages range from 20 to 65.", [
            ("wrong statistic", "from 20 to 65", "from 34.5 to 65", "34.5")]),
        ("fractions in words", "Roughly a third of the 60 participants work shifts.", [
            ("digit", "60", "66")]),
        ("derived", "Half of the participants sleep between 6.945 and 7.865 hours, an interquartile range of 0.92.", [
            ("miscomputed derivation", "0.92", "0.82"),
            ("wrong statistic", "between 6.945 and", "between 5.55 and", "5.55")]),
        ("French", "Les participants dorment en moyenne 7,336 heures ; la médiane est de 7,425.", [
            ("wrong statistic", "moyenne 7,336 heures ; la médiane est de 7,425", "moyenne 7,425 heures ; la médiane est de 7,336", ["7,425", "7,336"])]),
        ("inequalities", "Everyone slept more than 5.5 hours.", []),
    ],
}
