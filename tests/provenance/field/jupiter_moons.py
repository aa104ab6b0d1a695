{
    "domain": 'astronomy',
    "question": "I photographed Jupiter's moons and found these orbital periods and radii. Check Kepler's third law for me and get Jupiter's mass from it.",
    "cells": [
r"""import numpy as np
import pandas as pd
G = 6.674e-11
moons = pd.DataFrame({"P_days": [1.77, 3.55, 7.16, 16.7], "a_km": [422e3, 671e3, 1.07e6, 1.88e6]},
                     index=["Io", "Europa", "Ganymede", "Callisto"])
P = moons.P_days * 86400
a = moons.a_km * 1000
moons["mass_1e27kg"] = (4 * np.pi**2 * a**3 / (G * P**2) / 1e27).round(3)
moons["v_km_s"] = (2 * np.pi * a / P / 1000).round(2)
moons
""",
r"""slope, icpt = np.polyfit(np.log(moons.a_km), np.log(moons.P_days), 1)
print("slope", round(slope, 4))
M = moons.mass_1e27kg
print("mean mass", round(M.mean(), 3), "sd", round(M.std(), 3), "spread %", round(100 * (M.max() - M.min()) / M.mean(), 2))
print("deviation from 1.898:", f"{M.mean() / 1.898 - 1:+.2%}")
print("in earth masses", round(M.mean() * 1e27 / 5.972e24, 1))
""",
    ],
    "answers": [
        ('plain', 'Your four moons give Jupiter a mass of 1.896 × 10^27 kg, about 317 Earths.', [
            ('swapped entity', '1.896', '1.888'),
            ('scale', '317', '31.7'),
            ('digit', '1.896', '1.986'),
        ]),
        ('constants of a method', "Kepler's law predicts a slope of 1.5 in the log-log plot; you got 1.5024.", [
            ('digit', '1.5024', '1.5204'),
            ('invented', '1.5024', '1.4871'),
            ('invented', 'a slope of 1.5 ', 'a slope of 2.5 ', '2.5'),
        ]),
        ('percent', "You're only 0.12% below the textbook value of 1.898, and the four moons agree to within 0.7%.", [
            ('sign or direction', '0.12% below', '0.12% above', '0.12%'),
            ('scale', '0.12%', '1.2%'),
            ('wrong statistic', '0.7%', '0.006%'),
        ]),
        ('derived', 'Io is the fastest at 17.34 km/s, more than twice as fast as Callisto, which crawls along at 8.19 km/s.', [
            ('swapped entity', '17.34 km/s', '13.75 km/s', '13.75'),
            ('digit', '8.19 km/s', '8.91 km/s', '8.91'),
            ('swapped entity', '8.19 km/s', '10.87 km/s', '10.87'),
        ]),
        ('derived', 'Nice detail: Europa takes 2.01 times as long as Io and Ganymede 2.02 times as long as Europa, the famous 1:2:4 resonance. Callisto, at 16.7 days, is not part of it.', [
            ('miscomputed derivation', '2.02', '2.33'),
            ('swapped entity', '16.7 days', '7.16 days', '7.16'),
            ('miscomputed derivation', '2.01', '1.59'),
        ]),
        ('list or table', 'Mass from each moon (10^27 kg):\n- Io 1.901\n- Europa 1.900\n- Ganymede 1.894\n- Callisto 1.888\n\nMean 1.896 ± 0.006', [
            ('digit', '1.894', '1.849'),
            ('wrong column', '± 0.006', '± 0.69', '0.69'),
            ('digit', '1.888', '1.838'),
            ('invented', '1.901', '1.912'),
        ]),
    ],
}
