{
    "domain": "climate time series",
    "question": "Look at the monthly rainfall of our station, 2021 to 2024. Which year was wettest, which months are dry?",
    "cells": [
r"""
import pandas as pd
mm = [71.2, 54.8, 62.0, 38.5, 49.9, 66.1, 80.4, 91.7, 44.3, 70.8, 85.5, 96.0,
      58.7, 88.1, 21.4, 30.2, 41.6, 28.9, 19.5, 33.8, 77.2, 64.0, 90.3, 72.5,
      93.4, 40.7, 79.9, 61.3, 35.0, 52.2, 108.6, 86.4, 59.1, 124.7, 118.3, 101.2,
      84.0, 76.6, 57.4, 45.8, 73.1, 48.7, 62.9, 39.6, 101.5, 82.2, 69.4, 88.8]
s = pd.Series(mm, index=pd.period_range("2021-01", periods=48, freq="M"), name="rain_mm")
year = s.groupby(s.index.year).agg(["sum", "mean", "max", "min"]).round(1)
print(year)
print("wettest month:", s.idxmax(), s.max(), "| driest:", s.idxmin(), s.min())
clim = s.groupby(s.index.month).mean().round(2)
print(clim.to_string())
""",
r"""
print((s > 100).sum(), (s < 30).sum())
roll = s.rolling(12).sum()
print(roll.idxmax(), round(roll.max(), 1), roll.idxmin(), round(roll.min(), 1))
print(round(s.mean(), 2), round(s.std(), 2), round(s.sum(), 1))
"""],
    "answers": [
        ("plain", "2023 was the wettest year with 960.8 mm, 2022 the driest with 626.2 mm.", [
            ("swapped entity", "with 960.8 mm, 2022 the driest with 626.2 mm", "with 626.2 mm, 2022 the driest with 960.8 mm", ["626.2", "960.8"]),
            ("digit", "960.8", "906.8"),
        ]),
        ("derived", "So 2023 got 334.6 mm more than 2022, about 53% more.", [
            ("miscomputed derivation", "334.6", "343.6"),
            ("miscomputed derivation", "53%", "43%"),
        ]),
        ("dates, versions, ordinals", "The wettest single month was October 2023 (124.7 mm), the driest July 2022 with a paltry 19.5.", [
            ("number of something else", "October 2023", "October 2021", "2021"),
            ("swapped entity", "19.5", "21.4"),
        ]),
        ("inequalities", "Five months topped 100 mm and 3 stayed below 30 mm.", [
            ("number of something else", "topped 100", "topped 90", "90"),
            ("digit", "3 stayed", "8 stayed", "8"),
        ]),
        ("list or table", "Driest calendar months on average:\n1. April, 43.95 mm\n2. June, 48.98 mm\n3. May, 49.90 mm\nNovember is wettest at 90.9 mm.", [
            ("swapped entity", "90.9", "89.6"),
            ("digit", "43.95", "34.95"),
        ]),
        ("percent", "2024 brought 830.0 mm, 13.6% less than the year before.", [
            ("sign or direction", "less", "more", "13.6%"),
            ("miscomputed derivation", "13.6%", "16.3%"),
            ("swapped entity", "830.0", "811.2"),
        ]),
        ("summary of an analysis", "Over the 48 months the station recorded 3,228.2 mm, i.e. 67.3 mm a month with a standard deviation of 25.3. The wettest twelve-month stretch ended in May 2024 (987.4 mm) and the driest in February 2023 (613.5 mm).", [
            ("rounding", "67.3", "67.2"),
            ("number of something else", "987.4", "960.8"),
            ("invented", "deviation of 25.3", "deviation of 25.3 and a trend of 11.7 mm per year", "11.7"),
        ]),
    ],
}
