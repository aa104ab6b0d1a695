{
    "domain": "physics lab",
    "question": "We timed 10 swings for each pendulum length. What is g from our data, compared to 9.81?",
    "cells": [
r"""
import numpy as np
L = np.array([0.20, 0.35, 0.50, 0.65, 0.80, 0.95])
t10 = np.array([9.05, 11.93, 14.21, 16.24, 19.02, 19.58])
T = t10 / 10
slope, icpt = np.polyfit(L, T ** 2, 1)
g = 4 * np.pi ** 2 / slope
print(f"slope = {slope:.4f} s^2/m, intercept = {icpt:.4f} s^2")
print(f"g = {g:.3f} m/s^2, deviation from 9.81: {100 * (g - 9.81) / 9.81:.2f} %")
print("residuals:", np.round(T ** 2 - (slope * L + icpt), 4))
""",
r"""
# the 0.80 m run was mistimed (11 swings counted): drop it
keep = L != 0.80
slope, icpt = np.polyfit(L[keep], T[keep] ** 2, 1)
res = T[keep] ** 2 - (slope * L[keep] + icpt)
n = keep.sum()
s = np.sqrt((res ** 2).sum() / (n - 2))
se = s / np.sqrt(((L[keep] - L[keep].mean()) ** 2).sum())
g = 4 * np.pi ** 2 / slope
print(f"n = {n}, slope = {slope:.4f} +- {se:.4f} s^2/m, intercept = {icpt:.4f} s^2")
print(f"g = {g:.3f} +- {g * se / slope:.3f} m/s^2, deviation from 9.81: {100 * (g - 9.81) / 9.81:.2f} %")
"""],
    "answers": [
        ("plain", "From the 5 remaining lengths you get g = 9.813 ± 0.026 m/s².", [
            ("stale value", "9.813", "9.305"),
            ("digit", "9.813", "9.318"),
            ("number of something else", "0.026", "0.0108"),
        ]),
        ("percent", "That's a mere 0.03% off the textbook 9.81.", [
            ("stale value", "0.03%", "5.15%"),
            ("scale", "0.03%", "3%"),
        ]),
        ("derived", "Throwing out the 0.80 m run moved g from 9.305 up to 9.813, a change of about 0.51 m/s².", [
            ("sign or direction", "from 9.305 up to 9.813", "from 9.813 down to 9.305", ["9.813", "9.305"]),
            ("miscomputed derivation", "0.51", "0.61"),
            ("swapped entity", "0.80 m", "0.95 m", "0.95"),
        ]),
        ("constants of a method", "I fitted T² against L and used g = 4π²/slope; the slope is 4.0229 s²/m.", [
            ("stale value", "4.0229", "4.2428"),
            ("digit", "4.0229", "4.2029"),
        ]),
        ("inequalities", "In the first fit the residual at 0.80 m was 0.27 s², while all the others stayed within ±0.15.", [
            ("digit", "0.27", "0.72"),
            ("number of something else", "±0.15", "±0.05", "0.05"),
        ]),
        ("units or currency", "For 0.80 m we noted 19.02 s per 10 swings. If it was really 11 swings, the period is 1.729 s rather than 1.902 s.", [
            ("miscomputed derivation", "1.729", "1.792"),
            ("swapped entity", "19.02", "19.58"),
        ]),
        ("plain", "The line doesn't quite hit the origin, the intercept being 0.0144 s².", [
            ("stale value", "0.0144", "-0.0479"),
            ("sign or direction", "0.0144", "-0.0144"),
        ]),
    ],
}
