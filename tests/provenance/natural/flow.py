{
    "domain": 'flow',
    "question": 'How did the river discharge develop?',
    "cells": [
        r"""
years = list(range(2015, 2025))
q = [212.4, 198.7, 185.2, 151.9, 203.3, 176.8, 240.6, 139.5, 188.1, 229.0]
import statistics as st
for y, v in zip(years, q):
    print(y, v)
print("mean", round(st.mean(q), 2), "median", round(st.median(q), 2), "sd", round(st.stdev(q), 2))
""",
        r"""
import numpy as np
slope, icpt = np.polyfit(years, q, 1)
print("trend: %.3f m3/s per year" % slope)
low = [(y, v) for y, v in zip(years, q) if v < 160]
print("years below 160:", low)
print("max", max(q), "in", years[q.index(max(q))], "min", min(q), "in", years[q.index(min(q))])
""",
    ],
    "answers": [
        ('plain', 'The mean discharge over the ten years was 192.55 m³/s, the median 193.4.', [
            ('swapped entity', '192.55 m³/s, the median 193.4', '193.4 m³/s, the median 192.55', ['193.4', '192.55']),
            ('digit', '192.55', '195.25'),
        ]),
        ('plain', 'The highest value was 240.6 in 2021, directly followed by the lowest, 139.5 in 2022.', [
            ('swapped entity', '240.6 in 2021', '229.0 in 2021', '229.0'),
            ('swapped entity', '139.5 in 2022', '151.9 in 2022', '151.9'),
        ]),
        ('small integers', 'Only two years stayed below 160 m³/s: 2018 (151.9) and 2022 (139.5).', [
            ('digit', '151.9', '159.1'),
            ('swapped entity', '2018 (151.9) and 2022 (139.5)', '2018 (139.5) and 2022 (151.9)', ['139.5', '151.9']),
        ]),
        ('derived', 'From 2021 to 2022 the discharge dropped by 101.1 m³/s, or 42.0 %.', [
            ('miscomputed derivation', '101.1', '110.1'),
            ('miscomputed derivation', '42.0 %', '72.5 %'),
            ('sign or direction', 'dropped', 'rose', ['101.1', '42.0 %']),
        ]),
        ('plain', 'There is hardly any trend (+0.523 m³/s per year).', [
            ('sign or direction', '+0.523', '-0.523'),
            ('digit', '+0.523', '+0.352'),
        ]),
        ('derived', 'By 2024 it had recovered to 229.0, which is 16.6 m³/s more than in 2015.', [
            ('miscomputed derivation', '16.6', '61.6'),
            ('swapped entity', '229.0', '188.1'),
        ]),
    ],
}
