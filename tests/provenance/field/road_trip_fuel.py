{
    "domain": 'travel',
    "question": 'We drive Lisbon to Porto, then Santiago, Bilbao, and Bordeaux. Diesel does 5.8 l/100km. What will it cost and which day is the worst?',
    "cells": [
r"""legs = [("Lisbon", "Porto", 313, 24.20, 1.589),
        ("Porto", "Santiago", 231, 16.85, 1.589),
        ("Santiago", "Bilbao", 546, 9.40, 1.479),
        ("Bilbao", "Bordeaux", 336, 18.60, 1.664)]
use = 5.8
rows = []
for a, b, km, toll, price in legs:
    litres = km * use / 100
    rows.append((f"{a}-{b}", km, round(litres, 1), round(litres * price, 2), toll))
for r in rows:
    print(*r, sep="\t")
""",
r"""km = sum(r[1] for r in rows); fuel = sum(r[3] for r in rows); toll = sum(r[4] for r in rows)
print("km", km, "litres", round(sum(r[2] for r in rows), 1))
print("fuel", round(fuel, 2), "tolls", round(toll, 2), "all", round(fuel + toll, 2))
print("per person (4):", round((fuel + toll) / 4, 2))
speed = {"Lisbon-Porto": 104, "Porto-Santiago": 97, "Santiago-Bilbao": 92, "Bilbao-Bordeaux": 95}
for r in rows:
    h = r[1] / speed[r[0]]
    print(r[0], f"{int(h)}h{round((h % 1) * 60):02d}")
""",
    ],
    "answers": [
        ('plain', "The whole trip costs about €198: €129 for diesel and €69 in tolls. Split four ways that's just under €50 each.", [
            ('swapped entity', '€129 for diesel and €69 in tolls', '€69 for diesel and €129 in tolls', ['69', '129']),
            ('miscomputed derivation', '€50', '€66', '66'),
            ('digit', '€198', '€189', '189'),
        ]),
        ('plain', 'Worst day is Santiago to Bilbao, 546 km and nearly 6 hours behind the wheel.', [
            ('swapped entity', '546 km', '336 km', '336'),
            ('miscomputed derivation', '6 hours', '7 hours', '7'),
            ('number of something else', '546 km', '1,426 km', '1,426'),
        ]),
        ('derived', 'Santiago–Bilbao is also the most expensive leg at 56.24 € all in, but only by about 3 € over Lisbon–Porto, because its tolls are so low (9.40 €).', [
            ('wrong column', '56.24 €', '46.84 €', '46.84'),
            ('swapped entity', '9.40 €', '16.85 €', '16.85'),
            ('miscomputed derivation', '3 €', '18 €', '18'),
        ]),
        ('list or table', '| Leg | km | Litres | Diesel | Toll |\n|---|---|---|---|---|\n| Lisbon–Porto | 313 | 18.2 | 28.85 | 24.20 |\n| Porto–Santiago | 231 | 13.4 | 21.29 | 16.85 |\n| Santiago–Bilbao | 546 | 31.7 | 46.84 | 9.40 |\n| Bilbao–Bordeaux | 336 | 19.5 | 32.43 | 18.60 |', [
            ('digit', '21.29', '22.19'),
            ('digit', '24.20', '24.80'),
            ('rounding', '31.7', '31.6'),
            ('invented', '32.43', '35.10'),
        ]),
        ('fractions in words', "Tolls are about a third of the bill (69.05 of 198.46), and you'll burn some 83 litres over 1,426 km.", [
            ('wrong column', '69.05', '129.41'),
            ('digit', '1,426 km', '1,246 km', '1,246'),
            ('miscomputed derivation', '83 litres', '58 litres', '58'),
        ]),
        ('derived', "You'll be driving 14 h 52 min in total, so a bit less than 4 hours a day over the 4 legs.", [
            ('miscomputed derivation', '14 h', '12 h', '12'),
            ('miscomputed derivation', '52 min', '32 min', '32'),
            ('miscomputed derivation', '4 legs', '6 legs', '6'),
        ]),
    ],
}
