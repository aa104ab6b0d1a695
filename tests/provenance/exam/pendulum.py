{
    "domain": "physics lab course",
    "question": "Lab report: I timed 10 swings three times for 7 pendulum lengths. Please determine g from a fit of T^2 against L, with uncertainty, and compare with 9.81 m/s².",
    "cells": [
r"""import numpy as np

L = np.array([0.30, 0.45, 0.60, 0.75, 0.90, 1.05, 1.20])      # m
t10 = np.array([[11.02, 10.95, 11.05],
                [13.49, 13.41, 13.44],
                [15.55, 15.60, 15.49],
                [17.36, 17.41, 17.40],
                [19.08, 19.01, 19.10],
                [20.55, 20.62, 20.53],
                [21.99, 22.03, 21.95]])                        # s, 10 swings
T = t10.mean(axis=1) / 10
np.set_printoptions(precision=4, suppress=True)
print(T)
print(T**2)""",
r"""(slope, icpt), cov = np.polyfit(L, T**2, 1, cov=True)
g = 4 * np.pi**2 / slope
dg = g * np.sqrt(cov[0, 0]) / slope
print(slope, icpt)
print(np.sqrt(np.diag(cov)))
print(g, dg)
r = np.corrcoef(L, T**2)[0, 1]
r**2""",
r"""g_lit = 9.81
abs(g - g_lit) / g_lit * 100, abs(g - g_lit) / dg"""],
    "answers": [
        ("plain", "The linear fit gives g = (9.792 ± 0.013) m/s².", [
            ("digit", "9.792", "9.729"),
            ("scale", "± 0.013", "± 0.13", "0.13"),
            ("question number given as result", "(9.792 ± 0.013)", "(9.810 ± 0.013)", "9.810"),
        ]),
        ("summary of an analysis", "Plotting T² against L yields a straight line with slope 4.0317 ± 0.0053 s²/m and an intercept of −0.0009 s², which is compatible with zero (its standard error is 0.0043). The coefficient of determination is R² = 0.99999.", [
            ("sign or direction", "an intercept of −0.0009 s²", "an intercept of +0.0009 s²", "+0.0009"),
            ("wrong statistic", "standard error is 0.0043", "standard error is 0.0129", "0.0129"),
            ("digit", "slope 4.0317", "slope 4.3017", "4.3017"),
        ]),
        ("percent", "Your result deviates from the literature value 9.81 m/s² by only 0.18 %, or about 1.4 standard deviations, so the two agree within 2σ.", [
            ("scale", "0.18 %", "1.8 %"),
            ("wrong statistic", "about 1.4 standard", "about 1.8 standard", "1.8 standard"),
        ]),
        ("derived", "Quadrupling the length from 0.30 m to 1.20 m doubles the period, from 1.1007 s to 2.199 s, a factor of 1.998, just as theory says.", [
            ("wrong column", "from 1.1007 s", "from 1.2115 s", "1.2115"),
            ("miscomputed derivation", "a factor of 1.998", "a factor of 1.898", "1.898"),
            ("number of something else", "to 2.199 s", "to 4.8356 s", "4.8356"),
        ]),
        ("derived", "With g = 9.792 m/s² and an uncertainty of 0.0129 m/s², the relative uncertainty is 0.13 %; the value lies 0.018 m/s² below 9.81 m/s².", [
            ("sign or direction", "lies 0.018 m/s² below 9.81", "lies 0.018 m/s² above 9.81", "0.018"),
            ("scale", "0.13 %", "0.013 %"),
        ]),
        ("list or table", "Mean periods:\n\n| L (m) | T (s) | T² (s²) |\n|---|---|---|\n| 0.45 | 1.345 | 1.808 |\n| 0.60 | 1.555 | 2.417 |\n| 0.90 | 1.906 | 3.634 |\n| 1.20 | 2.199 | 4.836 |", [
            ("swapped entity", "| 0.60 | 1.555 |", "| 0.60 | 1.739 |", "1.739"),
            ("rounding", "3.634", "3.635"),
            ("digit", "4.836", "4.386"),
        ]),
        ("counted", "You measured seven lengths with three repetitions each, 21 timings in all; the longest pendulum needed about 22 s for its 10 swings.", [
            ("miscomputed derivation", "21 timings", "24 timings", "24"),
            ("number of something else", "about 22 s", "about 20.6 s", "20.6"),
        ]),
        ("constants of a method", "From the slope a, g follows as 4π²/a = 9.79 m/s²; the 95 % interval (±1.96 standard errors) runs from 9.767 to 9.817 m/s² and so covers 9.81.", [
            ("miscomputed derivation", "from 9.767", "from 9.779", "9.779"),
            ("rounding", "to 9.817", "to 9.818", "9.818"),
        ]),
    ],
}
