{
    "domain": 'rocket',
    "question": 'How high does the model rocket fly?',
    "cells": [
        r"""
import math
m0, m_fuel, thrust, burn, g, cd_a, rho = 0.35, 0.06, 14.0, 1.7, 9.81, 0.0028, 1.225
dt = 0.001
t = v = h = 0.0
vmax = hmax = tmax = 0.0
while True:
    m = m0 - m_fuel * min(t, burn) / burn
    f = (thrust if t < burn else 0.0) - m * g - 0.5 * rho * cd_a * v * abs(v)
    v += f / m * dt
    h += v * dt
    t += dt
    if v > vmax:
        vmax, tv = v, t
    if h > hmax:
        hmax, tmax = h, t
    if h < 0 and t > burn:
        break
print(f"max velocity {vmax:.1f} m/s at t={tv:.2f} s")
print(f"apogee {hmax:.1f} m at t={tmax:.2f} s")
print(f"flight time {t:.2f} s, impact speed {abs(v):.1f} m/s")
""",
    ],
    "answers": [
        ('plain', 'The rocket reaches its highest point, 120.7 m, after 5.37 s.', [
            ('digit', '120.7', '127.0'),
            ('number of something else', '5.37', '10.93'),
            ('scale', '120.7 m', '120.7 km'),
        ]),
        ('plain', 'Its top speed is 49.6 m/s, reached at burnout (1.7 s).', [
            ('number of something else', '49.6', '35.5'),
            ('digit', '49.6', '46.9'),
        ]),
        ('plain', 'It hits the ground at 35.5 m/s after a flight of 10.93 seconds.', [
            ('swapped entity', '35.5', '49.6'),
            ('digit', '10.93', '10.39'),
        ]),
        ('derived', 'The descent takes 5.56 s, slightly longer than the ascent.', [
            ('miscomputed derivation', '5.56', '5.65'),
        ]),
        ('derived', 'The top speed corresponds to about 179 km/h.', [
            ('miscomputed derivation', '179', '197'),
        ]),
    ],
}
