{
    "domain": 'olsfit',
    "question": 'What drives the price of used cars?',
    "cells": [
        r"""
import numpy as np
rng = np.random.default_rng(21)
n = 240
age = rng.integers(1, 15, n)
km = age * 13.5 + rng.normal(0, 15, n)
power = rng.integers(60, 220, n)
price = 18500 - 780 * age - 22 * km + 61 * power + rng.normal(0, 1500, n)
X = np.column_stack([np.ones(n), age, km, power])
beta, rss, *_ = np.linalg.lstsq(X, price, rcond=None)
dof = n - 4
s2 = rss[0] / dof
se = np.sqrt(np.diag(s2 * np.linalg.inv(X.T @ X)))
t = beta / se
r2 = 1 - rss[0] / ((price - price.mean()) ** 2).sum()
print("=" * 52)
print(f"No. Observations: {n:>10}   R-squared: {r2:.3f}")
print(f"Df Residuals:     {dof:>10}   Resid. std. error: {np.sqrt(s2):.1f}")
print("=" * 52)
print(f"{'':<10}{'coef':>12}{'std err':>12}{'t':>10}")
for name, b, s, tt in zip(["const", "age", "km_1000", "power"], beta, se, t):
    print(f"{name:<10}{b:>12.2f}{s:>12.2f}{tt:>10.2f}")
""",
    ],
    "answers": [
        ('plain', 'Each additional year of age lowers the price by about 700, every 1,000 km by roughly 29.', [
            ('sign or direction', 'lowers', 'raises', '700'),
            ('swapped entity', 'about 700', 'about 57', '57'),
            ('digit', '29', '92'),
        ]),
        ('plain', 'The model explains 92 % of the variance (R² = 0.920, n = 240).', [
            ('digit', '92 %', '29 %'),
            ('digit', '0.920', '0.902'),
            ('wrong column', 'n = 240', 'n = 236', '236'),
        ]),
        ('plain', 'Power has the largest t statistic (27.83), with a coefficient of 57.42 ± 2.06.', [
            ('wrong column', '27.83', '55.66'),
            ('digit', '57.42', '54.72'),
            ('swapped entity', '2.06', '7.21'),
        ]),
        ('list or table', '- Intercept: 19,191.00\n- Age: −700.28 per year (SE 98.82)\n- Mileage: −28.85 per 1,000 km (SE 7.21)\n- Power: +57.42 per hp (SE 2.06)', [
            ('sign or direction', '−700.28', '+700.28'),
            ('swapped entity', '(SE 98.82)', '(SE 344.77)', '344.77'),
            ('digit', '−28.85', '−82.58'),
        ]),
        ('derived', 'A car with 100 hp more therefore costs about 5,742 more.', [
            ('miscomputed derivation', '5,742', '5,472'),
            ('scale', '5,742', '574'),
        ]),
        ('derived', 'Ten years of age alone take away about 7,003.', [
            ('miscomputed derivation', '7,003', '7,300'),
        ]),
        ('plain', 'A typical prediction is off by about 1,500 (residual standard error 1,496.3).', [
            ('digit', '1,496.3', '1,469.3'),
            ('digit', 'about 1,500', 'about 2,500', '2,500'),
        ]),
    ],
}
