{
    "domain": "crypto",
    "question": "How risky was the coin?",
    "cells": ['''
import numpy as np, pandas as pd
rng = np.random.default_rng(31)
r = rng.normal(.0009, .034, 365)
price = 18250*np.exp(np.cumsum(r))
s = pd.Series(price, index=pd.date_range("2023-01-01", periods=365))
ret = s.pct_change().dropna()
print(f"start {s.iloc[0]:.2f} end {s.iloc[-1]:.2f}")
print(f"total return {(s.iloc[-1]/s.iloc[0]-1)*100:.2f}%")
print(f"daily volatility {ret.std()*100:.2f}% annualised {ret.std()*np.sqrt(365)*100:.1f}%")
dd = s/s.cummax()-1
print(f"max drawdown {dd.min()*100:.2f}% on {dd.idxmin():%Y-%m-%d}")
print("best day", round(ret.max()*100, 2), "worst day", round(ret.min()*100, 2))
print("positive days", int((ret>0).sum()), "of", len(ret))
'''],
    "answers": [
        ("summary of an analysis", "The coin tripled over the year, from 18,022.57 to 54,584.84 (+202.87 %). It was risky: daily volatility was 3.24 % (62.0 % annualised), and the maximum drawdown reached 37.94 %. The worst day lost 8.95 %, the best gained 12.9 %.", [
            ("swapped entity", "worst day lost 8.95 %, the best gained 12.9 %", "worst day lost 12.9 %, the best gained 8.95 %", ["12.9 %", "8.95 %"]),
            ("wrong statistic", "volatility was 3.24 % (62.0 % annualised)", "volatility was 62.0 % (3.24 % annualised)", ["62.0 %", "3.24 %"]),
            ("sign or direction", "+202.87", "-202.87")]),
        ("derived", "The price rose by 36,562.27.", [
            ("miscomputed derivation", "36,562.27", "36,652.27"),
            ("sign or direction", "rose", "fell", "36,562.27")]),
        ("percent", "The coin gained on 203 of 364 days, i.e. 55.8 % of the time.", [
            ("miscomputed derivation", "55.8 %", "58.5 %"),
            ("digit", "203", "230")]),
        ("derived", "It lost value on 161 days.", [
            ("miscomputed derivation", "161", "151")]),
    ],
}
