{
    "domain": "public transport",
    "question": "How punctual were our five bus lines in March (4–31 March)? A trip counts as on time if it is at most 1 minute early and at most 5 minutes late. Which lines need attention, and does the peak matter?",
    "cells": [
r"""import numpy as np
import pandas as pd
rng = np.random.default_rng(314)
routes = {"12": (2.1, 3.0), "27": (4.8, 4.1), "41": (1.2, 2.2), "X5": (6.3, 5.5), "N8": (0.4, 1.9)}
rows = []
for day in pd.date_range("2024-03-04", "2024-03-31"):
    for r, (mu, sd) in routes.items():
        for trip in range(14 if r != "N8" else 5):
            peak = trip in (2, 3, 9, 10)
            d = rng.normal(mu + (2.5 if peak and r != "N8" else 0), sd)
            rows.append((day, r, "peak" if peak and r != "N8" else "off-peak", round(d, 1), bool(rng.random() < .012)))
trips = pd.DataFrame(rows, columns=["day", "route", "period", "delay_min", "cancelled"])
trips.loc[trips.cancelled, "delay_min"] = np.nan
trips.tail(3)""",
r"""print(len(trips), "scheduled trips,", trips.cancelled.sum(), "cancelled")
ran = trips.dropna(subset=["delay_min"]).copy()
ran["on_time"] = ran.delay_min.between(-1, 5)
ran["delay_min"].describe(percentiles=[.1, .5, .9, .95])""",
r"""ran.groupby("route").agg(trips=("delay_min", "count"), mean=("delay_min", "mean"), median=("delay_min", "median"),
                         p90=("delay_min", lambda s: s.quantile(.9)), worst=("delay_min", "max"),
                         on_time_pct=("on_time", lambda s: 100 * s.mean())).round(1)""",
r"""print(ran.pivot_table(index="route", columns="period", values="delay_min", aggfunc="mean").round(2))
wk = ran.groupby(ran.day.dt.dayofweek >= 5).on_time.mean()
print({("weekend" if k else "weekday"): round(float(v) * 100, 1) for k, v in wk.items()})
print("overall on-time:", round(ran.on_time.mean() * 100, 1), "%")""",
    ],
    "answers": [
        ("summary of an analysis", "**Punctuality, 4–31 March 2024**\n\n- 1,708 trips were scheduled, 15 of which (0.9%) were cancelled, leaving 1,693 observed trips.\n- **54.8%** of them were on time under your definition.\n- The average delay was **4.0 minutes** (median 3.3), and 10% of trips were more than 10 minutes late.\n- Line **41** is the most punctual (81.5%), line **X5** the least (27.2%).", [
            ("digit", "**54.8%**", "**58.4%**", "58.4%"),
            ("rounding", "**4.0 minutes**", "**3.9 minutes**", "3.9"),
            ("swapped entity", "the least (27.2%)", "the least (36.6%)", "36.6%"),
            ("number of something else", "leaving 1,693", "leaving 1,705", "1,705"),
            ("miscomputed derivation", "(0.9%)", "(1.9%)", "1.9%"),
        ]),
        ("list or table", "| Line | Trips | Mean delay | 90th percentile | On time |\n|---|---:|---:|---:|---:|\n| 41 | 389 | 1.9 min | 4.9 min | 81.5% |\n| N8 | 140 | 0.3 min | 3.0 min | 75.0% |\n| 12 | 387 | 2.5 min | 6.5 min | 66.4% |\n| 27 | 388 | 5.9 min | 11.0 min | 36.6% |\n| X5 | 389 | 6.9 min | 14.2 min | 27.2% |", [
            ("digit", "66.4%", "64.6%"),
            ("wrong statistic", "14.2 min", "23.4 min"),
            ("scale", "0.3 min", "3.3 min"),
        ]),
        ("derived", "Yes, the peak matters. On line X5 the mean delay grows from 6.18 minutes off-peak to 8.85 in the peak – 2.67 minutes more. On line 41 it roughly triples, from 1.18 to 3.74. The night bus N8 has no peak trips, so there is no peak value for it.", [
            ("miscomputed derivation", "2.67 minutes more", "3.67 minutes more", "3.67"),
            ("sign or direction", "2.67 minutes more", "2.67 minutes less", "2.67"),
            ("swapped entity", "to 3.74", "to 4.20", "4.20"),
        ]),
        ("plain", "The worst single trip was on X5: it ran 23.4 minutes late. At the other extreme, one bus left 11.4 minutes early. 5% of all trips were delayed by 12.4 minutes or more.", [
            ("wrong statistic", "23.4 minutes late", "14.2 minutes late", "14.2"),
            ("wrong statistic", "11.4 minutes early", "1.1 minutes early", "1.1"),
            ("digit", "12.4 minutes", "14.2 minutes"),
        ]),
        ("percent", "Weekdays (55.3% on time) are slightly better than weekends (53.3%), but a difference of two percentage points is small compared with the differences between lines: 41 and X5 are more than 54 points apart.", [
            ("sign or direction", "Weekdays (55.3% on time) are slightly better than weekends (53.3%)", "Weekdays (53.3% on time) are slightly worse than weekends (55.3%)", ["53.3%", "55.3%"]),
            ("miscomputed derivation", "more than 54 points", "more than 64 points", "64"),
        ]),
        ("inequalities", "I would look at X5 and 27 first. Both are on time in fewer than 40% of cases, their mean delay exceeds the 5-minute limit (6.9 and 5.9 minutes), and one trip in ten on these lines is at least 11 minutes late. Together they make up 777 of the 1,693 trips.", [
            ("miscomputed derivation", "777", "767"),
            ("digit", "fewer than 40%", "fewer than 30%", "30%"),
            ("question number given as result", "(6.9 and 5.9 minutes)", "(6.9 and 5.0 minutes)", "5.0 minutes"),
        ]),
        ("German", "Von 1.708 geplanten Fahrten fielen 15 aus. Pünktlich waren 54,8 % der übrigen 1.693 Fahrten; die mittlere Verspätung lag bei rund 4,0 Minuten. Am schlechtesten schneidet die Linie X5 mit 27,2 % ab, am besten die Linie 41 mit 81,5 %.", [
            ("digit", "54,8 %", "45,8 %"),
            ("wrong statistic", "rund 4,0 Minuten", "rund 4,5 Minuten", "4,5"),
            ("swapped entity", "mit 81,5 %", "mit 75,0 %", "75,0 %"),
        ]),
    ],
}
