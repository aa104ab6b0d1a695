{
    "domain": 'coffee shop sales',
    "question": 'Three coffee shops, first quarter. Which one earns most, and how did sales develop over the three months?',
    "cells": [
r"""import pandas as pd
from io import StringIO
csv = '''store,month,revenue,cups,cost
Harbour,Jan,18450,4210,11230
Harbour,Feb,17320,3980,10875
Harbour,Mar,21690,4875,12410
Station,Jan,26310,6545,15980
Station,Feb,25140,6230,15310
Station,Mar,29875,7390,17640
Campus,Jan,12980,3720,9140
Campus,Feb,15460,4390,10020
Campus,Mar,14210,4015,9655
'''
df = pd.read_csv(StringIO(csv))
df
""",
r"""g = df.groupby("store")[["revenue", "cups", "cost"]].sum()
g["profit"] = g["revenue"] - g["cost"]
g["margin_pct"] = (g["profit"] / g["revenue"] * 100).round(1)
g["rev_per_cup"] = (g["revenue"] / g["cups"]).round(2)
print(g.sort_values("revenue", ascending=False).to_string())
print("total revenue", g["revenue"].sum(), "total profit", g["profit"].sum())
""",
r"""m = df.pivot_table(index="month", values="revenue", aggfunc="sum").loc[["Jan", "Feb", "Mar"]]
m["chg_pct"] = m["revenue"].pct_change().mul(100).round(1)
m
""",
    ],
    "answers": [('plain',
  'Station is the biggest by far: it took in 81,325 in the quarter and made a profit of 32,395.',
  [('swapped entity', '81,325', '57,460'), ('wrong column', '32,395', '48,930'), ('digit', '81,325', '83,125')]),
 ('derived',
  'Sales hardly moved in February but jumped in March; March came in 8,035 above January, a gain of 13.9 % over the two months.',
  [('miscomputed derivation', '8,035', '7,855'),
   ('wrong statistic', '13.9 %', '13.6 %', '13.6'),
   ('sign or direction', '8,035 above', '8,035 below', '8,035')]),
 ('percent',
  'Station brings in roughly 45% of all revenue, Harbour about 32% and Campus not quite a quarter.',
  [('miscomputed derivation', '45%', '47%', '47'), ('swapped entity', '32%', '24%', '24')]),
 ('list or table',
  'Q1 by shop:\n'
  '\n'
  '| Shop | Revenue | Profit | Margin |\n'
  '|---|---:|---:|---:|\n'
  '| Station | 81,325 | 32,395 | 39.8 % |\n'
  '| Harbour | 57,460 | 22,945 | 39.9 % |\n'
  '| Campus | 42,650 | 13,835 | 32.4 % |\n'
  '| **All three** | **181,435** | **69,175** | **38.1 %** |\n'
  '\n'
  "Harbour's customers pay the most per cup (4.40), Campus's the least (3.52).",
  [('wrong column', '22,945', '34,515'),
   ('miscomputed derivation', '38.1 %', '37.4 %', '37.4'),
   ('swapped entity', '(4.40)', '(4.03)', '4.03'),
   ('scale', '181,435', '1,814,350')]),
 ('summary of an analysis',
  'Campus is the weak spot: its margin is 32.4%, about 7 points lower than the other two, and it was also the only store where March sales fell, by '
  '8.1% against February. Part of the reason is price: a cup there brings 3.52 on average, versus 4.40 at Harbour.',
  [('sign or direction', 'fell, by 8.1%', 'rose, by 8.1%', '8.1'),
   ('miscomputed derivation', '7 points', '11 points', '11'),
   ('number of something else', '3.52', '3.72')]),
 ('counted',
  'Together the shops sold 45,355 cups, so a cup brought in almost exactly 4.00 on average.',
  [('miscomputed derivation', '45,355', '43,355'), ('wrong statistic', '4.00', '3.98')])],
}
