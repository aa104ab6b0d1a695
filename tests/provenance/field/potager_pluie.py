{
    "domain": 'gardening',
    "question": "Ma cuve de 2 000 litres récupère la pluie d'un toit de 38 m². Voici la pluie et l'arrosage par mois, est-ce que la cuve suffit ?",
    "cells": [
r"""import pandas as pd
d = pd.DataFrame({"mois": ["avril", "mai", "juin", "juillet", "août", "septembre"],
                  "pluie_mm": [52, 61, 38, 24, 31, 47],
                  "besoin_l": [450, 980, 1620, 2150, 1890, 760]})
d["recolte_l"] = (d.pluie_mm * 38 * 0.85).round().astype(int)
print(d.to_string(index=False))
print(d[["pluie_mm", "besoin_l", "recolte_l"]].sum())
""",
r"""def simule(cuve):
    stock, lignes = cuve / 2, []
    for r in d.itertuples():
        dispo = stock + r.recolte_l
        pris = min(dispo, r.besoin_l)
        reste = dispo - pris
        deborde = max(0, reste - cuve)
        stock = reste - deborde
        lignes.append((r.mois, round(pris), round(r.besoin_l - pris), round(deborde), round(stock)))
    return pd.DataFrame(lignes, columns=["mois", "pris", "manque", "deborde", "stock"])
s = simule(2000)
print(s)
for c in (1000, 2000, 3000, 5000):
    x = simule(c)
    print(c, "manque", x.manque.sum(), "deborde", x.deborde.sum())
print("eau du reseau evitee:", round(s.pris.sum() / 1000 * 4.34, 2), "EUR")
""",
    ],
    "answers": [
        ('French', 'Presque : avec 2 000 litres il ne te manque que 657 litres, tous en août.', [
            ('swapped entity', '657 litres', '1 657 litres', '1 657'),
            ('digit', '657 litres', '675 litres', '675'),
            ('scale', '657 litres', '6 570 litres', '6 570'),
        ]),
        ('French', 'Sur la saison, le toit récolte 8 171 litres pour un besoin de 7 850, soit 321 litres de trop.', [
            ('sign or direction', 'soit 321 litres de trop', 'soit 321 litres de moins', '321'),
            ('digit', '8 171', '8 711'),
            ('miscomputed derivation', '321 litres', '421 litres', '421'),
        ]),
        ('French', "Le problème, c'est l'été : en juillet il te faut 2 150 litres et le toit n'en donne que 775. Fin juillet, il ne reste que 232 litres dans la cuve.", [
            ('swapped entity', '775', '1 001'),
            ('swapped entity', '2 150 litres', '1 890 litres', '1 890'),
            ('digit', '232 litres', '322 litres', '322'),
            ('swapped entity', '232 litres', '758 litres', '758'),
        ]),
        ('French', "Une cuve de 3 000 litres suffirait : plus rien ne manque et 720 litres seulement débordent, contre 1 220 aujourd'hui.", [
            ('swapped entity', '1 220', '1 720'),
            ('swapped entity', '3 000 litres', '1 000 litres', '1 000'),
            ('miscomputed derivation', '720 litres', '500 litres', '500'),
        ]),
        ('French', "Avec ta cuve tu couvres 92 % de l'arrosage et t'évite 31,22 € d'eau du réseau.", [
            ('digit', '31,22 €', '32,12 €', '32,12'),
            ('miscomputed derivation', '92 %', '84 %', '84'),
            ('scale', '31,22 €', '312,20 €', '312,20'),
        ]),
        ('French', 'Il est tombé 253 mm en six mois ; le mois le plus sec est juillet (24 mm), le plus arrosé mai (61 mm).', [
            ('swapped entity', '24 mm', '31 mm', '31'),
            ('digit', '253 mm', '235 mm', '235'),
            ('swapped entity', '61 mm', '52 mm', '52'),
        ]),
    ],
}
