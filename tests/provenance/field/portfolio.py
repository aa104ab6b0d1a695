{
    "domain": 'private portfolio',
    "question": 'How did my three stocks do in the first half of the year (40 ACME, 75 BOLT, 18 CORE)?',
    "cells": [
r"""import numpy as np
import pandas as pd
px = pd.DataFrame({
    "ACME": [104.2, 107.8, 103.1, 110.4, 116.0, 113.5, 121.9],
    "BOLT": [58.4, 57.1, 55.9, 60.3, 59.8, 56.2, 54.6],
    "CORE": [212.0, 215.5, 219.1, 216.8, 223.4, 228.0, 231.7]},
    index=["Dec", "Jan", "Feb", "Mar", "Apr", "May", "Jun"])
shares = pd.Series({"ACME": 40, "BOLT": 75, "CORE": 18})
val = px * shares
val["total"] = val.sum(axis=1)
val.round(0)
""",
r"""ret = px.pct_change().dropna()
print((ret * 100).round(2))
print("half-year %:")
print(((px.iloc[-1] / px.iloc[0] - 1) * 100).round(1))
print("total: %.1f%%" % ((val.total.iloc[-1] / val.total.iloc[0] - 1) * 100))
""",
r"""print("monthly vol %:", (ret.std() * 100).round(2).to_dict())
print("corr ACME/BOLT", ret.ACME.corr(ret.BOLT).round(2))
dd = (val.total / val.total.cummax() - 1).min()
print("max drawdown %.1f%%" % (dd * 100))
print("weights", (val.iloc[-1, :3] / val.total.iloc[-1]).round(3).to_dict())
""",
    ],
    "answers": [('plain',
  'Your portfolio gained 6.3%, from about 12,364 to 13,142.',
  [('sign or direction', 'gained 6.3%', 'lost 6.3%', '6.3'), ('digit', '13,142', '13,412'), ('swapped entity', '6.3%', '9.3%', '9.3')]),
 ('percent',
  'ACME is up 17.0%, CORE 9.3%; BOLT lost 6.5%.',
  [('sign or direction', 'BOLT lost 6.5%', 'BOLT gained 6.5%', '6.5'),
   ('wrong statistic', '17.0%', '17.7%', '17.7'),
   ('digit', '9.3%', '3.9%', '3.9')]),
 ('derived',
  "In money: ACME earned you 708 and CORE about 355, while BOLT cost you 285, so you're 778 ahead.",
  [('miscomputed derivation', '708', '608'),
   ('miscomputed derivation', '778 ahead', '878 ahead', '878'),
   ('sign or direction', 'BOLT cost you 285', 'BOLT earned you 285', '285'),
   ('miscomputed derivation', '355', '335')]),
 ('list or table',
  '- **ACME** – 37.1% of the portfolio, monthly volatility 4.92%, best month June (+7.40%)\n'
  '- **CORE** – 31.7%, volatility 1.36%, only down in March (-1.05%)\n'
  '- **BOLT** – 31.2%, volatility 4.69%, down in five of six months',
  [('invented', '1.36%', '3.16%', '3.16'),
   ('sign or direction', '(-1.05%)', '(+1.05%)', '1.05'),
   ('swapped entity', '(+7.40%)', '(+7.08%)', '7.08'),
   ('digit', '37.1%', '31.9%', '31.9')]),
 ('summary of an analysis',
  "The half-year was positive despite BOLT. The deepest setback was 2.2%, from April's 13,146 to 12,859 in May, and June recovered nearly all of it. "
  'ACME is the engine but swings 3.6 times as much as CORE; with a correlation of 0.54, BOLT offers it only partial diversification.',
  [('digit', '13,146', '13,416'),
   ('miscomputed derivation', '3.6 times', '2.6 times', '2.6'),
   ('digit', '0.54', '0.45'),
   ('wrong statistic', '2.2%', '6.0%', '6.0')]),
 ('dates, versions, ordinals',
  "BOLT's best month was March with +7.87%, its worst May, when it fell 6.02%.",
  [('swapped entity', '+7.87%', '+7.08%', '7.08'), ('sign or direction', 'fell 6.02%', 'rose 6.02%', '6.02'), ('digit', '6.02%', '6.20%', '6.20')])],
}
