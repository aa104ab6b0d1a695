{
    "domain": "physics lab",
    "question": "Spring lab: I hung masses from 50 to 400 g and measured the extension in mm. Get me the spring constant with uncertainty, and then compare with the oscillation method (10 periods timed with 200 g).",
    "cells": [r"""
import numpy as np

mass_g = np.array([50, 100, 150, 200, 250, 300, 350, 400])
ext_mm = np.array([19.5, 39.0, 58.5, 79.5, 98.0, 97.5, 137.0, 157.5])

def fit(x, y):
    n = len(x)
    mx, my = x.mean(), y.mean()
    sxx = ((x - mx) ** 2).sum()
    b = ((x - mx) * (y - my)).sum() / sxx
    a = my - b * mx
    res = y - (a + b * x)
    s = np.sqrt((res**2).sum() / (n - 2))
    r2 = 1 - (res**2).sum() / ((y - my) ** 2).sum()
    return a, b, s / np.sqrt(sxx), r2, res

F = mass_g / 1000 * 9.81
a, b, sb, r2, res = fit(ext_mm / 1000, F)
print(f"k = {b:.2f} +/- {sb:.2f} N/m, offset = {a:.3f} N, R2 = {r2:.4f}")
print("residuals (mN):", (res * 1000).round(0))
""", r"""
# the 300 g reading looks like a typo in the log (97.5 -> 117.5 in the photo of the notebook)
ext_mm[5] = 117.5
a, b, sb, r2, res = fit(ext_mm / 1000, F)
print(f"k = {b:.2f} +/- {sb:.2f} N/m, offset = {a:.4f} N, R2 = {r2:.6f}")
print("largest residual (mN):", round(float(np.abs(res).max() * 1000), 1))
""", r"""
t10 = np.array([5.66, 5.70, 5.63, 5.69, 5.67])
T = t10.mean() / 10
sT = t10.std(ddof=1) / 10 / np.sqrt(len(t10))
k_dyn = 4 * np.pi**2 * 0.2 / T**2
sk = k_dyn * 2 * sT / T
m_spring = 0.0148
k_corr = 4 * np.pi**2 * (0.2 + m_spring / 3) / T**2
print("T =", round(T, 4), "s, standard error", round(sT, 5), "s")
print("k_dyn =", round(k_dyn, 2), "+/-", round(sk, 2), "N/m; with a third of the spring mass:", round(k_corr, 2), "N/m")
"""],
    "answers": [
        ("summary of an analysis", "After correcting the 300 g reading, the static fit gives k = 24.95 ± 0.10 N/m with R² = 0.9999. The oscillation method gives 24.56 ± 0.11 N/m, or 25.17 N/m once a third of the spring's mass is included.", [
            ("stale value", "24.95 ± 0.10", "25.31 ± 0.10", "25.31"),
            ("stale value", "R² = 0.9999", "R² = 0.9778", "0.9778"),
            ("swapped entity", "or 25.17 N/m", "or 24.95 N/m", "or 24.95"),
            ("digit", "24.56", "25.46"),
        ]),
        ("derived", "The two methods agree within 2%: the uncorrected dynamic value is 0.39 N/m lower than the static one, while the corrected value is 0.22 N/m higher.", [
            ("miscomputed derivation", "0.39 N/m", "0.93 N/m", "0.93"),
            ("miscomputed derivation", "0.22 N/m", "0.61 N/m", "0.61"),
            ("sign or direction", "0.22 N/m higher", "0.22 N/m lower", "0.22"),
        ]),
        ("plain", "Your original 97.5 mm entry at 300 g was a clear outlier, with a residual of 440 mN when no other exceeded 98 mN in size. With 117.5 mm the largest residual is 25.4 mN.", [
            ("digit", "440 mN", "404 mN", "404"),
            ("swapped entity", "exceeded 98 mN", "exceeded 85 mN", "85"),
            ("digit", "25.4", "24.5"),
        ]),
        ("units or currency", "The mean period is 0.567 s (10 periods took 5.67 s on average), with a standard error of about 1.2 ms. The heaviest load, 400 g, corresponds to 3.92 N and stretched the spring by 157.5 mm.", [
            ("scale", "0.567 s", "0.0567 s", "0.0567"),
            ("scale", "1.2 ms", "12 ms"),
            ("miscomputed derivation", "3.92 N", "4.92 N", "4.92"),
            ("swapped entity", "157.5 mm", "137.0 mm", "137.0"),
        ]),
        ("percent", "Fixing the typo shrank the uncertainty of k from 1.56 to 0.10 N/m, so the static result is now good to about 0.4%. The value itself moved by only 0.36 N/m, from 25.31 to 24.95.", [
            ("miscomputed derivation", "about 0.4%", "about 4%", "4%"),
            ("miscomputed derivation", "0.36 N/m", "0.63 N/m", "0.63"),
            ("digit", "from 1.56", "from 1.65", "1.65"),
        ]),
        ("counted", "I used all 8 masses (50 to 400 g in steps of 50 g) and 5 timings of ten swings, which scatter by just 0.07 s.", [
            ("digit", "all 8 masses", "all 7 masses", "7 masses"),
            ("miscomputed derivation", "0.07 s", "0.04 s", "0.04"),
            ("digit", "5 timings", "6 timings", "6"),
        ]),
    ],
}
