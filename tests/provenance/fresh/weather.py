{
    "domain": "weather",
    "question": "What was the weather like in 2022 in the three cities?",
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(17)
days = pd.date_range("2022-01-01", "2022-12-31")
rows = []
for city, base, amp, rain in [("Oslo", 6.5, 12, 2.1), ("Madrid", 15.4, 10, 1.1), ("Cairo", 22.3, 8, .1)]:
    t = base - amp*np.cos(2*np.pi*(days.dayofyear.values-20)/365) + rng.normal(0, 2.5, len(days))
    r = np.where(rng.random(len(days)) < .08*rain+.02, rng.exponential(4*rain, len(days)), 0)
    rows.append(pd.DataFrame({"city": city, "date": days, "temp": t.round(1), "rain": r.round(1)}))
df = pd.concat(rows)
s = df.groupby("city").agg(mean_temp=("temp","mean"), max_temp=("temp","max"), min_temp=("temp","min"), total_rain=("rain","sum"), rainy_days=("rain", lambda x: (x>0).sum())).round(1)
print(s)
''', '''
m = df[df.city=="Oslo"].set_index("date").temp.resample("M").mean().round(1)
m.index = m.index.strftime("%b")
print(m.to_dict())
hot = df[df.temp > 30].groupby("city").size()
print(hot.to_dict())
'''],
    "answers": [
        ("summary of an analysis", "Cairo was the warmest city (22.3 °C on average, up to 36.0 °C) and the driest, with only 3.5 mm of rain on 8 days. Oslo averaged 6.3 °C and got as cold as -11.1 °C; it had 512.0 mm of rain. Madrid lies between them with 15.5 °C and 208.2 mm.", [
            ("swapped entity", "Oslo averaged 6.3", "Oslo averaged 15.5", "averaged 15.5"),
            ("wrong statistic", "up to 36.0", "up to 22.3", "up to 22.3"),
            ("swapped entity", "512.0 mm", "208.2 mm of", "208.2 mm of"),
            ("wrong column", "on 8 days", "on 36 days", "36 days"),
            ("sign or direction", "-11.1", "11.1")]),
        ("plain", "In Oslo July was the warmest month with 17.9 °C on average, January the coldest with -6.0 °C.", [
            ("swapped entity", "17.9", "16.7"),
            ("sign or direction", "-6.0", "6.0"),
            ("swapped entity", "January", "February", "-6.0")]),
        ("derived", "It rained on 35 more days in Oslo than in Madrid (74 against 39).", [
            ("miscomputed derivation", "35", "33"),
            ("swapped entity", "(74 against 39)", "(39 against 74)", ["39", "74"])]),
        ("small integers", "Madrid had just 3 days above 30 °C, Cairo had 36 of them, and Oslo none.", [
            ("swapped entity", "just 3 days above 30 °C, Cairo had 36", "just 36 days above 30 °C, Cairo had 3", ["36 days", "had 3"])]),
        ("derived", "Between the coldest and the warmest day in Madrid lie 34.3 degrees.", [
            ("miscomputed derivation", "34.3", "33.1")]),
    ],
}
