{
    "domain": 'regress house',
    "question": 'Fit a linear regression of rent on size and age and tell me how good it is.',
    "cells": ['''
import numpy as np
rng = np.random.default_rng(7)
size = rng.uniform(30, 120, 80); age = rng.integers(1, 60, 80)
rent = 210 + 9.8*size - 3.1*age + rng.normal(0, 45, 80)
X = np.column_stack([np.ones(80), size, age])
beta, res, _, _ = np.linalg.lstsq(X, rent, rcond=None)
pred = X @ beta
ss_res = ((rent-pred)**2).sum(); ss_tot = ((rent-rent.mean())**2).sum()
r2 = 1 - ss_res/ss_tot
rmse = np.sqrt(ss_res/len(rent))
mae = np.abs(rent-pred).mean()
print("intercept", round(beta[0],2))
print("coef size", round(beta[1],3))
print("coef age", round(beta[2],3))
print(f"R2={r2:.4f} RMSE={rmse:.2f} MAE={mae:.2f}")
''', '''
se = np.sqrt(np.diag(np.linalg.inv(X.T@X))*ss_res/(80-3))
for name, b, s in zip(["const","size","age"], beta, se):
    print(f"{name:8s} {b:10.4f} {s:8.4f} {b/s:8.2f} [{b-1.96*s:.3f}, {b+1.96*s:.3f}]")
p = np.array([1, 75, 10]) @ beta
print("predicted rent for 75 m2, 10 years:", round(p, 1))
'''],
    "answers": [
        ('summary of an analysis', 'The model explains 97.7% of the variance (R² = 0.9769) with an RMSE of about 38.8 and an MAE of 31.0. Each additional square metre adds 9.97 to the rent, and each year of age lowers it by 3.25.', [
            ('wrong statistic', 'RMSE of about 38.8', 'RMSE of about 31.0', 'about 31.0'),
            ('sign or direction', 'lowers it by 3.25', 'raises it by 3.25', '3.25'),
            ('swapped entity', 'metre adds 9.97', 'metre adds 3.25', 'adds 3.25')]),
        ('constants of a method', 'The 95% confidence interval for size is [9.627, 10.313], so the effect is significant at the 5% level (t = 57.01).', [
            ('swapped entity', 't = 57.01', 't = 13.51', '13.51'),
            ('digit', '10.313', '10.133')]),
        ('plain', 'rent ≈ 196.28 + 9.97·size − 3.247·age', [
            ('digit', '196.28', '169.28'),
            ('sign or direction', '− 3.247', '+ 3.247', '3.247')]),
        ('plain', 'A 75 m² flat that is 10 years old should cost about 911.5 per month.', [
            ('digit', '911.5', '991.5'),
            ('question number given as result', 'about 911.5', 'about 75.0', '75.0')]),
        ('derived', 'Ten additional square metres therefore raise the rent by about 99.7.', [
            ('miscomputed derivation', '99.7', '97.9')]),
        ('inequalities', 'The coefficient of age is clearly negative (below -2.7 even at the upper end of the interval), and R² is above 0.97.', [
            ('digit', 'above 0.97', 'above 0.98', '0.98')]),
    ],
}
