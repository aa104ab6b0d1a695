{
    "domain": 'portfolio3',
    "question": 'How did the strategy perform against the index?',
    "cells": [
        r"""
import numpy as np, pandas as pd
rng = np.random.default_rng(77)
idx = pd.date_range("2023-01-31", periods=24, freq="M" if pd.__version__ < "2.2" else "ME")
strategy = pd.Series(rng.normal(0.011, 0.035, 24), index=idx)
index = pd.Series(rng.normal(0.006, 0.042, 24), index=idx)
out = {}
for name, r in (("strategy", strategy), ("index", index)):
    wealth = (1 + r).cumprod()
    out[name] = {"total_return": wealth.iloc[-1] - 1, "annual_return": wealth.iloc[-1] ** 0.5 - 1, "volatility": r.std() * 12 ** 0.5,
                 "sharpe": r.mean() / r.std() * 12 ** 0.5, "max_drawdown": (wealth / wealth.cummax() - 1).min(), "positive_months": int((r > 0).sum())}
print(pd.DataFrame(out).round(4))
""",
        r"""
print("best month:", strategy.idxmax().strftime("%B %Y"), f"{strategy.max():+.2%}")
print("worst month:", strategy.idxmin().strftime("%B %Y"), f"{strategy.min():+.2%}")
print("correlation with index:", round(strategy.corr(index), 3))
""",
    ],
    "answers": [
        ('plain', 'The strategy returned 6.3 % over the two years, the index only 0.9 %.', [
            ('swapped entity', '6.3 % over the two years, the index only 0.9 %', '0.9 % over the two years, the index only 6.3 %', ['0.9 %', '6.3 %']),
            ('wrong column', '6.3 %', '3.1 %'),
            ('scale', '0.9 %', '9 %'),
        ]),
        ('plain', 'It was more volatile (14.8 % vs. 12.8 %), but its maximum drawdown was smaller (-13.7 % vs. -15.6 %).', [
            ('digit', '14.8 %', '18.4 %'),
            ('swapped entity', '-13.7 % vs. -15.6 %', '-15.6 % vs. -13.7 %', ['-15.6 %', '-13.7 %']),
        ]),
        ('plain', 'The Sharpe ratio is 0.28 compared with 0.10 for the index.', [
            ('digit', '0.28', '0.82'),
            ('wrong column', '0.28', '0.15'),
        ]),
        ('plain', 'Its best month was March 2023 (+10.39 %) and its worst September 2024 (-6.62 %).', [
            ('sign or direction', '-6.62 %', '+6.62 %'),
            ('digit', '+10.39 %', '+13.09 %'),
        ]),
        ('plain', '13 of the 24 months were positive, just one more than for the index.', [
            ('swapped entity', '13 of', '12 of', '12 of'),
            ('digit', '24 months', '42 months', '42'),
        ]),
        ('derived', 'So the strategy beat the index by 5.43 percentage points.', [
            ('miscomputed derivation', '5.43', '4.53'),
            ('sign or direction', 'beat', 'trailed', '5.43'),
        ]),
        ('plain', 'There is practically no correlation with the index (0.055).', [
            ('digit', '0.055', '0.55'),
        ]),
        ('units or currency', '10,000 EUR would have become 10,631 EUR.', [
            ('miscomputed derivation', '10,631', '10,361'),
        ]),
    ],
}
