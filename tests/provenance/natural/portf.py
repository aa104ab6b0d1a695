{
    "domain": 'portf',
    "question": 'Compare the regressions.',
    "cells": [
        r"""
import numpy as np
rng = np.random.default_rng(17)
x = rng.uniform(0, 10, 80); z = rng.normal(0, 1, 80)
y = 3.2 + 1.75 * x - 0.9 * z + rng.normal(0, 1.4, 80)
def fit(cols):
    X = np.column_stack([np.ones(80)] + cols)
    b, *_ = np.linalg.lstsq(X, y, rcond=None)
    r = y - X @ b
    rmse = np.sqrt((r ** 2).mean()); r2 = 1 - (r ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return b, rmse, r2
for name, cols in (("simple", [x]), ("full", [x, z])):
    b, rmse, r2 = fit(cols)
    print(f"model {name}: coefficients {np.round(b, 3).tolist()}, RMSE {rmse:.3f}, R2 {r2:.4f}")
print("observations:", len(y))
""",
    ],
    "answers": [
        ('plain', 'Adding z improves R² from 0.9115 to 0.9337 and lowers the RMSE from 1.470 to 1.272.', [
            ('swapped entity', 'from 0.9115 to 0.9337', 'from 0.9337 to 0.9115', ['0.9337', '0.9115']),
            ('digit', '1.272', '1.722'),
        ]),
        ('plain', 'In the full model each unit of x adds 1.783, while z has a negative effect (-0.763).', [
            ('sign or direction', '(-0.763)', '(0.763)', '0.763'),
            ('swapped entity', '1.783', '1.813'),
            ('digit', '1.783', '1.873'),
        ]),
        ('plain', 'Both models were fitted to 80 observations; the full one explains 93.4 % of the variance.', [
            ('digit', '80', '88'),
            ('swapped entity', '93.4 %', '91.2 %'),
        ]),
        ('derived', 'The RMSE is 13.5 % lower in the full model.', [
            ('miscomputed derivation', '13.5 %', '15.6 %'),
            ('sign or direction', 'lower', 'higher', '13.5 %'),
        ]),
    ],
}
