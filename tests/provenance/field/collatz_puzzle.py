{
    "domain": 'code puzzles',
    "question": 'For a puzzle: which start below 10,000 has the longest Collatz chain, how long is it, and how many starts never go above 10,000 themselves?',
    "cells": [
r"""from functools import lru_cache
import sys
sys.setrecursionlimit(5000)

@lru_cache(None)
def length(n):
    return 1 if n == 1 else 1 + length(n // 2 if n % 2 == 0 else 3 * n + 1)

def peak(n):
    m = n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        m = max(m, n)
    return m

LIMIT = 10_000
best = max(range(1, LIMIT), key=length)
best, length(best), peak(best)
""",
r"""L = [length(n) for n in range(1, LIMIT)]
print("mean length", round(sum(L) / len(L), 1), "median", sorted(L)[len(L) // 2])
print("longer than 200:", sum(l > 200 for l in L))
peaks = {n: peak(n) for n in range(1, LIMIT)}
print("highest peak", max(peaks.values()), "first from", max(peaks, key=peaks.get))
print("stay <= 10000:", sum(p <= LIMIT for p in peaks.values()), "of", len(L))
print("27:", length(27), peak(27))
""",
    ],
    "answers": [
        ('plain', '6171 wins, with a chain of 262 numbers that climbs to 975,400 on the way.', [
            ('digit', '6171', '6711'),
            ('swapped entity', '975,400', '27,114,424'),
            ('swapped entity', '262', '112'),
            ('digit', '975,400', '957,400'),
        ]),
        ('counted', '4,234 of the 9,999 starts never go above 10,000, so the other 5,765 do.', [
            ('miscomputed derivation', '5,765', '5,675'),
            ('digit', '4,234', '4,324'),
            ('invented', '4,234', '4,745'),
        ]),
        ('scale words', 'The highest peak of all is about 27 million, reached from 9663, not from the longest chain.', [
            ('scale', '27 million', '27 thousand', '27'),
            ('swapped entity', '9663', '6171'),
            ('digit', '27 million', '72 million', '72'),
        ]),
        ('plain', 'A typical chain is much shorter: the mean is 86 and the median 74 numbers.', [
            ('swapped entity', 'the mean is 86', 'the mean is 112', '112'),
            ('digit', '74', '47'),
            ('wrong statistic', 'the mean is 86 and the median 74', 'the mean is 74 and the median 86', ['74', '86']),
        ]),
        ('inequalities', "Just 47 of the starts need more than 200 numbers, that's under half a percent.", [
            ('wrong statistic', '47', '74'),
            ('scale', '47', '470'),
        ]),
        ('derived', 'The famous 27 takes 112 numbers to get down to 1 and peaks at 9,232, some 340 times where it started.', [
            ('swapped entity', '112', '262'),
            ('miscomputed derivation', '340', '430'),
            ('scale', '9,232', '92,320'),
        ]),
    ],
}
