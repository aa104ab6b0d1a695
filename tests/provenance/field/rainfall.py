{
    "domain": 'climate, daily rainfall',
    "question": "Summarise last year's daily rainfall at our gauge: total, wettest month, dry spells, heavy rain days.",
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(815)
d = pd.date_range("2023-01-01", "2023-12-31")
wet = rng.random(len(d)) < (0.42 + 0.13*np.cos((d.dayofyear - 15)/365*2*np.pi))
mm = np.where(wet, rng.gamma(0.75, 7.5, len(d)), 0).round(1)
mm[200] = 612.0     # gauge glitch
s = pd.Series(mm, index=d)
print("total", round(s.sum(), 1), "mm, wet days (>= 1 mm):", int((s >= 1).sum()))
s.groupby(s.index.month).sum().round(1).to_dict()""",
r"""s[s > 300] = 0.0
m = s.groupby(s.index.month).agg(["sum", "max", lambda x: int((x >= 1).sum())])
m.columns = ["sum", "max_day", "wet_days"]
print(m.round(1))
print("total", round(s.sum(), 1), "wet days", int((s >= 1).sum()), "mean per wet day", round(s[s >= 1].mean(), 2))""",
r"""dry = s < 1
run = dry.groupby((~dry).cumsum()).sum()
print("longest dry spell", int(run.max()), "days; days >= 20 mm:", int((s >= 20).sum()), "; >= 30 mm:", int((s >= 30).sum()))
print("wettest day", s.idxmax().date(), s.max())
ltm = 1004
print(f"vs long-term mean {ltm}: {100*(s.sum()/ltm-1):+.1f} %")""",
    ],
    "answers": [
        ('plain', 'It rained 960 mm last year, 4.3% below the long-term mean of 1,004.', [
            ('stale value', '960 mm', '1,572 mm', '1,572'),
            ('sign or direction', '4.3% below', '4.3% above', '4.3'),
            ('scale', '4.3%', '43%', '43'),
        ]),
        ('plain', 'March was the wettest month with 122.4 mm, and November the driest (37.4).', [
            ('swapped entity', '122.4 mm', '111.4 mm', '111.4'),
            ('stale value', '122.4 mm', '723.4 mm', '723.4'),
            ('swapped entity', '37.4', '49.6'),
        ]),
        ('derived', "I removed an implausible 612 mm reading in July; that takes the month's total from 723 to 111 mm.", [
            ('digit', '612 mm', '621 mm', '621'),
            ('wrong column', 'to 111 mm', 'to 25 mm', '25'),
            ('swapped entity', 'from 723', 'from 122', '122'),
        ]),
        ('summary of an analysis', 'There were 120 wet days (1 mm or more), about a third of the year, averaging 7.9 mm each. Heavy rain was rare: 9 days with at least 20 mm and only 2 with 30 mm or more. The wettest was 21 May with 35.9 mm. The longest dry spell lasted 12 days. After removing the faulty July value the annual total is 960.4 mm, 44 mm short of the long-term mean.', [
            ('stale value', '120 wet', '121 wet', '121'),
            ('swapped entity', '35.9 mm', '30.2 mm', '30.2'),
            ('miscomputed derivation', '44 mm', '54 mm', '54'),
            ('number of something else', 'lasted 12 days', 'lasted 16 days', '16'),
        ]),
        ('list or table', '| Month | Total (mm) | Wettest day | Wet days |\n|---|---|---|---|\n| Jan | 83.4 | 25.4 | 10 |\n| Feb | 97.7 | 18.3 | 12 |\n| Mar | 122.4 | 19.2 | 16 |\n| Jul | 111.4 | 25.1 | 10 |\n| Nov | 37.4 | 13.0 | 6 |', [
            ('digit', '| 97.7 |', '| 79.7 |', '79.7'),
            ('swapped entity', '| 19.2 |', '| 13.8 |', '13.8'),
            ('invented', '| 16 |', '| 31 |', '31'),
        ]),
        ('derived', 'The first three months brought 303.5 mm, almost a third of the annual total.', [
            ('miscomputed derivation', '303.5', '313.5'),
            ('digit', '303.5', '330.5'),
            ('scale', '303.5', '3,035'),
        ]),
    ],
}
