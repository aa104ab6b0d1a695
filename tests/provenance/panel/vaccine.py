{
    "domain": "clinical trial",
    "question": "Calculate vaccine efficacy from the trial: 1:1 randomised, 14,200 people. The protocol assumed 60%.",
    "cells": [
r"""
import math
n_v, n_p = 7104, 7096
cases = {"18-49": (19, 88), "50-64": (13, 52), "65+": (17, 41)}
arms = {"18-49": (3610, 3598), "50-64": (2187, 2195), "65+": (1307, 1303)}
def ve(a, n1, b, n0):
    rr = (a / n1) / (b / n0)
    se = math.sqrt(1 / a - 1 / n1 + 1 / b - 1 / n0)
    lo, hi = rr * math.exp(-1.96 * se), rr * math.exp(1.96 * se)
    return rr, 1 - rr, 1 - hi, 1 - lo
print(f"{'age':<8}{'vacc':>10}{'placebo':>12}{'RR':>8}{'VE':>8}   95% CI")
for g in cases:
    a, b = cases[g]
    n1, n0 = arms[g]
    rr, v, lo, hi = ve(a, n1, b, n0)
    print(f"{g:<8}{a:>5}/{n1:<6}{b:>5}/{n0:<6}{rr:>7.3f}{100 * v:>7.1f}%   {100 * lo:.1f} to {100 * hi:.1f}")
A, B = (sum(c[k] for c in cases.values()) for k in (0, 1))
rr, v, lo, hi = ve(A, n_v, B, n_p)
print(f"{'all':<8}{A:>5}/{n_v:<6}{B:>5}/{n_p:<6}{rr:>7.3f}{100 * v:>7.1f}%   {100 * lo:.1f} to {100 * hi:.1f}")
arr = B / n_p - A / n_v
print(f"attack rates {A / n_v:.5f} vs {B / n_p:.5f}, ARR {arr:.5f}, NNV {1 / arr:.1f}")
""",
r"""
sev = (2, 16)
print("severe cases:", sev, "VE severe", round(100 * (1 - (sev[0] / n_v) / (sev[1] / n_p)), 1))
ae = {"headache": (1482, 1107), "fever": (611, 142), "arm pain": (3920, 903)}
for k, (x, z) in ae.items():
    print(k, x, z, round(100 * x / n_v, 1), round(100 * z / n_p, 1))
"""],
    "answers": [
        ("plain", "Overall efficacy is 73.0% (95% CI 63.0 to 80.2), based on 49 cases in the vaccine arm and 181 under placebo.", [
            ("question number given as result", "73.0%", "60%"),
            ("swapped entity", "49 cases in the vaccine arm and 181 under placebo", "181 cases in the vaccine arm and 49 under placebo", ["181", "49"]),
            ("digit", "63.0", "36.0"),
        ]),
        ("plain", "Protection is weakest in the 65+ group at 58.7%; in those aged 18 to 49 it's 78.5%.", [
            ("swapped entity", "at 58.7%; in those aged 18 to 49 it's 78.5%", "at 78.5%; in those aged 18 to 49 it's 58.7%", ["78.5%", "58.7%"]),
            ("swapped entity", "58.7%", "74.9%"),
        ]),
        ("derived", "Roughly 54 people have to be vaccinated to prevent one case.", [
            ("digit", "54", "45"),
            ("scale", "54", "540"),
        ]),
        ("percent", "Attack rates were 0.69% with vaccine and 2.55% with placebo, a difference of 1.86 percentage points.", [
            ("scale", "0.69%", "6.9%"),
            ("miscomputed derivation", "1.86", "1.68"),
        ]),
        ("small integers", "Severe disease: just 2 cases against 16, hence 87.5% efficacy there.", [
            ("swapped entity", "2 cases against 16", "16 cases against 2", ["16", "2"]),
            ("wrong statistic", "87.5%", "73.0%"),
        ]),
        ("derived", "140 of the 181 placebo cases (77%) were under 65.", [
            ("miscomputed derivation", "140", "150"),
            ("number of something else", "77%", "23%"),
        ]),
        ("summary of an analysis", "The vaccine works better than planned, 73.0% instead of 60%. Fever was about four times as common as with placebo (8.6% vs 2.0%), and more than half of the vaccinated reported arm pain. Headache went up from 15.6% to 20.9%.", [
            ("swapped entity", "8.6%", "55.2%"),
            ("swapped entity", "8.6% vs 2.0%", "2.0% vs 8.6%", ["2.0%", "8.6%"]),
            ("invented", "arm pain", "arm pain; protection wanes by 1.3 points a month", "1.3"),
        ]),
    ],
}
