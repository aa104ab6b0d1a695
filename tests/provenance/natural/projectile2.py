{
    "domain": 'projectile2',
    "question": 'How far does the ball fly with and without drag?',
    "cells": [
        r"""
import math
g, v0, angle = 9.81, 38.0, math.radians(42)
def fly(k, dt=0.001):
    x = y = t = 0.0; vx, vy = v0 * math.cos(angle), v0 * math.sin(angle); top = 0.0
    while y >= 0:
        v = math.hypot(vx, vy)
        vx -= k * v * vx * dt; vy -= (g + k * v * vy) * dt
        x += vx * dt; y += vy * dt; t += dt; top = max(top, y)
    return {"range_m": round(x, 2), "flight_time_s": round(t, 3), "max_height_m": round(top, 2), "impact_speed": round(math.hypot(vx, vy), 2)}
res = {"vacuum": fly(0.0), "drag": fly(0.0055)}
for k, v in res.items(): print(k, v)
""",
    ],
    "answers": [
        ('plain', 'Without drag the ball flies 146.37 m, with drag only 94.01 m.', [
            ('swapped entity', '146.37 m, with drag only 94.01', '94.01 m, with drag only 146.37', ['94.01', '146.37']),
            ('digit', '146.37', '164.37'),
        ]),
        ('plain', 'Air resistance cuts the range by 52.36 m, or 35.8 %.', [
            ('miscomputed derivation', '52.36', '53.26'),
            ('miscomputed derivation', '35.8 %', '55.7 %'),
            ('sign or direction', 'cuts', 'extends', '52.36'),
        ]),
        ('plain', 'It reaches a height of 25.5 m instead of 32.9 m.', [
            ('digit', '25.5', '22.5'),
            ('digit', '32.9', '39.2'),
        ]),
        ('plain', 'In vacuum it is in the air for 5.18 s; drag shortens this to 4.55 s.', [
            ('digit', '5.18', '5.81'),
            ('digit', '4.55', '4.05'),
        ]),
        ('units or currency', 'It hits the ground at 25.45 m/s, i.e. about 91.6 km/h.', [
            ('miscomputed derivation', '91.6', '96.1'),
            ('swapped entity', '25.45', '37.99'),
        ]),
        ('constants of a method', 'I used g = 9.81 m/s² and a launch speed of 38 m/s at an angle of 42°.', [
            ('digit', '9.81', '8.91'),
            ('digit', '38 m/s', '83 m/s', '83'),
        ]),
    ],
}
