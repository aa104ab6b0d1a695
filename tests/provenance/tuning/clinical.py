{
    "domain": "medicine",
    "question": "Does the drug lower systolic blood pressure compared with placebo?",
    "cells": ['''
import numpy as np
from scipy import stats

drug = np.array([-14, -9, -11, -17, -6, -12, -8, -15, -10, -13, -7, -16])
placebo = np.array([-3, 1, -5, -2, 0, -6, 2, -4, -1, -3, -2, -4])
print("n drug:", len(drug), "n placebo:", len(placebo))
print("mean change drug:", drug.mean())
print("mean change placebo:", placebo.mean().round(2))
print("sd drug:", drug.std(ddof=1).round(3))
print("sd placebo:", placebo.std(ddof=1).round(3))
''', '''
t, p = stats.ttest_ind(drug, placebo, equal_var=False)
print(f"Welch t = {t:.3f}, p = {p:.2e}")
diff = drug.mean() - placebo.mean()
se = np.sqrt(drug.var(ddof=1) / len(drug) + placebo.var(ddof=1) / len(placebo))
print(f"difference = {diff:.2f} mmHg, 95% CI [{diff - 2.093 * se:.2f}, {diff + 2.093 * se:.2f}]")
'''],
    "answers": [
        ("plain", "Blood pressure fell by 11.5 mmHg on average under the drug and by 2.25 mmHg under placebo.", [
            ("swapped entity", "under the drug and by 2.25 mmHg under placebo", "under placebo and by 2.25 mmHg under the drug", ["11.5", "2.25"]),
            ("sign or direction", "Blood pressure fell by 11.5 mmHg on average under the drug and by", "Blood pressure rose by 11.5 mmHg on average under the drug and fell by", "11.5"),
            ("digit", "11.5 mmHg", "15.1 mmHg")]),
        ("constants of a method", "The difference of -9.25 mmHg is significant at the 5 % level (Welch's t = -7.382, p < 0.001).", [
            ("digit", "-7.382", "-7.328"),
            ("sign or direction", "-9.25 mmHg", "+9.25 mmHg"),
            ("invented", "-7.382", "-4.911")]),
        ("constants of a method", "The 95% confidence interval runs from -11.87 to -6.63, so it excludes 0.", [
            ("digit", "-6.63", "-6.36"),
            ("sign or direction", "from -11.87 to -6.63", "from 6.63 to 11.87", "11.87"),
            ("number of something else", "95% confidence interval", "99% confidence interval", "99%")]),
        ("inequalities", "p is far below 0.05.", []),
        ("small integers", "There were 12 patients in each arm.", [
            ("digit", "12 patients", "21 patients"),
            ("digit", "12 patients in each arm", "2 patients in each arm")]),
        ("list or table", "| arm | n | mean change | sd |\n|---|---|---|---|\n| drug | 12 | -11.5 | 3.606 |\n| placebo | 12 | -2.25 | 2.417 |", [
            ("swapped entity", "| -2.25 | 2.417 |", "| -2.25 | 3.606 |", "-2.25 | 3.606"),
            ("wrong column", "| drug | 12 | -11.5 |", "| drug | 12 | -9.25 |", "-9.25")]),
        ("derived", "The drug's effect is 5.1 times that of placebo.", [
            ("miscomputed derivation", "5.1 times", "4.1 times")]),
        ("units or currency", "Standard deviations were 3.6 mmHg (drug) and 2.4 mmHg (placebo).", [
            ("swapped entity", "3.6 mmHg (drug) and 2.4 mmHg (placebo)", "2.4 mmHg (drug) and 3.6 mmHg (placebo)", ["2.4", "3.6"]),
            ("rounding", "3.6 mmHg", "3.7 mmHg")]),
    ],
}
