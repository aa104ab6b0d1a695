{
    "domain": "astronomy",
    "question": "I timed the four Galilean moons over a month. Can you check Kepler's third law with my numbers and get Jupiter's mass out of it? Also convert the distances to something I can picture.",
    "cells": [r"""
from dataclasses import dataclass, asdict
import math

@dataclass
class Moon:
    name: str
    period_d: float      # days
    a_km: float          # semi-major axis, thousand km

moons = [Moon("Io", 1.771, 424.0), Moon("Europa", 3.548, 668.5),
         Moon("Ganymede", 7.160, 1074.2), Moon("Callisto", 16.702, 1878.0)]
for m in moons:
    print(asdict(m))
""", r"""
G = 6.674e-11
estimates = []
for m in moons:
    a = m.a_km * 1e6
    T = m.period_d * 86400
    M = 4 * math.pi**2 * a**3 / (G * T**2)
    estimates.append(M)
    print(f"{m.name:<9} T^2 = {m.period_d**2:9.3f}  a^3 = {m.a_km**3:.4e}  v = {2 * math.pi * a / T / 1000:6.2f} km/s  M = {M:.4e} kg")
mean = sum(estimates) / 4
spread = (max(estimates) - min(estimates)) / mean
print(f"mean M = {mean:.4e} kg, spread {spread:.2%}, vs 1.898e27: {mean / 1.898e27 - 1:+.2%}")
""", r"""
xs = [math.log(m.a_km) for m in moons]
ys = [math.log(m.period_d) for m in moons]
mx, my = sum(xs) / 4, sum(ys) / 4
slope = sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)
intercept = my - slope * mx
print("slope", round(slope, 4), "intercept", round(intercept, 4))

EARTH_MOON = 384.4
for m in moons:
    print(f"{m.name}: {m.a_km / EARTH_MOON:.2f} lunar distances, {m.a_km * 1000 / 299792.458:.2f} light-seconds, {m.a_km / 1.609344:.0f} thousand miles")
print("period ratios to Io:", [round(m.period_d / moons[0].period_d, 3) for m in moons])
"""],
    "answers": [
        ("summary of an analysis", "Your data obey Kepler's third law nicely. The log-log slope is 1.505, very close to the expected 1.5, and the four moons give a mean mass for Jupiter of 1.901 × 10^27 kg, only 0.15% above the accepted 1.898 × 10^27 kg.", [
            ("digit", "1.505", "1.550"),
            ("swapped entity", "1.901 × 10^27", "1.926 × 10^27", "1.926"),
            ("scale", "only 0.15%", "only 1.5%", "only 1.5%"),
            ("sign or direction", "0.15% above", "0.15% below", "0.15%"),
        ]),
        ("list or table", "Jupiter's mass from each moon:\n- Io: 1.9258e27 kg\n- Europa: 1.8805e27 kg\n- Ganymede: 1.9159e27 kg\n- Callisto: 1.8815e27 kg\n\nThe spread between the largest and the smallest is 2.4% of the mean.", [
            ("digit", "1.9159e27", "1.9519e27"),
            ("scale", "1.9258e27", "1.9258e24"),
            ("miscomputed derivation", "2.4%", "4.2%"),
        ]),
        ("units or currency", "To picture it: Io orbits at 1.10 times the Earth–Moon distance, so about as far from Jupiter as our Moon is from us. Callisto sits 4.89 lunar distances out, about 1.17 million miles, and light needs 6.26 seconds to get there.", [
            ("swapped entity", "4.89 lunar", "2.79 lunar", "2.79"),
            ("scale", "1.17 million miles", "11.7 million miles", "11.7"),
            ("wrong column", "6.26 seconds", "8.18 seconds", "8.18"),
        ]),
        ("derived", "Io moves at 17.41 km/s, more than twice as fast as Callisto at 8.18 km/s. Its period is 9.4 times shorter.", [
            ("wrong column", "8.18 km/s", "10.91 km/s", "10.91"),
            ("miscomputed derivation", "9.4 times", "4.4 times"),
        ]),
        ("plain", "The famous resonance shows up as well: Europa takes 2.003 and Ganymede 4.043 Io periods, close to 1:2:4. Callisto, with 9.43, isn't part of it.", [
            ("swapped entity", "Ganymede 4.043", "Ganymede 9.431", "9.431"),
            ("digit", "2.003", "2.030"),
        ]),
        ("derived", "In hours, Io's period is 42.5 h and Ganymede's is 171.8 h. Callisto needs 16.7 days, i.e. more than two weeks.", [
            ("miscomputed derivation", "42.5 h", "44.3 h", "44.3"),
            ("miscomputed derivation", "171.8 h", "161.8 h", "161.8"),
            ("swapped entity", "16.7 days", "7.16 days", "7.16"),
        ]),
        ("inequalities", "None of the four mass estimates is off by more than 1.5%; Io is the worst with +1.5%, and Europa and Callisto come out about 0.9% too low.", [
            ("sign or direction", "about 0.9% too low", "about 0.9% too high", "0.9%"),
            ("digit", "more than 1.5%", "more than 0.5%", "0.5%"),
        ]),
    ],
}
