{
    "domain": 'school maths',
    "question": 'can you check my homework: h(t) = -4.9t^2 + 19.6t + 1.5, when does the ball hit the ground, how high does it get, and how long is it above 15 m?',
    "cells": [
r"""import math
a, b, c = -4.9, 19.6, 1.5
disc = b*b - 4*a*c
t1 = (-b + math.sqrt(disc)) / (2*a)
t2 = (-b - math.sqrt(disc)) / (2*a)
disc, t1, t2
""",
r"""tv = -b / (2*a)
hv = a*tv**2 + b*tv + c
print("vertex", tv, round(hv, 3))
d15 = b*b - 4*a*(c - 15)
lo, hi = sorted([(-b + math.sqrt(d15))/(2*a), (-b - math.sqrt(d15))/(2*a)])
print("above 15 m from", round(lo, 3), "to", round(hi, 3), "=", round(hi - lo, 3), "s")
print("impact speed", round(2*a*t2 + b, 2))
for t in range(0, 5):
    print(t, round(a*t*t + b*t + c, 1))
""",
    ],
    "answers": [
        ('plain', 'It hits the ground after about 4.08 s and reaches 21.1 m at its highest, 2 seconds after the throw.', [
            ('digit', '4.08 s', '4.80 s', '4.80'),
            ('typed literal', '21.1 m', '19.6 m', '19.6'),
            ('wrong column', '21.1 m', '16.2 m', '16.2'),
            ('miscomputed derivation', '2 seconds', '3 seconds', '3'),
        ]),
        ('plain', 'The formula gives two roots, t ≈ -0.075 and t ≈ 4.075. The negative one is before the throw, so drop it.', [
            ('scale', '-0.075', '-0.75'),
            ('rounding', '4.075', '4.076'),
            ('digit', '4.075', '4.057'),
        ]),
        ('derived', 'The ball is above 15 m from 0.88 s to 3.12 s, i.e. for 2.23 s, a bit more than half of the whole flight.', [
            ('miscomputed derivation', '2.23 s', '4.00 s', '4.00'),
            ('digit', '3.12 s', '3.21 s', '3.21'),
            ('rounding', '0.88 s', '0.89 s', '0.89'),
        ]),
        ('units or currency', 'It lands at roughly 20.3 m/s, which is about 73 km/h.', [
            ('miscomputed derivation', '73 km/h', '56 km/h', '56'),
            ('typed literal', '20.3 m/s', '19.6 m/s', '19.6'),
            ('scale', '73 km/h', '7.3 km/h', '7.3'),
        ]),
        ('summary of an analysis', 'Your parabola opens downwards and its discriminant is 413.56, so there are two solutions. The vertex is at t = 2, h = 21.1; by symmetry the heights at t = 1 and t = 3 are both 16.2 m, and after 4 s the ball is back at its starting height of 1.5 m.', [
            ('digit', '413.56', '431.56'),
            ('wrong column', '16.2 m', '21.2 m', '21.2'),
            ('swapped entity', 'after 4 s', 'after 4.9 s', '4.9'),
            ('wrong column', 'h = 21.1', 'h = 15', '15'),
        ]),
        ('derived', 'So it rises 19.6 m above your hand and then falls the full 21.1 m in about 2.08 s.', [
            ('miscomputed derivation', '19.6 m', '22.6 m', '22.6'),
            ('wrong column', '2.08 s', '4.08 s', '4.08'),
            ('miscomputed derivation', '2.08 s', '2.23 s', '2.23'),
        ]),
    ],
}
