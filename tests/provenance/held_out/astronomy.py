{
    "domain": "astronomy",
    "question": "Compare the periods and distances of these moons and test Kepler's third law.",
    "cells": ['''
import numpy as np

moons = {"Io": (421.8, 1.769), "Europa": (671.1, 3.551), "Ganymede": (1070.4, 7.155), "Callisto": (1882.7, 16.689)}
for name, (distance, period) in moons.items():
    print(f"{name:10} a = {distance:7.1f} thousand km   T = {period:6.3f} days   a^3/T^2 = {distance**3 / period**2:.4e}")
a = np.array([m[0] for m in moons.values()])
T = np.array([m[1] for m in moons.values()])
slope, intercept = np.polyfit(np.log(a), np.log(T), 1)
print(f"slope of log T against log a: {slope:.4f}")
''', '''
speed = {name: 2 * np.pi * d * 1e3 / (t * 86400) for name, (d, t) in moons.items()}
{name: round(float(v), 2) for name, v in speed.items()}
'''],
    "answers": [
        ("plain", "Callisto moves at 8.2 km/s, Io at 17.34 km/s.", [
            ("swapped entity", "Callisto moves at 8.2 km/s, Io at 17.34 km/s", "Callisto moves at 17.34 km/s, Io at 8.2 km/s", "17.34"),
            ("digit", "17.34", "17.43")]),
        ("constants of a method", "The fitted slope of log T against log a is 1.5003, so T² is proportional to a³ as Kepler's third law says (slope 3/2).", [
            ("digit", "1.5003", "1.5030"),
            ("invented", "1.5003", "1.4871")]),
        ("derived", "Europa's period is 2.007 times that of Io, and Ganymede's 2.015 times that of Europa: the well-known resonance.", [
            ("miscomputed derivation", "2.007 times", "2.070 times")]),
        ("units or currency", "Ganymede is 1,070.4 thousand km away from Jupiter and needs 7.155 days.", [
            ("scale", "1,070.4 thousand km", "1,070.4 million km", "1,070.4"),
            ("wrong column", "needs 7.155 days", "needs 10.88 days")]),
        ("scale words", "Callisto's orbit has a radius of about 1.88 million kilometres.", [
            ("scale", "1.88 million", "18.8 million")]),
        ("percent", "The constant a³/T² varies little, from 2.3956e+07 (Ganymede) to 2.3981e+07 (Io).", [
            ("digit", "2.3956e+07", "2.3596e+07"),
            ("swapped entity", "(Ganymede) to 2.3981e+07 (Io)", "(Callisto) to 2.3981e+07 (Io)", "2.3956e+07")]),
    ],
}
