{
    "domain": 'cooking',
    "question": 'My bread recipe makes two loaves with 900 g flour at 72% hydration. I want five loaves for a market stall. How much of everything, and what does a loaf cost me?',
    "cells": [
r"""recipe = {"bread flour": 720, "rye flour": 180, "water": 648, "starter": 180, "salt": 18}
price_kg = {"bread flour": 1.35, "rye flour": 1.80, "water": 0.003, "starter": 0.75, "salt": 0.60}
loaves_old, loaves_new = 2, 5
f = loaves_new / loaves_old
print("factor:", f)
total = 0
for k, g in recipe.items():
    new = g * f
    total += new
    print(f"{k:12s} {g:5d} g -> {new:7.0f} g")
print("dough total:", total, "g")
print("raw dough per loaf:", total / loaves_new)
""",
r"""cost = {k: recipe[k] * f / 1000 * price_kg[k] for k in recipe}
for k, c in cost.items():
    print(f"{k:12s} {c:.2f}")
batch = sum(cost.values())
oven_kwh = 3.1
energy = oven_kwh * 0.29
print(f"ingredients {batch:.2f}, oven {energy:.2f}, per loaf {(batch + energy) / loaves_new:.2f}")
baked = total / loaves_new * 0.87
print("baked weight per loaf:", round(baked))
""",
    ],
    "answers": [
        ('list or table', 'For five loaves:\n\n- bread flour: 1,800 g\n- rye flour: 450 g\n- water: 1,620 g\n- starter: 450 g\n- salt: 45 g\n\nThat makes about 4.4 kg of dough.', [
            ('stale value', '1,620 g', '648 g', '648'),
            ('scale', '45 g', '4.5 g', '4.5'),
            ('digit', '1,800 g', '1,080 g', '1,080'),
            ('invented', '4.4 kg', '5.2 kg', '5.2'),
        ]),
        ('plain', 'Just multiply everything by 2.5.', [
            ('miscomputed derivation', '2.5', '3'),
            ('question number given as result', '2.5', '5'),
        ]),
        ('units or currency', 'The ingredients for the whole batch come to 3.61 and running the oven adds 0.90, so a loaf costs you about 90 cents.', [
            ('wrong column', '3.61', '2.43'),
            ('miscomputed derivation', '90 cents', '72 cents', '72'),
            ('typed literal', '0.90', '3.10'),
        ]),
        ('derived', 'All five loaves together cost you roughly 4.51. Flour is by far the biggest item: 3.24 of the 3.61 for ingredients, about 90%.', [
            ('miscomputed derivation', '4.51', '4.15'),
            ('wrong column', '3.24', '2.43'),
            ('miscomputed derivation', '90%', '67%'),
        ]),
        ('derived', 'Each loaf goes in at 873 g and comes out at around 760 g, so it loses a good 110 g in the oven.', [
            ('miscomputed derivation', '110 g', '210 g', '210'),
            ('digit', '873 g', '837 g', '837'),
            ('scale', '760 g', '76 g', '76'),
            ('number of something else', '760 g', '900 g', '900'),
        ]),
        ('percent', "Scaling doesn't change the ratios: 1,620 g water on 2,250 g flour is still 72% hydration, and salt stays at 2% of the flour.", [
            ('miscomputed derivation', '72%', '78%'),
            ('miscomputed derivation', 'stays at 2%', 'stays at 4%', '4%'),
            ('miscomputed derivation', '2,250 g', '2,150 g', '2,150'),
        ]),
    ],
}
