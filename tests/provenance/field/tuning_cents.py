{
    "domain": 'music',
    "question": 'How far off is equal temperament from just intonation for each interval, starting at A=440? Which one is the worst?',
    "cells": [
r"""import math
just = {"minor third": (6, 5, 3), "major third": (5, 4, 4), "fourth": (4, 3, 5), "fifth": (3, 2, 7),
        "minor sixth": (8, 5, 8), "major sixth": (5, 3, 9), "octave": (2, 1, 12)}
A = 440
rows = []
for name, (p, q, st) in just.items():
    fj = A * p / q
    fe = A * 2 ** (st / 12)
    cents = 1200 * math.log2(p / q)
    rows.append((name, fj, fe, cents, 100 * st - cents))
    print(f"{name:12s} just {fj:7.2f} Hz  equal {fe:7.2f} Hz  {cents:8.2f} cents  diff {100 * st - cents:+6.2f}")
""",
r"""worst = max(rows, key=lambda r: abs(r[4]))
print("worst:", worst[0], round(worst[4], 2))
print("mean abs deviation:", round(sum(abs(r[4]) for r in rows) / len(rows), 2))
beat = {r[0]: abs(r[1] - r[2]) for r in rows}
print({k: round(v, 2) for k, v in beat.items()})
comma = 12 * 1200 * math.log2(1.5) - 7 * 1200
print("Pythagorean comma", round(comma, 2), "cents")
""",
    ],
    "answers": [
        ('plain', 'The thirds and sixths are the bad ones: the minor third and major sixth are 15.64 cents off, the major third and minor sixth 13.69.', [
            ('swapped entity', '13.69', '1.96'),
            ('digit', '15.64', '16.54'),
            ('wrong statistic', '15.64', '8.94'),
        ]),
        ('plain', 'An equal-tempered fifth is 1.96 cents flat and a major third 13.69 cents sharp.', [
            ('sign or direction', '1.96 cents flat', '1.96 cents sharp', '1.96'),
            ('sign or direction', '13.69 cents sharp', '13.69 cents flat', '13.69'),
            ('scale', '1.96 cents', '19.6 cents', '19.6'),
        ]),
        ('units or currency', "Above A=440 the pure fifth would be 660 Hz, your piano plays 659.26 Hz, so you'd hear about 0.74 beats a second.", [
            ('swapped entity', '659.26 Hz', '698.46 Hz', '698.46'),
            ('swapped entity', '0.74', '0.66'),
            ('digit', '659.26 Hz', '695.26 Hz', '695.26'),
            ('wrong column', '0.74', '1.96'),
        ]),
        ('derived', 'On average the seven intervals are almost 9 cents off; leave out the octave, which is perfect, and it is 10.4.', [
            ('miscomputed derivation', '10.4', '7.8'),
            ('wrong statistic', '9 cents', '16 cents', '16'),
            ('number of something else', 'seven intervals', '12 intervals', '12'),
        ]),
        ('plain', 'Stack twelve pure fifths and you overshoot seven octaves by 23.46 cents, the Pythagorean comma.', [
            ('sign or direction', 'overshoot seven octaves by 23.46 cents', 'fall short of seven octaves by 23.46 cents', '23.46'),
            ('digit', '23.46', '24.36'),
            ('invented', '23.46', '21.51'),
        ]),
        ('list or table', 'Just vs equal (Hz):\n\n- minor third: 528.00 vs 523.25\n- major third: 550.00 vs 554.37\n- fourth: 586.67 vs 587.33\n- minor sixth: 704.00 vs 698.46\n- major sixth: 733.33 vs 739.99', [
            ('digit', '523.25', '532.25'),
            ('swapped entity', '698.46', '659.26'),
            ('digit', '586.67', '568.67'),
            ('rounding', '739.99', '739.89'),
        ]),
    ],
}
