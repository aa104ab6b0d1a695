{
    "domain": 'bike sharing',
    "question": 'Trips per month and station for 2023, please. Which months were above 30,000 trips in total? We are also wondering how different the stations really are and whether weekends are weaker.',
    "cells": [r"""import numpy as np
import pandas as pd

rng = np.random.default_rng(8)
days = pd.date_range("2023-01-01", "2023-12-31")
season = 1 + 0.55 * np.sin((days.dayofyear.values - 100) / 365 * 2 * np.pi)
base = {"Central": 310, "Harbour": 190, "Campus": 240, "Museum": 95, "Airport": 42}
t = pd.concat([pd.DataFrame({"date": days, "station": s, "trips": rng.poisson(b * season)}) for s, b in base.items()])
t["month"] = t["date"].dt.month
pv = t.pivot_table(index="month", columns="station", values="trips", aggfunc="sum", margins=True, margins_name="Total")
print(pv.to_string())""",
r"""wide = t.pivot(index="date", columns="station", values="trips")
print(wide.corr().round(2).to_string())
daily = wide.sum(axis=1)
print(daily.idxmax().date(), daily.max(), daily.idxmin().date(), daily.min())
print(daily.groupby(daily.index.dayofweek).mean().round(1).tolist())
print(daily.describe())"""],
    "answers": [
        ('summary of an analysis', 'In 2023 the five stations recorded 320,383 trips, about 878 a day. July was the peak with 41,929 trips, January the low with 12,502. Five months were above 30,000: May (35,796), June (39,518), July (41,929), August (39,227) and September (32,010). Central is the busiest station with 113,055 trips (35 % of all), Airport the quietest with 15,343.', [
            ('swapped entity', 'May (35,796), June (39,518)', 'May (39,518), June (35,796)', ['39,518', '35,796']),
            ('swapped entity', 'with 15,343', 'with 34,864', '34,864'),
            ('digit', '320,383 trips', '302,383 trips', '302,383'),
            ('wrong statistic', 'about 878 a day', 'about 344 a day', '344'),
        ]),
        ('plain', 'The busiest day was 26 July 2023 with 1,419 trips and the quietest was 11 January with 354.', [
            ('swapped entity', '1,419 trips and the quietest was 11 January with 354', '354 trips and the quietest was 11 January with 1,419', ['354', '1,419']),
            ('digit', '1,419', '1,491'),
            ('wrong statistic', 'with 354', 'with 531', '531'),
        ]),
        ('derived', 'Summer carries the system: June to August brought 120,674 trips, 37.7 % of the year, while the three winter months (January, February, December) brought 39,751. July had 3.35 times as many trips as January.', [
            ('miscomputed derivation', '120,674', '113,166'),
            ('miscomputed derivation', '37.7 %', '41.7 %'),
            ('miscomputed derivation', '3.35 times', '4.01 times', '4.01'),
            ('miscomputed derivation', '39,751', '37,951'),
        ]),
        ('units or currency', 'Weekends are hardly weaker. The average is 872.1 trips on Saturdays and 867.7 on Sundays, compared with 887.2 on Fridays, the strongest weekday. Between best and worst day of the week there are just 19.5 trips.', [
            ('swapped entity', '872.1 trips on Saturdays', '885.1 trips on Saturdays', '885.1'),
            ('miscomputed derivation', '19.5 trips', '15.1 trips', '15.1'),
            ('digit', '867.7', '876.7'),
        ]),
        ('inequalities', 'The stations move almost in lockstep: every pairwise correlation of daily trips is at least 0.91, and Campus, Central and Harbour correlate at 0.98 with one another. Airport is the least synchronised, with values of at most 0.93.', [
            ('sign or direction', 'at least 0.91', 'at most 0.91', 'at most 0.91'),
            ('swapped entity', 'at 0.98 with', 'at 0.96 with', '0.96'),
            ('digit', '0.93', '0.92'),
        ]),
        ('list or table', 'Top stations by yearly trips:\n\n1. Central: 113,055\n2. Campus: 87,779\n3. Harbour: 69,342\n4. Museum: 34,864\n5. Airport: 15,343\n\nHarbour has almost exactly twice as many trips as Museum, and Central is 25,276 ahead of Campus.', [
            ('swapped entity', 'Harbour: 69,342\n4. Museum: 34,864', 'Harbour: 34,864\n4. Museum: 69,342', ['34,864', '69,342']),
            ('miscomputed derivation', '25,276', '26,276'),
            ('digit', '87,779', '87,997'),
        ]),
        ('scale words', 'Your network saw roughly 0.32 million trips in 2023, some 26.7 thousand per month on average. In July alone Central accounted for 14.8 thousand.', [
            ('scale', '0.32 million', '3.2 million', '3.2'),
            ('swapped entity', '14.8 thousand', '11.4 thousand', '11.4'),
            ('miscomputed derivation', '26.7 thousand', '27.6 thousand', '27.6'),
        ]),
        ('fractions in words', 'On half of all days there were 872 trips or fewer, and on a quarter of them at least 1,209. The middle 50 % of days lie between 531 and 1,209 trips.', [
            ('wrong statistic', 'were 872 trips', 'were 1,209 trips', 'were 1,209'),
            ('wrong statistic', 'between 531', 'between 354', '354'),
            ('digit', 'at least 1,209', 'at least 1,290', '1,290'),
        ]),
    ],
}
