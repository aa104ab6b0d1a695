{
    "domain": 'velos',
    "question": 'Comment évolue le trafic des vélos en libre-service ?',
    "cells": [
        r"""
import pandas as pd
t = pd.DataFrame({"station": ["Gare", "Opéra", "Port", "Campus"], "trajets": [12840, 9615, 4302, 7788], "duree_moy_min": [13.4, 11.9, 18.7, 9.8], "velos": [85, 60, 40, 55]})
t["trajets_par_velo"] = (t["trajets"] / t["velos"]).round(1)
print(t)
print("total :", t["trajets"].sum())
print("durée moyenne pondérée :", round((t["trajets"] * t["duree_moy_min"]).sum() / t["trajets"].sum(), 2), "min")
""",
    ],
    "answers": [
        ('French', 'La station Gare compte le plus de trajets (12 840), soit 37,2 % du total de 34 545.', [
            ('miscomputed derivation', '37,2 %', '32,7 %'),
            ('digit', '34 545', '34 455'),
            ('swapped entity', '(12 840)', '(9 615)', '9 615'),
        ]),
        ('French', 'En moyenne un trajet dure 12,83 minutes.', [
            ('digit', '12,83', '18,32'),
            ('wrong statistic', '12,83', '13,4'),
        ]),
        ('French', "C'est au Port que les trajets sont les plus longs : 18,7 minutes en moyenne, près du double du Campus (9,8).", [
            ('swapped entity', '18,7', '13,4'),
            ('digit', '(9,8)', '(8,9)', '8,9'),
        ]),
        ('French', "L'Opéra utilise le mieux ses vélos, avec 160,2 trajets par vélo contre 107,6 au Port.", [
            ('swapped entity', '160,2', '151,1'),
            ('digit', '107,6', '170,6'),
        ]),
        ('French', 'Les quatre stations disposent de 240 vélos.', [
            ('miscomputed derivation', '240', '260'),
        ]),
        ('French', 'La Gare enregistre 8 538 trajets de plus que le Port.', [
            ('miscomputed derivation', '8 538', '8 358'),
            ('sign or direction', 'de plus', 'de moins', '8 538'),
        ]),
    ],
}
