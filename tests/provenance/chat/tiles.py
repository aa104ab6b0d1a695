{
    "domain": "tiling a bathroom",
    "question": "bathroom floor 3.40 x 2.15 m, tiles 30x60 cm, 10% waste, box of 6 costs 41.90. how many boxes and what do i pay?",
    "cells": [
r"""import math
area = 3.40 * 2.15
tile = 0.30 * 0.60
tiles = math.ceil(area * 1.10 / tile)
boxes = math.ceil(tiles / 6)
print(f"{area:.2f} m², {tiles} tiles, {boxes} boxes, {boxes * 41.90:.2f} EUR")"""],
    "answers": [
        ("plain", "You need 8 boxes, which comes to 335.20 EUR.", [
            ("digit", "335.20", "353.20"),
            ("number of something else", "8 boxes", "45 boxes", "45"),
        ]),
        ("derived", "Order 8 boxes, i.e. 48 tiles. You need 45, so 3 are left over.", [
            ("miscomputed derivation", "so 3 are", "so 5 are", "5 are"),
        ]),
        ("units or currency", "In total you pay €335.20 for 7.31 m².", [
            ("question number given as result", "€335.20", "€41.90", "41.90"),
            ("scale", "7.31 m²", "73.1 m²", "73.1"),
        ]),
        ("constants of a method", "With the 10 % waste you asked for, it comes to 45 tiles of 30 × 60 cm.", [
            ("question number given as result", "45 tiles", "60 tiles", "60 tiles"),
            ("invented", "10 % waste", "15 % waste", "15"),
        ]),
        ("inequalities", "You get away with less than 340 EUR: eight boxes at 41.90 are 335.20.", [
            ("sign or direction", "less than 340", "more than 340", "340"),
            ("miscomputed derivation", "335.20", "333.20"),
        ]),
        ("small integers", "With 6 tiles in a box, 7 boxes would be three tiles short, so take 8.", [
            ("digit", "so take 8", "so take 9", "9"),
        ]),
    ],
}
