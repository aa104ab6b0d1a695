{
    "domain": "physics",
    "question": "Determine g from the pendulum measurements.",
    "cells": ['''
import numpy as np

length = np.array([0.25, 0.50, 0.75, 1.00, 1.25, 1.50])
period = np.array([1.009, 1.426, 1.744, 2.011, 2.251, 2.466])
slope, intercept = np.polyfit(length, period ** 2, 1)
g = 4 * np.pi ** 2 / slope
print(f"slope = {slope:.4f} s^2/m")
print(f"intercept = {intercept:.4f} s^2")
print(f"g = {g:.3f} m/s^2")
''', '''
fitted = slope * length + intercept
residual = period ** 2 - fitted
r2 = 1 - (residual ** 2).sum() / ((period ** 2 - (period ** 2).mean()) ** 2).sum()
print(f"R^2 = {r2:.6f}")
print(f"largest residual = {abs(residual).max():.4f}")
print("deviation from 9.81:", f"{(g - 9.81) / 9.81 * 100:.2f} %")
'''],
    "answers": [
        ("plain", "The fit gives g = 9.753 m/s².", [
            ("digit", "9.753", "9.735"),
            ("typed literal", "9.753", "9.81"),
            ("scale", "9.753", "97.53")]),
        ("percent", "g comes out 0.58 % below the textbook value of 9.81.", [
            ("sign or direction", "0.58 % below", "0.58 % above", "0.58 %"),
            ("digit", "0.58 %", "0.85 %")]),
        ("constants of a method", "Fitting T² against length yields a slope of 4.0478 s²/m and an intercept of 0.0057 s² (R² = 0.999993).", [
            ("swapped entity", "a slope of 4.0478 s²/m and an intercept of 0.0057 s²", "a slope of 0.0057 s²/m and an intercept of 4.0478 s²", ["0.0057", "4.0478"]),
            ("digit", "0.999993", "0.999939")]),
        ("units or currency", "g ≈ 9.75 m/s^2", [
            ("rounding", "9.75", "9.76")]),
        ("inequalities", "No point is off the line by more than 0.0094.", [
            ("digit", "0.0094", "0.0049")]),
        ("small integers", "Six lengths were measured.", []),
        ("French", "La pente vaut 4,0478 s²/m, d'où g = 9,753 m/s².", [
            ("digit", "9,753", "9,573"),
            ("scale", "4,0478", "40,478")]),
    ],
}
