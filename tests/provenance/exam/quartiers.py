{
    "domain": "urbanisme",
    "question": "Bonjour, je prépare le diagnostic du PLU pour nos six quartiers : densité, part de logements sociaux, espaces verts par habitant. Combien de logements sociaux nous manque-t-il pour atteindre 25 % ? L'OMS recommande au moins 10 m² d'espaces verts par habitant.",
    "cells": [
r"""import pandas as pd
q = pd.DataFrame({
    "quartier": ["Centre", "Gare", "Les Minimes", "Saint-Roch", "La Plaine", "Port"],
    "habitants": [18420, 11260, 15875, 9340, 22610, 6995],
    "surface_ha": [142.0, 96.5, 210.0, 118.0, 405.0, 187.5],
    "logements": [10960, 6105, 7420, 4480, 9875, 3340],
    "sociaux": [1315, 1648, 2078, 582, 2173, 401],
    "espaces_verts_ha": [6.2, 3.1, 14.8, 9.6, 41.3, 22.4],
})
q["densite"] = q.habitants / q.surface_ha
q["pct_sociaux"] = 100 * q.sociaux / q.logements
q["m2_vert_hab"] = q.espaces_verts_ha * 10_000 / q.habitants
print(q.set_index("quartier")[["densite", "pct_sociaux", "m2_vert_hab"]].round(1))""",
r"""print("Habitants :", q.habitants.sum())
print("Logements :", q.logements.sum(), "dont sociaux :", q.sociaux.sum())
taux = 100 * q.sociaux.sum() / q.logements.sum()
print("Taux SRU : %.2f %%" % taux)
manque = 0.25 * q.logements.sum() - q.sociaux.sum()
print("Manque pour 25 % :", round(manque, 1))
print("Vert par habitant : %.1f m²" % (q.espaces_verts_ha.sum() * 1e4 / q.habitants.sum()))"""],
    "answers": [
        ("French", "La commune compte 84 500 habitants et 42 180 logements, dont 8 197 sociaux, soit un taux de 19,43 %. Il manque 2 348 logements sociaux pour atteindre le seuil de 25 %.", [
            ("digit", "2 348 logements", "2 438 logements", "2 438"),
            ("invented", "84 500 habitants", "84 500 habitants (+3,1 % depuis 2015)", "3,1 %"),
            ("question number given as result", "soit un taux de 19,43 %", "soit un taux de 25,00 %", "25,00 %"),
            ("digit", "dont 8 197 sociaux", "dont 8 917 sociaux", "8 917"),
        ]),
        ("French", "Le Centre est le quartier le plus dense avec 129,7 habitants par hectare, contre seulement 37,3 au Port, soit près de 3,5 fois plus.", [
            ("swapped entity", "129,7 habitants", "116,7 habitants", "116,7"),
            ("miscomputed derivation", "3,5 fois", "4,5 fois", "4,5"),
        ]),
        ("French", "Deux quartiers seulement dépassent 25 % de logements sociaux : Les Minimes (28,0 %) et la Gare (27,0 %). La Plaine atteint 22,0 %, Saint-Roch 13,0 %, le Centre et le Port environ 12 %.", [
            ("swapped entity", "La Plaine atteint 22,0 %, Saint-Roch 13,0 %", "La Plaine atteint 13,0 %, Saint-Roch 22,0 %", ["13,0 %", "22,0 %"]),
            ("digit", "(28,0 %)", "(29,0 %)", "29,0 %"),
        ]),
        ("French", "En moyenne, chaque habitant dispose de 11,5 m² d'espaces verts, donc un peu plus que les 10 m² recommandés. Mais trois quartiers sont en dessous : la Gare (2,8 m²), le Centre (3,4 m²) et Les Minimes (9,3 m²).", [
            ("wrong statistic", "dispose de 11,5 m²", "dispose de 12,7 m²", "12,7"),
            ("swapped entity", "le Centre (3,4 m²)", "le Centre (10,3 m²)", "10,3"),
            ("scale", "la Gare (2,8 m²)", "la Gare (28 m²)", "28 m²"),
        ]),
        ("French", "- Surface totale : 1 159 ha\n- Densité de la commune : 72,9 hab./ha\n- Espaces verts : 97,4 ha, soit 8,4 % de la surface\n- Taille moyenne : 2,0 habitants par logement", [
            ("wrong statistic", "72,9 hab./ha", "82,4 hab./ha", "82,4"),
            ("miscomputed derivation", "soit 8,4 %", "soit 9,4 %", "9,4 %"),
            ("digit", "1 159 ha", "1 195 ha", "1 195"),
        ]),
        ("French", "À lui seul, le Centre aurait besoin de 1 425 logements sociaux supplémentaires pour arriver à 25 % : il n'en compte que 1 315 sur 10 960.", [
            ("miscomputed derivation", "1 425 logements", "1 245 logements", "1 245"),
            ("wrong column", "sur 10 960", "sur 18 420", "18 420"),
        ]),
        ("French", "La Plaine regroupe un peu plus d'un quart de la population (26,8 %) et 42 % des espaces verts de la ville.", [
            ("miscomputed derivation", "(26,8 %)", "(23,4 %)", "23,4 %"),
            ("scale", "et 42 % des", "et 4,2 % des", "4,2 %"),
        ]),
    ],
}
