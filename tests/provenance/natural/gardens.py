{
    "domain": 'gardens',
    "question": 'Which fertiliser works best?',
    "cells": [
        r"""
import numpy as np
from math import sqrt
yields = {"none": [3.1, 2.8, 3.4, 3.0, 2.9], "compost": [4.2, 3.9, 4.6, 4.1, 4.4], "npk": [5.1, 4.7, 5.6, 4.9, 5.3]}
grand = np.mean([v for g in yields.values() for v in g])
ssb = sum(len(g) * (np.mean(g) - grand) ** 2 for g in yields.values())
ssw = sum(((np.array(g) - np.mean(g)) ** 2).sum() for g in yields.values())
F = (ssb / 2) / (ssw / 12)
for k, g in yields.items():
    print(k, "mean", round(np.mean(g), 2), "sd", round(np.std(g, ddof=1), 3))
print("F(2, 12) =", round(F, 1))
print("eta squared =", round(ssb / (ssb + ssw), 3))
diff = np.mean(yields["npk"]) - np.mean(yields["compost"])
print("npk vs compost: difference", round(diff, 2), "kg")
""",
    ],
    "answers": [
        ('plain', 'NPK gave the best yield, 5.12 kg on average, followed by compost with 4.24 kg; without fertiliser it was 3.04 kg.', [
            ('swapped entity', '4.24 kg; without fertiliser it was 3.04', '3.04 kg; without fertiliser it was 4.24', ['3.04', '4.24']),
            ('digit', '3.04', '3.40'),
        ]),
        ('plain', 'The groups differ clearly (F(2, 12) = 65.9), and the treatment explains 91.7 % of the variance.', [
            ('digit', '65.9', '69.5'),
            ('scale', '91.7 %', '9.17 %'),
        ]),
        ('derived', 'Compared with no fertiliser, compost adds 1.2 kg (39.5 %) and NPK 2.08 kg (68.4 %).', [
            ('miscomputed derivation', '39.5 %', '35.9 %'),
            ('miscomputed derivation', '2.08', '2.80'),
            ('swapped entity', '1.2 kg (39.5 %) and NPK 2.08 kg (68.4 %)', '2.08 kg (68.4 %) and NPK 1.2 kg (39.5 %)', ['2.08', '68.4 %', '1.2 kg', '39.5 %']),
        ]),
        ('plain', 'The NPK plots scatter most (sd 0.349).', [
            ('swapped entity', '0.349', '0.27'),
            ('digit', '0.349', '0.394'),
        ]),
        ('plain', 'NPK beats compost by 0.88 kg.', [
            ('sign or direction', 'NPK beats compost', 'Compost beats NPK', '0.88'),
            ('miscomputed derivation', '0.88', '0.98'),
        ]),
    ],
}
