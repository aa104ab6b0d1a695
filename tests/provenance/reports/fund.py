{
    "domain": 'fund performance',
    "question": 'monthly returns (in %) of our fund and its benchmark for 2023 are below. did we beat the index, at what risk? assume 4% risk-free',
    "cells": [
r'''import numpy as np, pandas as pd
csv = """month,fund,bench
2023-01,4.1,3.6
2023-02,-1.8,-2.4
2023-03,2.2,3.1
2023-04,0.9,1.3
2023-05,-0.7,0.2
2023-06,5.3,6.2
2023-07,2.6,3.0
2023-08,-2.9,-1.7
2023-09,-3.8,-4.7
2023-10,-1.5,-2.1
2023-11,8.4,8.9
2023-12,4.6,4.3
"""
open("returns.csv", "w").write(csv)
r = pd.read_csv("returns.csv", index_col="month") / 100
wealth = (1 + r).cumprod()
wealth.round(4)''',
r'''def summary(s):
    w = (1 + s).cumprod()
    w0 = pd.concat([pd.Series([1.0]), w])
    dd = (w0 / w0.cummax() - 1).min()
    return pd.Series({
        "total_return": w.iloc[-1] - 1,
        "ann_vol": s.std() * np.sqrt(12),
        "sharpe": (s.mean() * 12 - 0.04) / (s.std() * np.sqrt(12)),
        "max_drawdown": dd,
        "best": s.max(),
        "worst": s.min(),
        "pos_months": (s > 0).sum(),
    })
r.apply(summary).round(4)''',
r'''beta, alpha = np.polyfit(r.bench, r.fund, 1)
active = r.fund - r.bench
print(f"beta={beta:.3f}  alpha/month={alpha*1e4:.1f} bp  corr={r.corr().iloc[0,1]:.3f}")
print(f"tracking error (ann.) = {active.std()*np.sqrt(12):.2%}, months ahead = {(active>0).sum()}")
print(f"100000 EUR -> fund {100000*wealth.fund.iloc[-1]:,.2f} / bench {100000*wealth.bench.iloc[-1]:,.2f}")''',
    ],
    "answers": [
        ('summary of an analysis', 'No. The fund returned **17.98%** in 2023, the benchmark **20.57%**, so you trailed by about 2.6 percentage points. Risk was slightly lower (annualised volatility 12.9% vs 13.7%, maximum drawdown −8.0% vs −8.3%), but the Sharpe ratio was still worse: 1.04 against 1.15.', [
            ('swapped entity', '12.9% vs 13.7%', '13.7% vs 12.9%', ['13.7%', '12.9%']),
            ('miscomputed derivation', 'about 2.6 percentage', 'about 3.6 percentage', '3.6'),
            ('digit', '1.04 against', '1.40 against', '1.40'),
            ('sign or direction', 'trailed by about 2.6', 'led by about 2.6', '2.6'),
        ]),
        ('units or currency', '€100,000 invested at the start of the year would have grown to €117,983 in the fund and €120,573 in the benchmark, a shortfall of roughly €2,590.', [
            ('scale', '€117,983', '€17,983'),
            ('miscomputed derivation', '€2,590', '€2,950'),
            ('rounding', '€120,573', '€120,572'),
        ]),
        ('plain', "The fund's beta was 0.93 with a monthly alpha of −7 basis points. Correlation with the benchmark is 0.984 and tracking error 2.53% a year, so this is close to an index product.", [
            ('sign or direction', '−7 basis', '+7 basis', '7 basis'),
            ('number of something else', 'beta was 0.93', 'beta was 0.98', 'was 0.98'),
            ('digit', '2.53%', '2.35%'),
            ('scale', '−7 basis points', '−0.7 basis points', '0.7'),
        ]),
        ('counted', 'The fund was positive in 7 of 12 months (benchmark: 8) and ahead of the benchmark in only 5. The best month was November with +8.4%, the worst September with −3.8%.', [
            ('swapped entity', 'in 7 of 12', 'in 8 of 12', '8 of 12'),
            ('swapped entity', '−3.8%', '−4.7%', '4.7%'),
            ('number of something else', 'in only 5', 'in only 4', 'only 4'),
        ]),
        ('derived', 'From the peak in July the fund lost 8.0% by the end of October, then recovered 13.4% in the last two months. The index did much the same: −8.3%, then +13.6%.', [
            ('miscomputed derivation', 'recovered 13.4%', 'recovered 13.0%', '13.0%'),
            ('digit', 'lost 8.0%', 'lost 6.0%', '6.0%'),
            ('miscomputed derivation', '+13.6%', '+16.3%', '16.3%'),
        ]),
        ('constants of a method', 'The Sharpe ratios (1.04 for the fund, 1.15 for the index) use a 4% risk-free rate and monthly standard deviations scaled by √12.', [
            ('digit', '1.15 for', '1.51 for', '1.51'),
            ('question number given as result', '(1.04 for the fund', '(4.00 for the fund', '4.00'),
            ('wrong statistic', '(1.04 for the fund', '(0.93 for the fund', '0.93'),
        ]),
    ],
}
