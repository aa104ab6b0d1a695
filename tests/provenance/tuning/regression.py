{
    "domain": "regression",
    "question": "How does rent depend on size and distance from the centre?",
    "cells": ['''
import numpy as np

rng = np.random.RandomState(8)
size = rng.randint(25, 121, 60)
distance = np.round(rng.uniform(0.3, 12, 60), 1)
rent = np.round(310 + 11.4 * size - 27.5 * distance + rng.normal(0, 55, 60), 0)
X = np.column_stack([np.ones(60), size, distance])
beta, *_ = np.linalg.lstsq(X, rent, rcond=None)
fitted = X @ beta
residual = rent - fitted
r2 = 1 - (residual ** 2).sum() / ((rent - rent.mean()) ** 2).sum()
print(f"intercept {beta[0]:.2f}")
print(f"per square metre {beta[1]:.3f}")
print(f"per km of distance {beta[2]:.3f}")
print(f"R2 {r2:.4f}, RMSE {np.sqrt((residual ** 2).mean()):.2f}")
''', '''
new = beta @ [1, 70, 3.5]
print("70 m2, 3.5 km away:", round(float(new), 2))
print("observations:", len(rent), "mean rent:", round(float(rent.mean()), 2), "median rent:", float(np.median(rent)))
'''],
    "answers": [
        ("plain", "Each square metre adds 11.371 to the rent, and each km of distance takes 22.873 away.", [
            ("sign or direction", "each km of distance takes 22.873 away", "each km of distance adds 22.873", "22.873"),
            ("swapped entity", "Each square metre adds 11.371 to the rent, and each km of distance takes 22.873 away", "Each square metre adds 22.873 to the rent, and each km of distance takes 11.371 away", ["22.873", "11.371"]),
            ("typed literal", "22.873 away", "27.5 away", "27.5")]),
        ("constants of a method", "The ordinary least squares fit explains 97.35 % of the variance (R² = 0.9735).", [
            ("digit", "0.9735", "0.9753"),
            ("scale", "97.35 %", "9.735 %")]),
        ("plain", "For 70 m² at 3.5 km the model predicts 1,002.91.", [
            ("wrong statistic", "1,002.91", "1,018.55"),
            ("digit", "1,002.91", "1,020.91")]),
        ("plain", "Mean rent is 1,018.55, median rent 1,087.", [
            ("wrong statistic", "Mean rent is 1,018.55, median rent 1,087", "Median rent is 1,018.55, mean rent 1,087", ["1,018.55", "1,087"])]),
        ("units or currency", "Typical error (RMSE): €56.44.", [
            ("digit", "€56.44", "€65.44"),
            ("typed literal", "€56.44", "€55")]),
        ("derived", "Ten more square metres cost 113.71 more.", [
            ("miscomputed derivation", "113.71", "117.31")]),
        ("German", "Je Kilometer Entfernung sinkt die Miete um 22,87 €.", [
            ("sign or direction", "sinkt die Miete um 22,87 €", "steigt die Miete um 22,87 €", "22,87"),
            ("digit", "22,87", "28,27")]),
    ],
}
