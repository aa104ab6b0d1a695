{
    "domain": 'trees',
    "question": 'What does the tree inventory of the city say?',
    "cells": [
        r"""
inventory = [("oak", 412, 18.4, 96), ("lime", 890, 15.1, 54), ("plane", 655, 21.7, 71), ("birch", 233, 12.2, 29), ("maple", 510, 14.8, 38)]
total = sum(n for _, n, _, _ in inventory)
print(f"total trees: {total}")
for species, n, height, age in sorted(inventory, key=lambda r: -r[1]):
    print(f"{species:<8} {n:>5}  {n / total:6.1%}  mean height {height} m  mean age {age} years")
tallest = max(inventory, key=lambda r: r[2])
oldest = max(inventory, key=lambda r: r[3])
print("tallest species:", tallest[0], tallest[2])
print("oldest species:", oldest[0], oldest[3])
""",
    ],
    "answers": [
        ('plain', "Of the city's 2,700 trees a third are limes (890).", [
            ('swapped entity', '890', '655'),
            ('digit', '2,700', '7,200'),
        ]),
        ('plain', 'Plane trees are the tallest with a mean height of 21.7 m; the oaks are the oldest, on average 96 years.', [
            ('swapped entity', '21.7 m', '18.4 m'),
            ('swapped entity', '96 years', '71 years'),
            ('wrong column', '96 years', '18.4 years', '18.4'),
        ]),
        ('plain', 'Birches are the rarest: there are 233 of them, 8.6 % of the total.', [
            ('swapped entity', '233', '412'),
            ('digit', '8.6 %', '6.8 %'),
        ]),
        ('derived', 'Limes and planes together make up 57.2 % of the trees.', [
            ('miscomputed derivation', '57.2 %', '52.7 %'),
        ]),
        ('derived', 'Oaks are on average 67 years older than birches.', [
            ('miscomputed derivation', '67', '76'),
            ('sign or direction', 'older', 'younger', '67'),
        ]),
        ('plain', 'Maples (510 trees) have a mean age of 38 years.', [
            ('swapped entity', '38', '29'),
            ('digit', '510', '501'),
        ]),
    ],
}
