{
    "domain": "chemical kinetics",
    "question": "Fit the decay of H2O2: rate constant, half-life, activation energy.",
    "cells": ['''
import numpy as np

t = np.array([0, 5, 10, 15, 20, 30, 40])
c = np.array([0.500, 0.418, 0.351, 0.292, 0.246, 0.172, 0.121])
slope, intercept = np.polyfit(t, np.log(c), 1)
k = -slope
print("k =", round(k, 5), "1/min")
print("half-life =", round(np.log(2) / k, 2), "min")
print("c0 =", round(float(np.exp(intercept)), 4), "mol/l")
''', '''
T = np.array([293.15, 303.15, 313.15, 323.15])
kT = np.array([0.0354, 0.0712, 0.1371, 0.2530])
m, b = np.polyfit(1 / T, np.log(kT), 1)
Ea = -m * 8.314 / 1000
print(f"Ea = {Ea:.2f} kJ/mol")
print(f"k(323.15)/k(293.15) = {kT[-1] / kT[0]:.3f}")
'''],
    "answers": [
        ("plain", "H2O2 decays by first order with $k = 0.03548\\,\\mathrm{min}^{-1}$ and a half-life of 19.54 min.", [
            ("digit", "0.03548", "0.03458"),
            ("swapped entity", "a half-life of 19.54 min", "a half-life of 51.64 min", "51.64"),
            ("scale", "19.54 min", "195.4 min")]),
        ("units or currency", "Activation energy: 51.64 kJ/mol.", [
            ("digit", "51.64", "56.14"),
            ("scale", "51.64 kJ/mol", "51.64 J/mol")]),
        ("derived", "Between 293.15 K and 323.15 K, i.e. over 30 K, the rate grows by a factor of 7.147.", [
            ("digit", "7.147", "7.471"),
            ("sign or direction", "the rate grows by a factor of 7.147", "the rate falls by a factor of 7.147", "7.147")]),
        ("plain", "The initial concentration from the fit is 0.4994 mol/l.", [
            ("rounding", "0.4994", "0.4999"),
            ("typed literal", "0.4994", "0.418")]),
        ("German", "Die Halbwertszeit beträgt 19,54 min, die Aktivierungsenergie 51,64 kJ/mol.", [
            ("swapped entity", "Die Halbwertszeit beträgt 19,54 min, die Aktivierungsenergie 51,64", "Die Halbwertszeit beträgt 51,64 min, die Aktivierungsenergie 19,54", ["51,64", "19,54"]),
            ("digit", "19,54", "15,94")]),
        ("French", "La constante de vitesse vaut 0,03548 par minute, la demi-vie 19,54 minutes.", [
            ("digit", "0,03548", "0,03584"),
            ("invented", "19,54", "22,80")]),
    ],
}
