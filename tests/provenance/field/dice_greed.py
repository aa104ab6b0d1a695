{
    "domain": 'games',
    "question": 'In Greed / Farkle with six dice, what are the odds that my first roll scores nothing? And how much does a first roll score on average? Just simulate it',
    "cells": [
r"""import random
from collections import Counter
random.seed(11)

def score(d):
    c = Counter(d)
    if len(c) == 6:
        return 1500
    if len(c) == 3 and all(v == 2 for v in c.values()):
        return 750
    s = 0
    for face, n in c.items():
        if n >= 3:
            base = 1000 if face == 1 else face * 100
            s += base * (n - 2)
        elif face == 1:
            s += 100 * n
        elif face == 5:
            s += 50 * n
    return s

N = 60000
res = [score([random.randint(1, 6) for _ in range(6)]) for _ in range(N)]
zero = sum(r == 0 for r in res)
print("rolls", N)
print("farkles", zero, zero / N)
print("mean", sum(res) / N)
""",
r"""s = sorted(res)
print("median", s[N // 2], "p90", s[int(N * .9)], "max", s[-1])
print("at least 500:", sum(r >= 500 for r in res) / N)
print("at least 1000:", sum(r >= 1000 for r in res) / N)
print("straights:", sum(r == 1500 for r in res))
Counter(res).most_common(5)
""",
    ],
    "answers": [
        ('percent', 'Only about 2.4% of first rolls score nothing, roughly 1 in 42.', [
            ('scale', '2.4%', '24%'),
            ('miscomputed derivation', '1 in 42', '1 in 24', '24'),
            ('wrong column', '2.4%', '9.5%'),
        ]),
        ('plain', 'On average a first roll is worth about 378 points, but the median is just 250.', [
            ('wrong statistic', '378', '850'),
            ('digit', '378', '387'),
            ('wrong statistic', '250', '200'),
        ]),
        ('counted', 'I rolled 60,000 times: 1,418 farkles and 956 straights.', [
            ('swapped entity', '1,418 farkles and 956 straights', '956 farkles and 1,418 straights', ['956', '1,418']),
            ('scale', '60,000', '6,000'),
            ('digit', '1,418', '1,481'),
        ]),
        ('fractions in words', 'You get 500 or more on about three rolls in ten (29.8%) and 1,000 or more on almost one in ten (9.5%).', [
            ('rounding', '29.8%', '29.9%'),
            ('swapped entity', '9.5%', '2.4%'),
            ('scale', '9.5%', '0.095%'),
        ]),
        ('plain', 'The best roll in the simulation scored 3,050, but nine times out of ten you stay at 850 or below.', [
            ('wrong statistic', '850', '378'),
            ('digit', '3,050', '3,500'),
            ('typed literal', '3,050', '1,500'),
        ]),
        ('derived', 'The single most common score is 200, which came up 8,453 times, i.e. about 14% of all rolls.', [
            ('swapped entity', '200', '100'),
            ('miscomputed derivation', '14%', '18%'),
            ('swapped entity', '8,453', '7,973'),
        ]),
    ],
}
