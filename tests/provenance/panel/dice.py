{
    "domain": "board game",
    "question": "In my game you roll 3 dice and keep the best 2. What total should I expect, and how likely is a 12? Simulate 20000 rolls and also do it exactly.",
    "cells": [
r"""
import random
from collections import Counter
random.seed(1234)
N = 20000
sim = Counter(sum(sorted(random.choices(range(1, 7), k=3))[1:]) for _ in range(N))
mean_sim = sum(k * v for k, v in sim.items()) / N
print("simulated mean", mean_sim)
for k in sorted(sim):
    print(k, sim[k], sim[k] / N)
""",
r"""
from itertools import product
from fractions import Fraction
exact = Counter(sum(sorted(r)[1:]) for r in product(range(1, 7), repeat=3))
print(dict(sorted(exact.items())))
mean = Fraction(sum(k * v for k, v in exact.items()), 216)
print(mean, float(mean))
var = sum(v * (k - mean) ** 2 for k, v in exact.items()) / 216
print(round(float(var) ** 0.5, 4))
print(Fraction(exact[12], 216), round(exact[12] / 216, 5))
print("P(>=10) =", Fraction(sum(v for k, v in exact.items() if k >= 10), 216), round(sum(v for k, v in exact.items() if k >= 10) / 216, 4))
print("plain 2 dice: mean 7, P(12) = 1/36 = 0.0278")
"""],
    "answers": [
        ("plain", "The exact expected total is 203/24 ≈ 8.46; the simulation gave 8.45.", [
            ("digit", "8.46", "8.64"),
            ("typed literal", "203/24 ≈ 8.46", "7", "7"),
        ]),
        ("percent", "A 12 comes up about 7.4% of the time.", [
            ("typed literal", "7.4%", "2.8%"),
            ("scale", "7.4%", "74%"),
        ]),
        ("counted", "In the 20,000 simulated rolls the 12 showed up 1,464 times, close to the 1,481 you'd expect.", [
            ("digit", "1,464", "1,644"),
            ("miscomputed derivation", "1,481", "1,841"),
        ]),
        ("inequalities", "You get 10 or more in 77 of 216 cases, so a bit over 35% of the time.", [
            ("digit", "77", "71"),
            ("sign or direction", "a bit over 35%", "a bit under 35%", "35%"),
            ("miscomputed derivation", "35%", "45%"),
        ]),
        ("fractions in words", "9 is the most likely total: 36 of the 216 combinations, exactly one in six.", [
            ("swapped entity", "36 of", "34 of", "34"),
            ("swapped entity", "9 is", "10 is", "10"),
        ]),
        ("plain", "The standard deviation is about 2.21 points.", [
            ("rounding", "2.21", "2.22"),
            ("wrong statistic", "2.21", "4.91"),
        ]),
    ],
}
