{
    "domain": "simulation",
    "question": "Simulate 5,000 rolls of two dice: how often is the sum 7?",
    "cells": ['''
import random
from collections import Counter

random.seed(2024)
rolls = [random.randint(1, 6) + random.randint(1, 6) for _ in range(5000)]
counts = Counter(rolls)
for total in range(2, 13):
    print(total, counts[total], f"{counts[total] / 5000:.4f}", f"{(6 - abs(total - 7)) / 36:.4f}")
''', '''
chi2 = sum((counts[t] - 5000 * (6 - abs(t - 7)) / 36) ** 2 / (5000 * (6 - abs(t - 7)) / 36) for t in range(2, 13))
print("mean of the sums:", sum(rolls) / 5000)
print("chi-square:", round(chi2, 3), "with", 10, "degrees of freedom")
'''],
    "answers": [
        ("plain", "The sum was 7 in 852 of 5,000 rolls, a share of 0.1704 (expected 0.1667).", [
            ("swapped entity", "a share of 0.1704 (expected 0.1667)", "a share of 0.1667 (expected 0.1704)", ["0.1667", "0.1704"]),
            ("digit", "852", "825"),
            ("swapped entity", "in 852 of 5,000 rolls", "in 670 of 5,000 rolls", "670")]),
        ("percent", "17.04 % of the rolls gave 7.", [
            ("digit", "17.04 %", "14.07 %"),
            ("number of something else", "17.04 %", "16.67 %")]),
        ("constants of a method", "The chi-square statistic is 11.071 with 10 degrees of freedom, so the dice look fair at the 5 % level.", [
            ("digit", "11.071", "11.701")]),
        ("plain", "The mean of the sums is 7.0102.", [
            ("digit", "7.0102", "7.1002"),
            ("invented", "7.0102", "6.9871")]),
        ("derived", "Sums of 2 or 12 came up 287 times together.", [
            ("miscomputed derivation", "287", "278")]),
        ("small integers", "A 2 came up 134 times, a 12 came up 153 times.", [
            ("swapped entity", "A 2 came up 134 times, a 12 came up 153 times", "A 2 came up 153 times, a 12 came up 134 times", ["153", "134"]),
            ("digit", "134 times", "143 times")]),
    ],
}
