{
    "domain": "exoplanets",
    "question": "Describe the planets in the table; which is the densest?",
    "cells": ['''
import math
planets = [
    {"name": "Kepler-10b", "mass": 3.33, "radius": 1.47, "period": 0.837},
    {"name": "GJ 1214b", "mass": 8.17, "radius": 2.74, "period": 1.580},
    {"name": "55 Cnc e", "mass": 7.99, "radius": 1.88, "period": 0.737},
    {"name": "K2-18b", "mass": 8.63, "radius": 2.61, "period": 32.940},
]
for p in planets:
    p["density"] = round(5.51 * p["mass"] / p["radius"] ** 3, 2)
    print(p)
''', '''
densest = max(planets, key=lambda p: p["density"])
print("densest:", densest["name"], densest["density"], "g/cm3")
print("mean mass:", round(sum(p["mass"] for p in planets) / 4, 3), "median period:", round((0.837 + 1.580) / 2, 4))
'''],
    "answers": [
        ("plain", "The densest planet is 55 Cnc e with 6.63 g/cm³.", [
            ("swapped entity", "55 Cnc e", "Kepler-10b", "6.63"),
            ("digit", "6.63", "6.36"),
            ("wrong column", "6.63", "7.99")]),
        ("plain", "K2-18b has a mass of 8.63 Earth masses and a period of 32.94 days.", [
            ("wrong column", "a mass of 8.63", "a mass of 2.61", "2.61"),
            ("swapped entity", "8.63", "8.17"),
            ("scale", "32.94", "329.4")]),
        ("plain", "Kepler-10b is the smallest (radius 1.47), GJ 1214b the largest (radius 2.74).", [
            ("swapped entity", "(radius 1.47), GJ 1214b the largest (radius 2.74)", "(radius 2.74), GJ 1214b the largest (radius 1.47)", ["2.74", "1.47"])]),
        ("derived", "It is about 3 times as dense as GJ 1214b (2.19).", [
            ("digit", "2.19", "2.91")]),
        ("plain", "The four planets have a mean mass of 7.03.", [
            ("wrong statistic", "7.03", "8.63"),
            ("digit", "7.03", "7.30")]),
        ("list or table", "| planet | mass | density |\n|---|---|---|\n| Kepler-10b | 3.33 | 5.78 |\n| GJ 1214b | 8.17 | 2.19 |\n| 55 Cnc e | 7.99 | 6.63 |", [
            ("swapped entity", "| 3.33 | 5.78 |", "| 3.33 | 2.67 |", "3.33 | 2.67"),
            ("wrong column", "| 8.17 | 2.19 |", "| 2.74 | 2.19 |", "2.74 |")]),
        ("inequalities", "Three of them orbit in less than 2 days.", []),
        ("derived", "55 Cnc e is 0.85 g/cm³ denser than Kepler-10b.", [
            ("miscomputed derivation", "0.85", "0.58"),
            ("sign or direction", "denser than", "less dense than", "0.85")]),
    ],
}
