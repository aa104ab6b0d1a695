{
    "domain": 'geometry',
    "question": "I walked around our allotment with a GPS and got these corner points in metres. What's the area and perimeter, and how much fence and mulch (5 cm) do I need?",
    "cells": [
r"""import math
pts = [(0, 0), (31.5, 2.0), (34.0, 19.5), (17.2, 26.8), (1.5, 18.0)]
n = len(pts)
area = abs(sum(pts[i][0] * pts[(i + 1) % n][1] - pts[(i + 1) % n][0] * pts[i][1] for i in range(n))) / 2
sides = [math.dist(pts[i], pts[(i + 1) % n]) for i in range(n)]
print("sides", [round(s, 2) for s in sides])
print("perimeter", round(sum(sides), 2), "area", round(area, 2))
""",
r"""bbox = (max(p[0] for p in pts) - min(p[0] for p in pts)) * (max(p[1] for p in pts) - min(p[1] for p in pts))
print("bounding box", round(bbox, 1), f"fill {area / bbox:.1%}")
gate = 3.2
fence = sum(sides) - gate
posts = math.ceil(fence / 2.5) + 1
print("fence", round(fence, 2), "posts", posts, "price", round(fence * 14.9 + posts * 8.5, 2))
beds = 0.35 * area
print("beds", round(beds, 1), "mulch m3", round(beds * 0.05, 2))
def angle(i):
    a, b, c = pts[i - 1], pts[i], pts[(i + 1) % n]
    v, w = (a[0] - b[0], a[1] - b[1]), (c[0] - b[0], c[1] - b[1])
    return math.degrees(math.acos((v[0] * w[0] + v[1] * w[1]) / math.hypot(*v) / math.hypot(*w)))
ang = [round(angle(i), 1) for i in range(n)]
print("angles", ang, "sum", round(sum(ang), 1))
""",
    ],
    "answers": [
        ('plain', 'Your allotment has an area of just under 696 m² and a perimeter of 103.6 m.', [
            ('wrong column', '696 m²', '911 m²', '911'),
            ('number of something else', '103.6 m', '100.4 m', '100.4'),
            ('digit', '696 m²', '669 m²', '669'),
        ]),
        ('units or currency', 'You need 100.4 m of fence and 42 posts, which comes to about 1,853 euros.', [
            ('stale value', '100.4 m', '103.6 m', '103.6'),
            ('digit', '1,853', '1,583'),
            ('miscomputed derivation', '42 posts', '41 posts', '41'),
        ]),
        ('derived', 'The posts alone are 357 euros of the 1,853, i.e. a good 19%.', [
            ('miscomputed derivation', '357', '375'),
            ('miscomputed derivation', '19%', '24%'),
        ]),
        ('units or currency', 'The beds take up 243.5 m², so 5 cm of mulch means ordering a bit more than 12 cubic metres.', [
            ('number of something else', '243.5 m²', '452.2 m²', '452.2'),
            ('scale', '12 cubic metres', '120 cubic metres', '120'),
            ('miscomputed derivation', '12 cubic metres', '35 cubic metres', '35'),
        ]),
        ('derived', 'The longest side is 31.56 m, nearly 14 m longer than the shortest one (17.68 m). The other three are all about 18 m.', [
            ('swapped entity', '17.68 m', '18.32 m', '18.32'),
            ('miscomputed derivation', '14 m', '24 m', '24'),
            ('number of something else', 'other three are all about 18 m', 'other three are all about 20 m', '20'),
        ]),
        ('small integers', 'As a check: 5 corners, angles between 81.6° and 127.2°, adding up to 540°. Your plot fills 76.4% of its bounding box.', [
            ('swapped entity', '127.2°', '124.0°', '124.0'),
            ('miscomputed derivation', '540°', '360°', '360'),
            ('digit', '76.4%', '74.6%'),
            ('swapped entity', '81.6°', '101.8°', '101.8'),
        ]),
    ],
}
