{
    "domain": "regress",
    "question": "Fit a linear model of house prices and tell me how good it is.",
    "cells": ['''
import numpy as np
rng = np.random.default_rng(3)
area = rng.uniform(40, 180, 80)
rooms = np.round(area/28 + rng.normal(0, .6, 80)).clip(1)
price = 35 + 2.41*area + 8.5*rooms + rng.normal(0, 22, 80)
X = np.column_stack([np.ones(80), area, rooms])
beta, res, rank, sv = np.linalg.lstsq(X, price, rcond=None)
pred = X @ beta
ss_res = ((price-pred)**2).sum(); ss_tot = ((price-price.mean())**2).sum()
r2 = 1 - ss_res/ss_tot
rmse = np.sqrt(ss_res/80)
print("intercept", round(beta[0], 2))
print("coef area", round(beta[1], 3))
print("coef rooms", round(beta[2], 3))
print("R2", round(r2, 4), "RMSE", round(rmse, 2))
print("n =", len(price), "mean price", round(price.mean(), 1))
new = np.array([1, 100, 4]) @ beta
print("prediction for 100 m2 and 4 rooms:", round(new, 1))
'''],
    "answers": [
        ("summary of an analysis", "The model explains 96.6 % of the variance (R² = 0.9661) with an RMSE of 20.47. Each additional square metre adds 2.527 and each room 6.963 to the price; the intercept is 28.78.", [
            ("swapped entity", "adds 2.527 and each room 6.963", "adds 6.963 and each room 2.527", ["6.963", "2.527"]),
            ("wrong statistic", "RMSE of 20.47", "RMSE of 28.78", "RMSE of 28.78"),
            ("digit", "0.9661", "0.9616")]),
        ("plain", "A flat with 100 m² and 4 rooms should cost about 309.4.", [
            ("number of something else", "309.4", "339.4"),
            ("digit", "309.4", "304.9")]),
        ("derived", "Ten square metres more raise the price by 25.27.", [
            ("miscomputed derivation", "25.27", "27.25")]),
        ("constants of a method", "I fitted ordinary least squares with 2 predictors to 80 houses whose mean price is 339.4.", [
            ("wrong statistic", "339.4", "309.4"),
            ("digit", "80 houses", "90 houses", "90")]),
        ("derived", "That prediction is 30.0 below the mean price of 339.4.", [
            ("miscomputed derivation", "30.0", "33.0"),
            ("sign or direction", "below", "above", "30.0")]),
    ],
}
