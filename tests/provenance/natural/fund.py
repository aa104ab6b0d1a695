{
    "domain": 'fund',
    "question": 'How did the two funds do?',
    "cells": [
        r"""
import pandas as pd, numpy as np
idx = pd.period_range("2023-01", periods=12, freq="M")
a = pd.Series([1.2, -0.8, 2.4, 0.3, -1.9, 3.1, 1.0, -2.2, -0.5, 1.7, 2.6, 0.9], idx)
b = pd.Series([0.6, 0.2, 0.9, 0.4, -0.3, 1.1, 0.5, -0.7, 0.1, 0.8, 1.0, 0.6], idx)
for name, r in (("Falcon", a), ("Heron", b)):
    total = ((1 + r / 100).prod() - 1) * 100
    vol = r.std() * np.sqrt(12)
    wealth = (1 + r / 100).cumprod()
    dd = ((wealth / wealth.cummax()) - 1).min() * 100
    print(f"{name}: return {total:.2f}%, volatility {vol:.2f}%, max drawdown {dd:.2f}%, best month {r.max()}% ({r.idxmax()}), worst month {r.min()}% ({r.idxmin()}), {int((r > 0).sum())} positive months")
print("correlation:", round(a.corr(b), 3))
""",
    ],
    "answers": [
        ('plain', 'Falcon returned 7.91 % in the year and Heron 5.31 %, but Falcon was three times as volatile (5.97 % vs. 1.86 %).', [
            ('swapped entity', '7.91 % in the year and Heron 5.31 %', '5.31 % in the year and Heron 7.91 %', ['5.31 %', '7.91 %']),
            ('swapped entity', '(5.97 % vs. 1.86 %)', '(1.86 % vs. 5.97 %)', ['1.86 %', '5.97 %']),
        ]),
        ('plain', "Falcon's worst month was August 2023 with a loss of 2.2 %; its largest drawdown was 2.69 %.", [
            ('swapped entity', '2.2 %', '0.7 %'),
            ('sign or direction', 'a loss of', 'a gain of', '2.2 %'),
            ('digit', '2.69 %', '2.96 %'),
        ]),
        ('plain', 'Heron closed 10 of 12 months in the black, Falcon 8.', [
            ('swapped entity', '10 of 12 months in the black, Falcon 8', '8 of 12 months in the black, Falcon 10', ['8 of', '10']),
            ('digit', '10 of', '11 of', '11'),
        ]),
        ('derived', 'Falcon beat Heron by 2.6 percentage points.', [
            ('miscomputed derivation', '2.6', '3.6'),
            ('sign or direction', 'Falcon beat Heron', 'Heron beat Falcon', '2.6'),
        ]),
        ('plain', 'The two are almost perfectly correlated (0.977).', [
            ('digit', '0.977', '0.797'),
            ('sign or direction', '(0.977)', '(-0.977)', '-0.977'),
        ]),
    ],
}
