{
    "domain": "air quality",
    "question": "Write a short report on PM2.5 and NO2 at our three stations (EU limit for PM2.5: 25 µg/m³).",
    "cells": ['''
import numpy as np
import pandas as pd

rng = np.random.RandomState(31)
days = pd.date_range("2024-01-01", periods=90)
frames = []
for station, pm, no2 in (("S1 Centre", 21.5, 41.0), ("S2 Park", 12.2, 17.5), ("S3 Ring Road", 26.8, 55.3)):
    frames.append(pd.DataFrame({"station": station, "day": days, "pm25": np.round(rng.gamma(6, pm / 6, 90), 1),
                                "no2": np.round(rng.normal(no2, 8, 90), 1)}))
air = pd.concat(frames, ignore_index=True)
print(air.shape)
print(air.groupby("station")[["pm25", "no2"]].agg(["mean", "median", "max"]).round(2))
''', '''
over = air[air["pm25"] > 25].groupby("station").size()
print("days above 25:", over.to_dict())
print("correlation:", round(air["pm25"].corr(air["no2"]), 3))
print(air.describe().round(2))
'''],
    "answers": [
        ("summary of an analysis", "## Air quality, January to March 2024\n\n**1. PM2.5.** The Ring Road (S3) exceeds the limit on average: 27.18 µg/m³ (median 26.90), with 50 days above 25. S1 Centre has a mean of 19.30 and 16 such days; S2 Park stays clean with 11.71.\n\n**2. NO2.** Means are 40.99 (S1), 17.59 (S2) and 56.00 (S3).\n\n**3. Relation.** PM2.5 and NO2 correlate at 0.535.", [
            ("swapped entity", "40.99 (S1), 17.59 (S2)", "17.59 (S1), 40.99 (S2)", ["17.59", "40.99"]),
            ("wrong statistic", "27.18 µg/m³ (median 26.90)", "26.90 µg/m³ (median 27.18)", ["26.90", "27.18"]),
            ("digit", "0.535", "0.553"),
            ("wrong column", "S1 Centre has a mean of 19.30", "S1 Centre has a mean of 42.25", "42.25")]),
        ("counted", "The data set has 270 rows: 90 days at each of 3 stations.", [
            ("digit", "270 rows", "207 rows")]),
        ("plain", "At S3 Ring Road PM2.5 reached a maximum of 58.2 µg/m³.", [
            ("wrong statistic", "a maximum of 58.2", "a maximum of 27.18", "27.18"),
            ("wrong column", "58.2 µg/m³", "75.2 µg/m³"),
            ("swapped entity", "S3 Ring Road", "S2 Park", "58.2")]),
        ("derived", "S3 was above the limit on 50 of 90 days, i.e. 55.6 % of the time.", [
            ("miscomputed derivation", "55.6 %", "65.6 %"),
            ("swapped entity", "S3 was above", "S1 was above", "50")]),
        ("constants of a method", "The 25 µg/m³ limit was exceeded on 66 station-days in all.", [
            ("miscomputed derivation", "66 station-days", "76 station-days"),
            ("question number given as result", "was exceeded on 66 station-days in all", "was exceeded on 25 days", "25 days")]),
        ("plain", "Over all stations the average PM2.5 is 19.40 (sd 10.43) and the median 17.20.", [
            ("wrong statistic", "(sd 10.43) and the median 17.20", "(sd 17.20) and the median 10.43", ["17.20", "10.43"]),
            ("digit", "19.40", "14.90")]),
    ],
}
