{
    "domain": 'flight delays',
    "question": 'Summarise these flight delays by airline. I also want to know how the averages change if cancelled flights (coded 999) are taken out.',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(58)
n = 400
air = rng.choice(["Nordwind", "BlueJet", "Transalp", "Meridian"], n, p=[0.35, 0.3, 0.2, 0.15])
mu = pd.Series(air).map({"Nordwind": 9, "BlueJet": 17, "Transalp": 12, "Meridian": 21}).values
delay = np.round(rng.exponential(mu) - 3).astype(int)
delay[rng.choice(n, 11, replace=False)] = 999
f = pd.DataFrame({"airline": air, "delay": delay, "hour": rng.integers(6, 23, n)})
print(f.groupby("airline").delay.agg(["size", "mean", "median", "max"]).round(1))
print("overall mean", f.delay.mean().round(1), "median", f.delay.median())""",
r"""print("cancelled:", f[f.delay == 999].airline.value_counts().to_dict())
ok = f[f.delay != 999].copy()
a = ok.groupby("airline").delay.agg(["size", "mean", "median", "max"]).round(1)
a["late15"] = ok.groupby("airline").delay.apply(lambda s: (s >= 15).mean()).mul(100).round(1)
print(a.sort_values("mean"))
print("overall mean", ok.delay.mean().round(1), "median", ok.delay.median())""",
r"""ok["part"] = pd.cut(ok.hour, [5, 11, 16, 22], labels=["morning", "afternoon", "evening"])
print(ok.pivot_table(index="airline", columns="part", values="delay", aggfunc="mean").round(1))
print(ok.part.value_counts())
print("early or on time:", (ok.delay <= 0).sum())""",
    ],
    "answers": [
        ('summary of an analysis', 'Eleven of the 400 flights were cancelled and coded as 999, which wrecks the averages. Without them the overall mean delay falls from 38.2 to 11.0 minutes and the median from 7 to 6. Nordwind is the most punctual airline with a mean of 6.0 minutes, then Transalp (8.3), BlueJet (13.9) and Meridian (19.3).', [
            ('stale value', 'BlueJet (13.9)', 'BlueJet (22.3)', '22.3'),
            ('stale value', 'Transalp (8.3)', 'Transalp (51.3)', '51.3'),
            ('swapped entity', 'BlueJet (13.9) and Meridian (19.3)', 'BlueJet (19.3) and Meridian (13.9)', ['19.3', '13.9']),
            ('wrong statistic', 'mean of 6.0 minutes', 'mean of 3.0 minutes', '3.0'),
        ]),
        ('plain', "Meridian's average delay is 19.3 minutes once the cancellations are out.", [
            ('stale value', '19.3', '47.7'),
            ('wrong statistic', '19.3', '13.0'),
            ('digit', '19.3', '13.9'),
        ]),
        ('percent', 'At Meridian 46.3 % of flights are at least 15 minutes late, against only 13.5 % at Nordwind.', [
            ('swapped entity', '46.3 % of flights are at least 15 minutes late, against only 13.5 %', '13.5 % of flights are at least 15 minutes late, against only 46.3 %', ['13.5', '46.3']),
            ('swapped entity', '46.3', '33.9'),
            ('digit', '13.5', '15.3'),
        ]),
        ('counted', 'Of the 389 flights that took place, 88 were early or on time, about 23 %.', [
            ('stale value', '389', '400'),
            ('miscomputed derivation', '23 %', '32 %', '32'),
            ('number of something else', '88 were', '96 were', '96'),
        ]),
        ('derived', "Five of the cancellations were Nordwind's; at 141 flights flown that is about 3.4 % of its 146 scheduled.", [
            ('miscomputed derivation', '3.4', '4.3'),
            ('digit', 'at 141', 'at 114', '114'),
            ('swapped entity', 'its 146', 'its 116', '116'),
        ]),
        ('list or table', 'Mean delay by time of day (minutes):\n\n| Airline | Morning | Afternoon | Evening |\n|---|---|---|---|\n| BlueJet | 11.8 | 19.7 | 10.6 |\n| Meridian | 17.0 | 22.4 | 20.1 |\n| Nordwind | 5.0 | 6.9 | 6.4 |\n| Transalp | 9.1 | 9.6 | 6.2 |', [
            ('swapped entity', '| 19.7 | 10.6 |', '| 10.6 | 19.7 |', ['10.6', '19.7']),
            ('digit', '20.1', '21.0'),
            ('wrong column', '| 9.1 |', '| 8.3 |', '8.3'),
            ('digit', '| 6.9 |', '| 7.9 |', '7.9'),
        ]),
        ('derived', 'The raw means were nonsense: Transalp looked worst with 51.3 minutes, mostly because three cancelled flights counted as 999 each. Its true average is 8.3, i.e. 43 minutes lower.', [
            ('swapped entity', '51.3', '47.7'),
            ('stale value', 'is 8.3', 'is 22.3', '22.3'),
            ('miscomputed derivation', '43 minutes', '53 minutes', '53'),
            ('sign or direction', '43 minutes lower', '43 minutes higher', '43'),
        ]),
    ],
}
