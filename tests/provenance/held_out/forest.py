{
    "domain": "forestry",
    "question": "Estimate the timber of the stand from our 30 sample trees; the stand has 1,400 trees. Two of ours, 3 and 17, are dead.",
    "cells": ['''
import random
random.seed(8)
trees = [(round(random.gauss(31, 6), 1), round(random.gauss(22, 3), 1)) for _ in range(30)]
volume = [0.45 * 3.14159 * (d / 200) ** 2 * h for d, h in trees]
print(f"mean diameter {sum(d for d, _ in trees) / 30:.2f} cm")
print(f"mean height {sum(h for _, h in trees) / 30:.2f} m")
print(f"mean volume {sum(volume) / 30:.4f} m3")
print(f"stand volume {1400 * sum(volume) / 30:.1f} m3")
''', '''
# trees 3 and 17 are dead and do not count
alive = [v for i, v in enumerate(volume, 1) if i not in (3, 17)]
print(f"mean volume {sum(alive) / len(alive):.4f} m3")
print(f"stand volume {1400 * sum(alive) / len(alive):.1f} m3")
print("sample trees:", len(alive))
''', '''
price = 87.5
print("timber price per m3:", price)
print("carbon per m3: 0.25 t")
'''],
    "answers": [
        ("plain", "Without the two dead trees the stand holds about 1,198.9 m³.", [
            ("stale value", "1,198.9", "1,211.0"),
            ("digit", "1,198.9", "1,189.9")]),
        ("plain", "The mean volume per tree is 0.8564 m³, based on 28 sample trees.", [
            ("stale value", "0.8564", "0.8650"),
            ("question number given as result", "based on 28 sample trees", "based on 30 sample trees", "30"),
            ("scale", "0.8564", "8.564")]),
        ("plain", "Sample trees are 31.62 cm thick and 23.50 m high on average.", [
            ("swapped entity", "31.62 cm thick and 23.50 m high", "23.50 cm thick and 31.62 m high", ["23.50", "31.62"]),
            ("digit", "31.62", "36.12"),
            ("typed literal", "Sample trees are 31.62 cm thick and 23.50 m high on average", "A cubic metre sells for 87.50", "87.50"),
            ("typed literal", "Sample trees are 31.62 cm thick and 23.50 m high on average", "Each cubic metre stores 0.25 t of carbon", "0.25")]),
        ("derived", "The estimate drops by 12.1 m³, from 1,211.0 to 1,198.9.", [
            ("miscomputed derivation", "12.1 m³", "21.1 m³"),
            ("sign or direction", "The estimate drops by 12.1 m³", "The estimate rises by 12.1 m³", "12.1")]),
        ("scale words", "All in all some 1.2 thousand cubic metres.", [
            ("scale", "1.2 thousand", "1.2 million")]),
    ],
}
