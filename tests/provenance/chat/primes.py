{
    "domain": "number theory",
    "question": "how many primes below a million, how many of them are twin pairs and what's the biggest gap?",
    "cells": [
r"""import numpy as np
N = 1_000_000
s = np.ones(N, bool); s[:2] = False
for i in range(2, int(N ** 0.5) + 1):
    if s[i]:
        s[i*i::i] = False
p = np.flatnonzero(s)
gaps = np.diff(p)
print(len(p), (gaps == 2).sum(), gaps.max(), p[gaps.argmax()], p[-1])"""],
    "answers": [
        ("plain", "There are 78,498 primes below a million, and 8,169 twin pairs.", [
            ("digit", "78,498", "78,948"),
            ("number of something else", "8,169", "114"),
        ]),
        ("small integers", "The biggest gap is 114, right after 492,113.", [
            ("number of something else", "492,113", "999,983"),
            ("invented", "114", "132"),
        ]),
        ("derived", "The widest stretch without a prime runs from 492,113 to 492,227.", [
            ("miscomputed derivation", "492,227", "492,237"),
        ]),
        ("percent", "7.8% of the numbers below a million are prime.", [
            ("scale", "7.8%", "78%"),
            ("wrong statistic", "7.8%", "8.2%"),
        ]),
        ("fractions in words", "Roughly one number in 13 is prime, and about a fifth of those primes belong to a twin pair.", [
            ("digit", "in 13", "in 31", "31"),
        ]),
        ("scale words", "Not quite 80 thousand primes below 1 million; the largest is 999,983.", [
            ("scale", "80 thousand", "800 thousand", "800"),
            ("question number given as result", "999,983", "1,000,000"),
        ]),
        ("constants of a method", "The sieve only has to go up to 1,000, the square root of a million; it leaves 78,498 primes.", [
            ("wrong statistic", "78,498", "8,169"),
            ("typed literal", "78,498", "1,000,000"),
        ]),
    ],
}
