{
    "domain": 'citybikes',
    "question": 'How do weather and weekday affect rentals?',
    "cells": [
        r"""
import pandas as pd, numpy as np
rng = np.random.default_rng(3)
days = pd.date_range("2024-05-01", periods=92)
temp = 16 + 8 * np.sin(np.arange(92) / 20) + rng.normal(0, 2, 92)
rain = rng.random(92) < 0.3
rentals = (900 + 42 * temp - 310 * rain + 120 * (days.dayofweek < 5) + rng.normal(0, 60, 92)).round().astype(int)
df = pd.DataFrame({"date": days, "temp": temp.round(1), "rain": rain, "weekday": days.dayofweek < 5, "rentals": rentals})
print(df.groupby("rain")["rentals"].agg(["count", "mean", "min", "max"]).round(1))
print(df.groupby("weekday")["rentals"].mean().round(1))
print("corr temp/rentals:", df["temp"].corr(df["rentals"]).round(3))
""",
        r"""
monthly = df.groupby(df["date"].dt.month_name())["rentals"].sum()
print(monthly)
best = df.loc[df["rentals"].idxmax()]
print("best day:", best["date"].date(), "with", best["rentals"], "rentals at", best["temp"], "degrees")
worst = df.loc[df["rentals"].idxmin()]
print("worst day:", worst["date"].date(), "with", worst["rentals"], "rentals at", worst["temp"], "degrees")
""",
    ],
    "answers": [
        ('plain', 'On dry days 1,745.4 bikes were rented on average, on rainy days only 1,407.2.', [
            ('swapped entity', '1,745.4 bikes were rented on average, on rainy days only 1,407.2', '1,407.2 bikes were rented on average, on rainy days only 1,745.4', ['1,407.2', '1,745.4']),
            ('digit', '1,407.2', '1,470.2'),
            ('wrong statistic', '1,745.4', '2,246'),
        ]),
        ('derived', 'Rain costs about 338 rentals a day, a drop of 19.4 %.', [
            ('miscomputed derivation', '338', '383'),
            ('miscomputed derivation', '19.4 %', '24.0 %'),
            ('sign or direction', 'a drop of', 'a rise of', '19.4 %'),
        ]),
        ('plain', 'It rained on 25 of the 92 days.', [
            ('swapped entity', '25 of', '67 of', '67'),
            ('digit', '92', '82'),
        ]),
        ('plain', 'The best day was May 27, 2024 with 2,246 rentals at 27.6 degrees; the worst was July 31 (1,038 rentals at 7.5 degrees).', [
            ('wrong column', '27.6 degrees', '7.6 degrees', '7.6'),
            ('digit', '2,246', '2,264'),
        ]),
        ('derived', 'Over the three months 152,122 bikes were rented, most of them in May (56,153, or 36.9 %).', [
            ('miscomputed derivation', '152,122', '151,222'),
            ('swapped entity', '56,153', '52,688'),
            ('miscomputed derivation', '36.9 %', '39.6 %'),
        ]),
        ('plain', 'Temperature and rentals are strongly correlated (r = 0.83).', [
            ('digit', '0.83', '0.38'),
            ('sign or direction', 'r = 0.83', 'r = -0.83', '-0.83'),
        ]),
        ('derived', 'Working days see 55 more rentals than weekends.', [
            ('miscomputed derivation', '55', '65'),
            ('sign or direction', 'more', 'fewer', '55'),
        ]),
        ('derived', 'From June to July rentals went down by 9,407.', [
            ('miscomputed derivation', '9,407', '9,704'),
            ('sign or direction', 'down', 'up', '9,407'),
        ]),
    ],
}
