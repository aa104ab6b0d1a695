{
    "domain": "car fuel",
    "question": "Fit fuel consumption on weight for these cars and tell me what a 1,500 kg car uses.",
    "cells": ['''
import numpy as np
weight = np.array([1.02, 1.15, 1.21, 1.34, 1.40, 1.48, 1.62, 1.75, 1.83, 1.97])
litres = np.array([5.1, 5.6, 5.5, 6.4, 6.3, 7.0, 7.4, 8.3, 8.2, 9.1])
slope, intercept = np.polyfit(weight, litres, 1)
pred = slope * weight + intercept
ss_res = ((litres - pred) ** 2).sum()
ss_tot = ((litres - litres.mean()) ** 2).sum()
model = {"slope": round(float(slope), 4), "intercept": round(float(intercept), 4),
         "r2": round(float(1 - ss_res / ss_tot), 4), "rmse": round(float(np.sqrt(ss_res / len(weight))), 4)}
print(model)
''', '''
print("prediction for 1.5 t:", round(slope * 1.5 + intercept, 2))
resid = (litres - pred).round(3)
print("residuals:", resid.tolist())
print("largest residual:", np.abs(resid).max(), "at weight", weight[np.abs(resid).argmax()])
'''],
    "answers": [
        ("plain", "A 1,500 kg car uses about 6.99 litres per 100 km.", [
            ("digit", "6.99", "6.69"),
            ("scale", "6.99", "69.9")]),
        ("plain", "Each additional tonne costs 4.27 litres; the intercept is 0.5833.", [
            ("wrong statistic", "4.27 litres; the intercept is 0.5833", "0.5833 litres; the intercept is 4.27", ["0.5833", "4.27"]),
            ("invented", "4.27", "3.11")]),
        ("percent", "Weight explains 98.1 % of the variation (R² = 0.9812).", [
            ("digit", "98.1 %", "91.8 %"),
            ("wrong statistic", "R² = 0.9812", "R² = 0.175", "0.175")]),
        ("plain", "The typical error (RMSE) is 0.175 litres.", [
            ("number of something else", "0.175", "0.261"),
            ("scale", "0.175", "1.75")]),
        ("units or currency", "The worst fit is the car of 1.4 t, which is 0.261 litres off.", [
            ("swapped entity", "0.261", "0.244"),
            ("number of something else", "1.4 t", "1.83 t")]),
        ("derived", "A hundred kilograms more mean 0.427 litres more.", [
            ("miscomputed derivation", "0.427", "0.472")]),
        ("counted", "The fit uses 10 cars.", [
            ("digit", "10 cars", "12 cars")]),
        ("constants of a method", "I fitted a straight line (degree 1) by least squares.", []),
        ("German", "Pro Tonne Gewicht steigt der Verbrauch um 4,27 Liter; das Bestimmtheitsmaß ist 0,9812.", [
            ("digit", "0,9812", "0,9218"),
            ("sign or direction", "steigt der Verbrauch um 4,27", "sinkt der Verbrauch um 4,27", "4,27")]),
    ],
}
