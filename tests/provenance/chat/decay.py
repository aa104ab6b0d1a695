{
    "domain": "radioactive decay",
    "question": "Counts per minute from our lab, background is 22 cpm. Half-life? Literature for Ba-137m says 153 s.",
    "cells": [
r"""import numpy as np
t = np.arange(0, 601, 60)
cpm = np.array([1874, 1436, 1102, 851, 660, 502, 398, 309, 240, 195, 153])
def fit(counts):
    slope, icpt = np.polyfit(t, np.log(counts), 1)
    return -slope, np.exp(icpt)
lam, n0 = fit(cpm)
print(f"half-life = {np.log(2) / lam:.1f} s")""",
r"""# forgot the background
lam, n0 = fit(cpm - 22)
print(f"lambda = {lam:.5f} 1/s")
print(f"half-life = {np.log(2) / lam:.1f} s")
print(f"N0 = {n0:.0f} cpm")"""],
    "answers": [
        ("units or currency", "The half-life comes out at 157.2 s.", [
            ("stale value", "157.2", "165.6"),
            ("question number given as result", "157.2 s", "153 s", "153"),
        ]),
        ("percent", "Your 157.2 s are about 3% above the literature value of 153 s.", [
            ("miscomputed derivation", "about 3%", "about 7%", "7%"),
            ("sign or direction", "3% above", "3% below", "3%"),
        ]),
        ("constants of a method", "After subtracting the background of 22 cpm, the decay constant is 0.00441 per second.", [
            ("scale", "0.00441", "0.0441"),
            ("stale value", "0.00441", "0.00419"),
        ]),
        ("counted", "The fit uses 11 readings, one every 60 seconds.", [
            ("question number given as result", "11 readings", "22 readings", "22"),
            ("typed literal", "11 readings", "601 readings", "601"),
        ]),
        ("derived", "You are 4.2 s above the literature; the fitted starting rate is 1,836 cpm.", [
            ("typed literal", "1,836", "1,874"),
            ("miscomputed derivation", "4.2 s", "5.2 s", "5.2"),
        ]),
        ("inequalities", "The half-life is a bit over two and a half minutes, less than 5 s off the literature.", [
            ("miscomputed derivation", "less than 5 s", "less than 3 s", "3 s"),
            ("sign or direction", "less than 5 s", "more than 5 s", "5 s"),
        ]),
    ],
}
