{
    "domain": 'unit conversion',
    "question": "J'ai une recette américaine en cups, °F et ounces. Tu peux tout convertir et me dire combien de calories fait une part (12 parts) ?",
    "cells": [
r"""recette = [("farine", 2.5, "cup", 125, 364), ("sucre", 1.25, "cup", 200, 387), ("beurre", 8, "oz", 28.35, 717),
           ("lait", 0.75, "cup", 244, 61), ("cream cheese", 12, "oz", 28.35, 342), ("noix de pécan", 0.5, "cup", 110, 691)]
total_g = total_kcal = 0
for nom, q, u, g_par, kcal in recette:
    g = q * g_par
    k = g * kcal / 100
    total_g += g
    total_kcal += k
    print(f"{nom:15s} {q:>5} {u:4s} = {g:6.1f} g  {k:7.1f} kcal")
print("total", round(total_g, 1), "g", round(total_kcal, 1), "kcal")
""",
r"""parts = 12
print("par part", round(total_g / parts, 1), "g", round(total_kcal / parts), "kcal")
for f in (325, 350, 400):
    print(f, "F =", round((f - 32) * 5 / 9, 1), "C")
print("moule 9 inch =", 9 * 2.54, "cm")
moins = total_kcal - 0.5 * 1.25 * 200 * 3.87
print("avec moitié moins de sucre:", round(moins / parts), "kcal par part")
""",
    ],
    "answers": [
        ('French', 'Une part fait environ 449 kcal pour 114 g.', [
            ('wrong column', '449 kcal', '409 kcal', '409'),
            ('digit', '449 kcal', '494 kcal', '494'),
            ('miscomputed derivation', '114 g', '137 g', '137'),
        ]),
        ('French', 'Voici les quantités :\n- farine : 312,5 g\n- sucre : 250 g\n- beurre : 227 g\n- lait : 183 g\n- cream cheese : 340 g\n- noix de pécan : 55 g\n\nSoit 1 367,5 g de pâte au total.', [
            ('digit', '312,5 g', '321,5 g', '321,5'),
            ('miscomputed derivation', '227 g', '272 g', '272'),
            ('scale', '55 g', '550 g', '550'),
            ('digit', '1 367,5 g', '1 637,5 g', '1 637,5'),
        ]),
        ('French', "350 °F, c'est 177 °C, et un moule de 9 pouces fait presque 23 cm.", [
            ('swapped entity', '177 °C', '204 °C', '204'),
            ('miscomputed derivation', '23 cm', '28 cm', '28'),
            ('swapped entity', '177 °C', '163 °C', '163'),
        ]),
        ('French', 'Le gâteau entier apporte 5 386 kcal, dont 30 % viennent du beurre (1 626 kcal).', [
            ('miscomputed derivation', '30 %', '17 %', '17'),
            ('swapped entity', '1 626 kcal', '1 163 kcal', '1 163'),
            ('scale', '5 386 kcal', '53 860 kcal', '53 860'),
        ]),
        ('French', 'En mettant moitié moins de sucre, tu descends à 409 kcal par part, et le gâteau entier perd 484 kcal.', [
            ('sign or direction', 'le gâteau entier perd 484 kcal', 'le gâteau entier gagne 484 kcal', '484'),
            ('miscomputed derivation', '484 kcal', '967 kcal', '967'),
            ('stale value', '409 kcal', '449 kcal', '449'),
        ]),
        ('French', "Ça fait à peu près 394 kcal pour 100 g, donc ce n'est pas un dessert léger.", [
            ('miscomputed derivation', '394 kcal', '254 kcal', '254'),
            ('digit', '394 kcal', '349 kcal', '349'),
        ]),
    ],
}
