{
    "domain": 'poll',
    "question": 'What are the results of the election poll?',
    "cells": [
        r"""
import math
n = 1204
share = {"Reform": 0.312, "Unity": 0.287, "Green": 0.174, "Liberal": 0.121, "Other": 0.106}
for party, p in share.items():
    moe = 1.96 * math.sqrt(p * (1 - p) / n)
    print(f"{party}: {p:.1%} +/- {moe * 100:.1f} points ({round(p * n)} respondents)")
lead = share["Reform"] - share["Unity"]
se = math.sqrt((share["Reform"] + share["Unity"] - lead ** 2) / n)
print(f"lead {lead * 100:.1f} points, z = {lead / se:.2f}")
""",
    ],
    "answers": [
        ('plain', 'Reform is ahead with 31.2 %, followed by Unity with 28.7 % and Green with 17.4 %.', [
            ('swapped entity', 'Unity with 28.7 % and Green with 17.4 %', 'Unity with 17.4 % and Green with 28.7 %', ['17.4 %', '28.7 %']),
            ('digit', '31.2 %', '32.1 %'),
        ]),
        ('plain', 'The lead of 2.5 points is within the margin of error (z = 1.12).', [
            ('digit', '2.5', '5.2'),
            ('digit', '1.12', '2.11'),
        ]),
        ('plain', 'For Liberal (12.1 %) the margin is plus or minus 1.8 points.', [
            ('swapped entity', '1.8', '2.6'),
            ('swapped entity', '12.1 %', '10.6 %'),
        ]),
        ('derived', 'Reform and Unity together reach 59.9 %.', [
            ('miscomputed derivation', '59.9 %', '58.9 %'),
        ]),
        ('plain', '376 of the 1,204 respondents would vote for Reform.', [
            ('swapped entity', '376', '346'),
            ('digit', '1,204', '1,240'),
        ]),
        ('fractions in words', 'Fewer than one in five would vote Green.', []),
    ],
}
