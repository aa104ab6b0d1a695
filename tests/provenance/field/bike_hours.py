{
    "domain": 'bike rentals',
    "question": 'Exploratory look at our bike rental log: weekday against weekend, weather, and which hour is busiest.',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(500)
rows = []
for day in range(84):
    wd = day % 7
    rain = rng.random() < 0.28
    temp = 12 + 8 * np.sin(day / 84 * np.pi) + rng.normal(0, 2)
    for hour in range(6, 23):
        lam = (22 + 26 * (hour in (8, 17)) if wd < 5 else 18 + 16 * (12 <= hour <= 17)) * (0.55 if rain else 1) * (0.6 + temp / 40)
        rows.append((day, wd, hour, int(rain), round(temp, 1), rng.poisson(lam)))
b = pd.DataFrame(rows, columns=["day", "weekday", "hour", "rain", "temp", "rentals"])
print(b.shape)
print(b[["temp", "rentals"]].describe().round(1))""",
r"""daily = b.groupby("day").agg(weekday=("weekday", "first"), rain=("rain", "first"), temp=("temp", "first"), rentals=("rentals", "sum"))
daily["weekend"] = daily.weekday >= 5
print(daily.rentals.describe().round(1))
print(daily.groupby("weekend").rentals.agg(["count", "sum", "mean"]).round(1))
print(daily.groupby("rain").rentals.agg(["count", "sum", "mean"]).round(1))""",
r"""h = b[b.weekday < 5].groupby("hour").rentals.mean().round(1)
print(h.nlargest(4))
print("weekend busiest:", b[b.weekday >= 5].groupby("hour").rentals.mean().round(1).nlargest(3).to_dict())
print("corr temp/daily rentals", round(daily.temp.corr(daily.rentals), 3), "dry days only", round(daily[daily.rain == 0].temp.corr(daily[daily.rain == 0].rentals), 3))""",
    ],
    "answers": [
        ('summary of an analysis', 'Over the 84 days there were 30,429 rentals, 362 a day on average. Weekdays are busier: 376.3 rentals a day against 327.2 at weekends. Rain matters far more - on the 31 wet days the mean drops to 243.7 from 431.6 on dry ones, about 44 % less.', [
            ('wrong statistic', '362 a day on average', '391 a day on average', '391'),
            ('swapped entity', '376.3 rentals a day against 327.2', '327.2 rentals a day against 376.3', ['327.2', '376.3']),
            ('miscomputed derivation', 'about 44 % less', 'about 56 % less', '56'),
            ('sign or direction', '44 % less', '44 % more', '44'),
        ]),
        ('plain', "On weekdays the busiest hour is 17 with 42.3 rentals on average, practically level with 8 o'clock (42.1).", [
            ('swapped entity', '42.3', '20.6'),
            ('number of something else', '42.3', '29.4'),
            ('digit', '42.1', '41.2'),
        ]),
        ('plain', 'Temperature correlates with daily rentals at only 0.239 overall, but at 0.884 if you look at dry days alone.', [
            ('miscomputed derivation', 'at 0.884', 'at 0.645', '0.645'),
            ('swapped entity', 'only 0.239 overall, but at 0.884', 'only 0.884 overall, but at 0.239', ['0.884', '0.239']),
            ('digit', '0.884', '0.848'),
        ]),
        ('derived', "Weekdays account for 22,577 rentals, 74 % of the total, though they're 71 % of the days.", [
            ('swapped entity', '22,577', '22,874'),
            ('miscomputed derivation', '74 %', '84 %', '84'),
            ('wrong column', '22,577', '7,852'),
        ]),
        ('list or table', '- Busiest day: 515 rentals\n- Quietest day: 202\n- Median day: 391.0\n- Middle half: 254 to 454', [
            ('wrong column', '515', '68'),
            ('wrong statistic', '391.0', '362.2'),
            ('digit', 'Quietest day: 202', 'Quietest day: 220', '220'),
            ('swapped entity', '254 to 454', '254 to 545', '545'),
        ]),
        ('derived', 'A rainy day costs you about 188 rentals.', [
            ('miscomputed derivation', '188', '288'),
            ('number of something else', '188', '49'),
            ('wrong column', '188', '244'),
        ]),
        ('plain', 'The highest single hour saw 68 rentals, the busiest whole day 515.', [
            ('wrong statistic', '68 rentals', '26 rentals', '26'),
            ('wrong statistic', '515', '454'),
            ('digit', '515', '551'),
        ]),
    ],
}
