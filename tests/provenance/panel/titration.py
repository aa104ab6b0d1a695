{
    "domain": "analytical chemistry",
    "question": "Calibrate the photometer (5 standards, blank subtracted) and give the nitrate in my 3 well samples. Limit is 50 mg/L. Samples were diluted 1:10.",
    "cells": [
r"""
import numpy as np
conc = np.array([0.5, 1.0, 2.0, 4.0, 8.0])
absb = np.array([0.041, 0.079, 0.163, 0.318, 0.645])
b, a = np.polyfit(conc, absb, 1)
r2 = np.corrcoef(conc, absb)[0, 1] ** 2
print(f"A = {b:.5f} * c + {a:.5f}   R2 = {r2:.5f}")
samples = {"W1": [0.212, 0.208, 0.215], "W2": [0.467, 0.471, 0.462], "W3": [0.098, 0.101, 0.095]}
for k, v in samples.items():
    c = (np.mean(v) - a) / b * 10
    print(k, f"mean A {np.mean(v):.4f}  sd {np.std(v, ddof=1):.4f}  nitrate {c:.1f} mg/L")
""",
r"""
# dilution was 1:20 for W2 only, per the lab book
final = {}
for k, v in samples.items():
    f = 20 if k == "W2" else 10
    final[k] = (np.mean(v) - a) / b * f
    print(f"{k}: {final[k]:.1f} mg/L NO3, = {final[k] * 14.007 / 62.005:.2f} mg/L N, {100 * final[k] / 50:.0f}% of limit")
blank_sd = 0.0013
print("LOD", round(3 * blank_sd / b, 3), "LOQ", round(10 * blank_sd / b, 3), "mg/L undiluted")
"""],
    "answers": [
        ("plain", "W2 is way over: 116.0 mg/L, i.e. 232% of the limit.", [
            ("stale value", "116.0", "58.0"),
            ("question number given as result", "116.0", "50.0"),
            ("stale value", "232%", "116%"),
        ]),
        ("plain", "W1 (26.3 mg/L) and W3 (12.2 mg/L) are fine.", [
            ("swapped entity", "W1 (26.3 mg/L) and W3 (12.2 mg/L)", "W1 (12.2 mg/L) and W3 (26.3 mg/L)", ["12.2", "26.3"]),
            ("invented", "are fine.", "are fine, though W1 also has 0.8 mg/L ammonium.", "0.8"),
        ]),
        ("constants of a method", "Detection limit (3 SD of the blank): 0.048 mg/L. Quantification limit (10 SD): 0.161 mg/L. Both before dilution.", [
            ("scale", "0.048", "0.48"),
            ("swapped entity", "blank): 0.048 mg/L. Quantification limit (10 SD): 0.161", "blank): 0.161 mg/L. Quantification limit (10 SD): 0.048", ["0.161", "0.048"]),
        ]),
        ("units or currency", "Expressed as nitrogen that is 5.95, 26.21 and 2.76 mg/L for W1, W2 and W3.", [
            ("digit", "26.21", "21.26"),
            ("swapped entity", "5.95, 26.21 and 2.76", "2.76, 26.21 and 5.95", ["2.76", "5.95"]),
        ]),
        ("derived", "W2 exceeds the limit by 66 mg/L and holds more than nine times the nitrate of W3.", [
            ("stale value", "66 mg/L", "8 mg/L", "8"),
            ("miscomputed derivation", "66", "76"),
        ]),
        ("fractions in words", "W1 uses up about half of the limit (53%), W3 roughly a quarter (24%).", [
            ("digit", "53%", "35%"),
            ("miscomputed derivation", "24%", "42%"),
        ]),
    ],
}
