{
    "domain": 'probability',
    "question": "À la tombola de l'école il y a 1 200 billets à 2 €, 60 lots. J'en achète 15. Quelle chance de gagner au moins un lot, et combien je perds en moyenne ?",
    "cells": [
r"""from math import comb
N, lots, n = 1200, 60, 15
def p(k):
    return comb(lots, k) * comb(N - lots, n - k) / comb(N, n)
for k in range(5):
    print(k, round(p(k), 4))
print("au moins un:", round(1 - p(0), 4))
""",
r"""valeurs = {1: 350, 4: 60, 15: 20, 40: 5}
v = sum(a * b for a, b in valeurs.items())
print("valeur des lots", v, "recette", N * 2, "benefice", N * 2 - v)
print("esperance par billet", round(v / N, 3), "pour 15:", round(15 * v / N, 2), "mise", 15 * 2)
print("gros lot:", n / N)
m = 1
while 1 - comb(N - lots, m) / comb(N, m) < 0.9:
    m += 1
print("billets pour 90 %:", m)
""",
r"""import numpy as np
rng = np.random.default_rng(3)
g = rng.hypergeometric(lots, N - lots, n, 10000)
print("simulation: moyenne", g.mean(), "au moins un", (g > 0).mean(), "max", g.max())
""",
    ],
    "answers": [
        ('French', 'Avec 15 billets tu as 53,9 % de chances de gagner au moins un lot.', [
            ('wrong statistic', '53,9 %', '46,1 %', '46,1'),
            ('swapped entity', '53,9 %', '36,9 %', '36,9'),
            ('digit', '53,9 %', '59,3 %', '59,3'),
        ]),
        ('French', 'Tu mises 30 € et tu récupères en moyenne 13,62 € de lots, donc tu perds à peu près 16,40 €.', [
            ('miscomputed derivation', '16,40 €', '26,40 €', '26,40'),
            ('digit', '13,62 €', '16,32 €', '16,32'),
            ('sign or direction', 'tu perds à peu près 16,40 €', 'tu gagnes à peu près 16,40 €', '16,40'),
        ]),
        ('French', "Pour le gros lot, c'est 1,25 %, autrement dit une chance sur 80.", [
            ('scale', '1,25 %', '12,5 %', '12,5'),
            ('miscomputed derivation', 'sur 80', 'sur 60', '60'),
            ('miscomputed derivation', 'sur 80', 'sur 125', '125'),
        ]),
        ('French', "L'école encaisse 2 400 €, les lots valent 1 090 € et il lui reste 1 310 €, plus de la moitié de la recette.", [
            ('swapped entity', 'les lots valent 1 090 € et il lui reste 1 310 €', 'les lots valent 1 310 € et il lui reste 1 090 €', ['1 310', '1 090']),
            ('digit', '1 310 €', '1 130 €', '1 130'),
            ('scale', '2 400 €', '24 000 €', '24 000'),
        ]),
        ('French', 'Il te faudrait 45 billets, soit 90 €, pour avoir 90 % de chances de gagner quelque chose.', [
            ('digit', '45 billets', '54 billets', '54'),
            ('miscomputed derivation', '90 €', '135 €', '135'),
            ('miscomputed derivation', '45 billets', '25 billets', '25'),
        ]),
        ('French', 'Sur 10 000 tirages simulés, on gagne au moins un lot dans 54,8 % des cas, en moyenne 0,76 lot, et au mieux 5 lots.', [
            ('wrong column', '54,8 %', '75,8 %', '75,8'),
            ('scale', '0,76 lot', '7,6 lots', '7,6'),
            ('rounding', '54,8 %', '54,9 %', '54,9'),
            ('scale', '10 000', '100 000'),
        ]),
    ],
}
