{
    "domain": "strategy backtest",
    "question": "Backtest my 20/50 moving average crossover on this series, start with 10,000. How does it do vs buy and hold? Use 252 trading days",
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(11)
ret = rng.normal(0.0005, 0.012, 756)
price = pd.Series(100 * np.exp(np.cumsum(ret)))
def stats(r):
    eq = 10000 * (1 + r).cumprod()
    return pd.Series({"final": eq.iloc[-1], "cagr": (eq.iloc[-1] / 10000) ** (252 / len(r)) - 1, "vol": r.std() * 252 ** 0.5,
                      "sharpe": r.mean() / r.std() * 252 ** 0.5, "max_dd": (eq / eq.cummax() - 1).min()})
r = price.pct_change().fillna(0)
signal = (price.rolling(20).mean() > price.rolling(50).mean()).astype(int)
strat = r * signal
print(pd.DataFrame({"hold": stats(r), "cross": stats(strat)}).round(4))""",
r"""# that looks one day into the future: shift the signal, and 5 bp per trade
pos = signal.shift(1).fillna(0)
trades = int(pos.diff().abs().sum())
strat = r * pos - 0.0005 * pos.diff().abs().fillna(0)
print(trades, "trades, invested", round(pos.mean(), 3), "of the days")
print(stats(strat).round(4))"""],
    "answers": [
        ("plain", "After fixing the look-ahead, the crossover ends at 12,847, buy and hold at 18,233.", [
            ("stale value", "12,847", "13,525"),
            ("swapped entity", "crossover ends at 12,847, buy and hold at 18,233", "crossover ends at 18,233, buy and hold at 12,847", ["18,233", "12,847"]),
        ]),
        ("percent", "Your strategy returned 8.7% a year, buy and hold 22.2%.", [
            ("stale value", "8.7%", "10.6%"),
            ("wrong statistic", "22.2%", "18.7%"),
        ]),
        ("constants of a method", "Annualised with 252 trading days and after 5 bp per trade, the Sharpe ratio is 0.62.", [
            ("stale value", "0.62", "0.72"),
            ("scale", "0.62", "6.2"),
        ]),
        ("inequalities", "The worst drawdown stayed below 14%, but it was deeper than the 12% of buy and hold.", [
            ("sign or direction", "below 14%", "above 14%", "14%"),
            ("wrong statistic", "the 12% of", "the 19% of", "19%"),
        ]),
        ("small integers", "It made 15 trades and was invested on 68% of the days.", [
            ("question number given as result", "15 trades", "20 trades", "20"),
            ("number of something else", "68%", "32%"),
        ]),
        ("fractions in words", "It was in the market about two thirds of the time and earned 2,847 on the 10,000, roughly a third of what buy and hold made.", [
            ("miscomputed derivation", "2,847", "3,847"),
            ("number of something else", "earned 2,847", "earned 8,233", "8,233"),
        ]),
        ("scale words", "Your 10 thousand became 12.8 thousand.", [
            ("scale", "12.8 thousand", "128 thousand", "128"),
            ("stale value", "12.8 thousand", "13.5 thousand", "13.5"),
        ]),
        ("summary of an analysis", "Buy and hold wins clearly. It turned the 10,000 into 18,233 with a Sharpe ratio of 1.16; your crossover, without look-ahead and with costs, reached 12,847 and 0.62. Its volatility is lower (15.5% against 18.7%), but the maximum drawdown of 13.8% is no better than the 12.0% of buy and hold. Over the 3 years it made 15 trades.", [
            ("stale value", "drawdown of 13.8%", "drawdown of 14.7%", "14.7%"),
            ("wrong statistic", "Sharpe ratio of 1.16", "Sharpe ratio of 0.22", "0.22"),
            ("question number given as result", "15 trades", "50 trades", "50"),
        ]),
    ],
}
