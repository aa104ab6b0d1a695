{
    "domain": "sensors",
    "question": "Find outliers in the vibration data.",
    "cells": ['''
import numpy as np

rng = np.random.RandomState(12)
data = np.round(rng.normal(3.2, 0.4, 500), 3)
data[[17, 120, 333, 402]] = [6.91, 0.22, 7.45, 5.88]
q1, q3 = np.percentile(data, [25, 75])
iqr = q3 - q1
low, high = q1 - 1.5 * iqr, q3 + 1.5 * iqr
outliers = data[(data < low) | (data > high)]
print("n =", len(data))
print(f"Q1 = {q1:.3f}, Q3 = {q3:.3f}, IQR = {iqr:.3f}")
print(f"fences: {low:.3f} and {high:.3f}")
print("outliers:", len(outliers))
print("values:", sorted(outliers.tolist()))
''', '''
clean = data[(data >= low) & (data <= high)]
print(f"mean before {data.mean():.4f}, after {clean.mean():.4f}")
print(f"std before {data.std(ddof=1):.4f}, after {clean.std(ddof=1):.4f}")
'''],
    "answers": [
        ("constants of a method", "By the 1.5 IQR rule there are 9 outliers among 500 values.", [
            ("digit", "9 outliers", "6 outliers"),
            ("number of something else", "9 outliers", "4 outliers"),
            ("number of something else", "1.5 IQR rule", "2.5 IQR rule", "2.5")]),
        ("plain", "Values below 2.091 or above 4.265 count as outliers.", [
            ("swapped entity", "below 2.091 or above 4.265", "below 2.906 or above 3.450", ["2.906", "3.450"]),
            ("digit", "4.265", "4.625")]),
        ("derived", "Removing them lowers the standard deviation from 0.5075 to 0.3855, i.e. by 24 %.", [
            ("miscomputed derivation", "24 %", "34 %"),
            ("sign or direction", "lowers the standard deviation from 0.5075 to 0.3855, i.e. by 24 %", "raises the standard deviation from 0.5075 to 0.3855, i.e. by 24 %", "24 %"),
            ("swapped entity", "from 0.5075 to 0.3855", "from 0.3855 to 0.5075", ["0.3855", "0.5075"])]),
        ("percent", "Only 1.8 % of the readings are suspicious.", [
            ("scale", "1.8 %", "18 %"),
            ("miscomputed derivation", "1.8 %", "2.8 %")]),
        ("plain", "The mean hardly changes: 3.1882 before, 3.1700 after.", [
            ("swapped entity", "3.1882 before, 3.1700 after", "3.1700 before, 3.1882 after", ["3.1700", "3.1882"]),
            ("digit", "3.1882", "3.1828")]),
        ("plain", "The largest outlier is 7.45, the smallest 0.22.", [
            ("wrong statistic", "The largest outlier is 7.45", "The largest outlier is 6.91", "6.91")]),
        ("constants of a method", "Q1 is 2.906 and Q3 3.450, so the interquartile range is 0.543.", [
            ("swapped entity", "Q1 is 2.906 and Q3 3.450", "Q1 is 3.450 and Q3 2.906", ["3.450", "2.906"]),
            ("digit", "0.543", "0.534")]),
    ],
}
