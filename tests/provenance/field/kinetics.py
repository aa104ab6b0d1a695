{
    "domain": 'chemistry, reaction kinetics',
    "question": 'Decomposition data at 4 temperatures, first order. Rate constants, half-lives and activation energy please.',
    "cells": [
r"""import numpy as np
R = 8.314
data = {298: [1.000, .958, .919, .880, .844], 308: [1.000, .868, .752, .655, .567], 318: [1.000, .661, .440, .291, .193], 328: [1.000, .336, .112, .038, .013]}
t = np.array([0, 10, 20, 30, 40])  # minutes
ks = {}
for T, c in data.items():
    k = -np.polyfit(t, np.log(c), 1)[0]
    ks[T] = k
    print(f"{T} K  k = {k:.5f} 1/min  t1/2 = {np.log(2)/k:.1f} min")""",
r"""x = 1/np.array(list(ks)); y = np.log(list(ks.values()))
s, b = np.polyfit(x, y, 1)
Ea = -s*R
print("Ea = %.1f kJ/mol, ln A = %.2f" % (Ea/1000, b))""",
r"""for T in (288, 313, 338):
    k = np.exp(b + s/T)
    print(T, "K predicted k =", float("%.3g" % k), " t1/2 =", float("%.3g" % (np.log(2)/k)), "min")""",
    ],
    "answers": [
        ('plain', 'The activation energy is 87.8 kJ/mol.', [
            ('scale', '87.8 kJ/mol', '87.8 J/mol', '87.8'),
            ('digit', '87.8', '78.8'),
            ('wrong column', '87.8 kJ/mol', '30.0 kJ/mol', '30.0'),
        ]),
        ('list or table', '| T (K) | k (1/min) | t½ (min) |\n|---|---|---|\n| 298 | 0.00424 | 163.4 |\n| 308 | 0.01416 | 48.9 |\n| 318 | 0.04111 | 16.9 |\n| 328 | 0.10865 | 6.4 |', [
            ('digit', '163.4', '136.4'),
            ('scale', '0.01416', '0.1416'),
            ('swapped entity', '| 16.9 |', '| 29.2 |', '29.2'),
        ]),
        ('derived', 'Going from 298 to 308 K makes the reaction 3.3 times as fast and cuts the half-life by almost 115 minutes.', [
            ('miscomputed derivation', '3.3 times', '2.3 times', '2.3'),
            ('miscomputed derivation', '115 minutes', '125 minutes', '125'),
            ('swapped entity', '3.3 times', '2.9 times', '2.9'),
        ]),
        ('summary of an analysis', 'All four series are first order with rate constants rising from 0.0042 to 0.109 per minute between 298 and 328 K. The half-life shrinks accordingly from 2.7 hours to just 6.4 minutes. The Arrhenius plot gives 87.8 kJ/mol with ln A = 30.0, and with it I predict a half-life of about 546 min at 288 K and 2.4 min at 338 K.', [
            ('miscomputed derivation', '2.7 hours', '1.7 hours', '1.7'),
            ('sign or direction', 'rising from 0.0042 to 0.109', 'falling from 0.0042 to 0.109', ['0.0042', '0.109']),
            ('swapped entity', '546 min at 288 K', '163 min at 288 K', '163'),
            ('digit', 'ln A = 30.0', 'ln A = 33.0', '33.0'),
        ]),
        ('units or currency', "At 288 K you'd wait around 9 hours for half of it to decompose.", [
            ('scale', '9 hours', '90 hours', '90'),
            ('miscomputed derivation', '9 hours', '5.5 hours', '5.5'),
        ]),
        ('plain', 'At 40 °C (313 K) the model predicts k = 0.0238 per minute and a half-life of 29 minutes.', [
            ('swapped entity', '29 minutes', '49 minutes', '49'),
            ('digit', '0.0238', '0.0283'),
            ('scale', '0.0238', '0.238'),
        ]),
    ],
}
