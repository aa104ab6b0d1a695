{
    "domain": 'regression model comparison',
    "question": "I'm predicting flat prices. Compare a mean baseline, a one-variable line and a three-variable regression on a hold-out set please.",
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(77)
n = 300
area = rng.normal(78, 22, n).clip(25, 160)
age = rng.integers(0, 90, n)
dist = rng.gamma(2.0, 2.4, n)
price = 62 + 3.4 * area - 0.55 * age - 6.1 * dist + rng.normal(0, 24, n)
df = pd.DataFrame({"area": area, "age": age, "dist": dist, "price": price})
print(df.describe().round(1))
print(df.corr().round(3))""",
r"""train, test = df.iloc[:220], df.iloc[220:]
def fit(cols):
    X = np.column_stack([np.ones(len(train))] + [train[c] for c in cols])
    w, *_ = np.linalg.lstsq(X, train.price, rcond=None)
    return w
def score(cols, w, d):
    X = np.column_stack([np.ones(len(d))] + [d[c] for c in cols])
    e = d.price - X @ w
    return np.sqrt((e ** 2).mean()), e.abs().mean(), 1 - (e ** 2).sum() / ((d.price - d.price.mean()) ** 2).sum()
for name, cols in [("baseline", []), ("area only", ["area"]), ("all three", ["area", "age", "dist"])]:
    w = fit(cols)
    tr, te = score(cols, w, train), score(cols, w, test)
    print(f"{name:10s} train RMSE {tr[0]:6.2f}  test RMSE {te[0]:6.2f}  test MAE {te[1]:6.2f}  test R2 {te[2]:.3f}")""",
r"""w = fit(["area", "age", "dist"])
print("coefficients:", dict(zip(["const", "area", "age", "dist"], w.round(2))))
print("prediction for 65 m2, 30 years, 4 km:", round(float(w @ [1, 65, 30, 4]), 1), "thousand")""",
    ],
    "answers": [
        ('summary of an analysis', 'The three-variable regression wins clearly. On the 80 flats held out it has an RMSE of 28.0 thousand, against 34.5 for the line on area alone and 77.7 for the mean baseline; R² is 0.870, 0.803 and practically zero. There is slight overfitting: its training RMSE of 24.5 is about 3.6 lower than the test figure.', [
            ('wrong column', 'RMSE of 28.0 thousand', 'RMSE of 22.8 thousand', '22.8'),
            ('wrong column', 'against 34.5', 'against 36.7', '36.7'),
            ('miscomputed derivation', 'about 3.6 lower', 'about 5.6 lower', '5.6'),
            ('sign or direction', '3.6 lower than', '3.6 higher than', '3.6'),
        ]),
        ('plain', 'Area is the strongest single predictor: its correlation with price is 0.898.', [
            ('digit', '0.898', '0.889'),
            ('wrong statistic', '0.898', '0.803'),
            ('sign or direction', '0.898', '-0.898'),
        ]),
        ('derived', 'Adding age and distance cuts the test error by about 19 %, from 34.47 to 28.02.', [
            ('miscomputed derivation', '19 %', '33 %', '33'),
            ('wrong column', 'from 34.47', 'from 25.84', '25.84'),
            ('wrong column', 'to 28.02', 'to 24.46', '24.46'),
            ('sign or direction', 'cuts the test error by about 19 %', 'raises the test error by about 19 %', '19'),
        ]),
        ('units or currency', 'Each extra square metre adds about 3,390 to the price, each year of age takes off about 610 and each kilometre from the centre 6,390.', [
            ('scale', '3,390', '33,900'),
            ('typed literal', 'about 610', 'about 550', '550'),
            ('sign or direction', 'takes off about 610', 'adds about another 610', '610'),
            ('typed literal', '6,390', '6,100'),
        ]),
        ('list or table', '| Model | Test RMSE | Test MAE | Test R2 |\n|---|---|---|---|\n| Baseline | 77.72 | 59.45 | -0.003 |\n| Area only | 34.47 | 25.84 | 0.803 |\n| All three | 28.02 | 22.79 | 0.870 |', [
            ('wrong column', '77.72', '83.48'),
            ('digit', '25.84', '28.54'),
            ('sign or direction', '-0.003', '0.003'),
            ('wrong statistic', '0.803', '0.898'),
        ]),
        ('plain', 'A 65 m² flat, 30 years old and 4 km out, comes to about 244 thousand, which is below the sample average of 268.5 thousand.', [
            ('wrong statistic', 'average of 268.5', 'average of 271.8', '271.8'),
            ('digit', 'about 244', 'about 424', '424'),
            ('sign or direction', 'which is below the', 'which is above the', ['244', '268.5']),
        ]),
        ('plain', 'The flats range from 25 to 158.6 m² with a median of 77.1.', [
            ('wrong statistic', 'median of 77.1', 'median of 76.8', '76.8'),
            ('wrong column', 'to 158.6', 'to 547.3', '547.3'),
        ]),
    ],
}
