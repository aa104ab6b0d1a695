{
    "domain": "ttest",
    "question": "Does the new drug lower blood pressure? Use a significance level of 0.05.",
    "cells": ['''
import numpy as np, math
rng = np.random.default_rng(21)
a = rng.normal(128.4, 11, 45).round(1); b = rng.normal(135.9, 12, 48).round(1)
ma, mb = a.mean(), b.mean()
va, vb = a.var(ddof=1), b.var(ddof=1)
se = math.sqrt(va/len(a) + vb/len(b))
t = (ma-mb)/se
dfree = se**4 / ((va/len(a))**2/(len(a)-1) + (vb/len(b))**2/(len(b)-1))
p = math.erfc(abs(t)/math.sqrt(2))
print(f"drug: n={len(a)}, mean={ma:.2f}, sd={a.std(ddof=1):.2f}")
print(f"placebo: n={len(b)}, mean={mb:.2f}, sd={b.std(ddof=1):.2f}")
print(f"t = {t:.3f}, df = {dfree:.1f}, p = {p:.5f}")
print(f"95% CI of the difference: [{ma-mb-1.96*se:.2f}, {ma-mb+1.96*se:.2f}]")
d = (ma-mb)/math.sqrt((va+vb)/2)
print("Cohen's d:", round(d, 3))
'''],
    "answers": [
        ("summary of an analysis", "Patients on the drug had a mean pressure of 129.81 (SD 10.77, n = 45), those on placebo 135.78 (SD 9.64, n = 48). The difference is significant at the 5 % level (t = -2.811, p = 0.00495), with a medium effect size (d = -0.584).", [
            ("swapped entity", "mean pressure of 129.81 (SD 10.77, n = 45), those on placebo 135.78", "mean pressure of 135.78 (SD 10.77, n = 45), those on placebo 129.81", ["135.78", "129.81"]),
            ("swapped entity", "placebo 135.78 (SD 9.64", "placebo 135.78 (SD 9.46", "9.46"),
            ("wrong statistic", "t = -2.811", "t = -0.584", ["t = -0.584"]),
            ("question number given as result", "p = 0.00495", "p = 0.05", "p = 0.05")]),
        ("constants of a method", "Since p = 0.00495 < 0.05 we reject the null hypothesis; the 95 % confidence interval from -10.13 to -1.81 does not contain 0.", [
            ("sign or direction", "-10.13 to -1.81", "10.13 to 1.81", ["10.13", "1.81"]),
            ("digit", "-10.13", "-11.03")]),
        ("derived", "The drug lowers the pressure by 5.97 mmHg compared with placebo.", [
            ("miscomputed derivation", "5.97", "6.97"),
            ("sign or direction", "lowers", "raises", "5.97")]),
        ("derived", "93 patients took part.", [
            ("miscomputed derivation", "93", "95")]),
        ("inequalities", "The p-value is well below 0.01.", [
            ("number of something else", "below 0.01", "below 0.001", "0.001")]),
    ],
}
