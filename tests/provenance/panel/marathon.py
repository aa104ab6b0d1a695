{
    "domain": "running club",
    "question": "Here are our club's results from Sunday's marathon (42.195 km). Who paced it best, and how did we do against the 3:30 target?",
    "cells": [
r"""
import pandas as pd
raw = '''name,sex,age,half,finish
Adeyemi,M,34,1:31:42,3:04:55
Bianchi,F,41,1:45:10,3:33:02
Castellanos,M,52,1:52:30,3:58:47
Dubrovnik,F,29,1:38:05,3:17:29
Eriksen,M,38,1:40:51,3:21:12
Fonseca,F,45,2:01:19,4:16:08
Gallagher,M,27,1:25:33,3:01:40
Hashimoto,F,36,1:44:48,3:28:30'''
from io import StringIO
df = pd.read_csv(StringIO(raw))
for c in ("half", "finish"):
    df[c + "_s"] = pd.to_timedelta(df[c]).dt.total_seconds().astype(int)
df["second_s"] = df.finish_s - df.half_s
df["fade_pct"] = ((df.second_s / df.half_s - 1) * 100).round(2)
df["pace"] = (df.finish_s / 42.195).round(1)
print(df[["name", "sex", "age", "finish", "half_s", "second_s", "fade_pct", "pace"]].to_string(index=False))
""",
r"""
target = 3 * 3600 + 30 * 60
under = df[df.finish_s < target]
print(f"under 3:30: {len(under)} of {len(df)}")
print("mean finish (s):", df.finish_s.mean(), " median (s):", df.finish_s.median())
print(df.groupby("sex")[["finish_s", "fade_pct", "age"]].mean().round(2))
"""],
    "answers": [
        ("plain", "Hashimoto paced it best: her second half was 66 s quicker than her first (-1.05%). The only other negative split is Eriksen's, -0.50%.", [
            ("swapped entity", "66 s", "30 s"),
            ("digit", "-1.05%", "-1.50%"),
        ]),
        ("small integers", "5 of our 8 runners came in under 3:30; Bianchi, Castellanos and Fonseca didn't.", [
            ("digit", "5 of", "6 of"),
            ("number of something else", "5 of our", "3 of our", "3 of"),
        ]),
        ("derived", "As a group we averaged 3 h 30 min 13 s, so we missed the target by about 13 seconds. Agonisingly close!", [
            ("scale", "about 13 seconds", "about 130 seconds", "130"),
            ("invented", "Agonisingly close!", "The wind cost us some 45 seconds each.", "45"),
            ("wrong statistic", "3 h 30 min 13 s, so", "3 h 24 min 51 s, so", ["24", "51"]),
        ]),
        ("units or currency", "Gallagher ran at 258.3 s per km, i.e. roughly 4:18 min/km or 13.9 km/h.", [
            ("swapped entity", "258.3 s", "262.9 s", "262.9"),
            ("miscomputed derivation", "13.9", "19.3"),
        ]),
        ("derived", "The men were about 17 minutes quicker on average (12,098.5 s vs 13,127.25 s), but they faded more in the second half: 6.44% against 3.50%.", [
            ("sign or direction", "quicker", "slower", "17"),
            ("miscomputed derivation", "about 17", "about 19", "19"),
            ("swapped entity", "6.44% against 3.50%", "3.50% against 6.44%", ["3.50%", "6.44%"]),
        ]),
        ("inequalities", "Three people slowed by more than 10% after halfway, Gallagher worst with 12.35%; everybody else stayed below 3%.", [
            ("number of something else", "more than 10%", "more than 12%", "12%"),
            ("swapped entity", "12.35%", "11.13%"),
            ("digit", "below 3%", "below 2%", "2%"),
        ]),
        ("list or table", "Sub-3:30 finishers:\n- Gallagher 3:01:40\n- Adeyemi 3:04:55\n- Dubrovnik 3:17:29\n- Eriksen 3:21:12\n- Hashimoto 3:28:30", [
            ("digit", "3:17:29", "3:11:29"),
            ("wrong column", "3:21:12", "1:40:51"),
        ]),
    ],
}
