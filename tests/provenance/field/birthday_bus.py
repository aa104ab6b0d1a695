{
    "domain": 'probability',
    "question": 'there are 38 people on our tour bus. chance that two share a birthday? and that someone shares MY birthday?',
    "cells": [
r"""def p_shared(n, days=365):
    q = 1.0
    for i in range(n):
        q *= (days - i) / days
    return 1 - q
for n in (10, 20, 23, 30, 38, 50):
    print(n, round(p_shared(n), 4))
""",
r"""n = 38
mine = 1 - (364 / 365) ** (n - 1)
print("shares mine:", round(mine, 4))
print("expected pairs:", n * (n - 1) // 2, "->", round(n * (n - 1) / 2 / 365, 3))
k = 1
while 1 - (364 / 365) ** k < 0.5:
    k += 1
print("people needed for 50% mine:", k)
k = 2
while p_shared(k) < 0.99:
    k += 1
print("for 99% any:", k)
""",
r"""import numpy as np
rng = np.random.default_rng(5)
b = np.sort(rng.integers(0, 365, (20000, 38)), axis=1)
same = (np.diff(b, axis=1) == 0).sum(axis=1)
print("simulated:", (same > 0).mean(), "two or more matches:", (same > 1).mean(), "max:", same.max())
""",
    ],
    "answers": [
        ('plain', 'About 86% that some two people share a birthday, but only 9.65% that anybody shares yours.', [
            ('digit', '86%', '68%'),
            ('swapped entity', '86%', '71%'),
            ('scale', '9.65%', '96.5%'),
        ]),
        ('inequalities', 'You need 23 people to get past 50% (50.7%), and 57 to get to 99%.', [
            ('number of something else', '57 to', '253 to', '253'),
            ('swapped entity', '50.7%', '41.1%'),
            ('number of something else', '23 people', '20 people', '20'),
        ]),
        ('plain', 'My simulation of 20,000 buses agrees: 86.6% had at least one match, and in 57% there were even two or more. The record was 7.', [
            ('digit', '86.6%', '68.6%'),
            ('miscomputed derivation', '57%', '43%'),
            ('scale', '20,000', '200,000'),
            ('number of something else', 'record was 7', 'record was 9', '9'),
        ]),
        ('derived', "38 people make 703 pairs, and each has a 1 in 365 chance, so you'd expect nearly two matching pairs (1.93).", [
            ('miscomputed derivation', '703', '1,406'),
            ('rounding', '1.93', '1.94'),
            ('scale', '1.93', '19.3'),
        ]),
        ('derived', 'If all 50 seats were taken, the chance would go up by almost 11 points to 97%.', [
            ('miscomputed derivation', '11 points', '27 points', '27'),
            ('sign or direction', 'go up by almost 11 points', 'go down by almost 11 points', '11'),
            ('swapped entity', '97%', '71%'),
        ]),
        ('plain', "For an even chance that somebody has your own birthday you'd need 253 other people, not 23.", [
            ('digit', '253', '235'),
            ('miscomputed derivation', '253', '183'),
            ('number of something else', '253', '703'),
        ]),
    ],
}
