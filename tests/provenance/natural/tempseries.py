{
    "domain": 'tempseries',
    "question": 'What does the daily temperature series show?',
    "cells": [
        r"""
import numpy as np, pandas as pd
rng = np.random.default_rng(14)
days = pd.date_range("2024-01-01", "2024-12-31")
temp = pd.Series(10 - 9.5 * np.cos(2 * np.pi * (days.dayofyear - 20) / 366) + rng.normal(0, 2.6, len(days)), index=days).round(1)
monthly = temp.resample("M" if pd.__version__ < "2.2" else "ME").agg(["mean", "min", "max"]).round(1)
monthly.index = monthly.index.strftime("%b")
print(monthly)
""",
        r"""
print(f"annual mean {temp.mean():.2f}, hottest {temp.max()} on {temp.idxmax():%d %B}, coldest {temp.min()} on {temp.idxmin():%d %B}")
print("frost days:", int((temp < 0).sum()), "days above 20:", int((temp > 20).sum()), "of", len(temp))
""",
    ],
    "answers": [
        ('plain', 'July was the warmest month with a mean of 19.7 °C, January the coldest with 0.7 °C.', [
            ('swapped entity', '19.7', '17.4'),
            ('wrong statistic', '0.7', '-6.7'),
            ('digit', '19.7', '17.9'),
        ]),
        ('plain', 'The annual mean is 10.16 °C; the hottest day was 20 July (25.5 °C), the coldest 4 January (-6.7 °C).', [
            ('digit', '10.16', '11.06'),
            ('sign or direction', '-6.7', '6.7'),
            ('swapped entity', '25.5', '24.7'),
        ]),
        ('plain', 'There were 26 frost days and 31 days above 20 °C.', [
            ('swapped entity', '26 frost days and 31', '31 frost days and 26', ['31', '26']),
            ('digit', '31 days', '13 days', '13'),
        ]),
        ('derived', 'The temperature ranged over 32.2 degrees during the year.', [
            ('miscomputed derivation', '32.2', '23.2'),
        ]),
        ('percent', 'Only 7.1 % of the 366 days had frost.', [
            ('miscomputed derivation', '7.1 %', '11.7 %'),
            ('digit', '366', '336'),
        ]),
        ('derived', 'From January to July the monthly mean rose by 19.0 degrees.', [
            ('miscomputed derivation', '19.0', '18.0'),
            ('sign or direction', 'rose', 'fell', '19.0'),
        ]),
        ('plain', 'In October the temperature still reached 16.9 °C, but it also dropped to 3.8 °C.', [
            ('swapped entity', '16.9', '13.9'),
            ('wrong statistic', '3.8', '11.9'),
        ]),
        ('inequalities', 'From May to September the mean stayed above 13 °C.', [
            ('digit', '13 °C', '18 °C', '18'),
        ]),
    ],
}
