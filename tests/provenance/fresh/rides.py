{
    "domain": 'rides',
    "question": 'Décris les trajets du service de vélos.',
    "cells": [
        """
import pandas as pd
t = pd.DataFrame({"station": ["Gare", "Port", "Musée", "Parc"], "departs": [1840, 1215, 760, 985], "arrivees": [1702, 1398, 812, 888], "duree_moy": [14.2, 18.7, 21.4, 25.9]})
print(t)
print("total des départs :", t.departs.sum())
print("durée moyenne pondérée :", round((t.departs * t.duree_moy).sum() / t.departs.sum(), 2), "min")
t["solde"] = t.arrivees - t.departs
print(t[["station", "solde"]].to_string(index=False))
""",
    ],
    "answers": [
        ('French', 'Il y a eu 4 800 départs au total, dont 1 840 à la Gare.', [
            ('digit', '4 800', '8 400'),
            ('swapped entity', '1 840', '1 215'),
            ('wrong column', '1 840', '1 702'),
        ]),
        ('French', 'La durée moyenne pondérée est de 18,88 minutes.', [
            ('digit', '18,88', '19,88'),
            ('wrong statistic', '18,88', '25,9'),
        ]),
        ('French', 'Les trajets les plus longs partent du Parc : 25,9 minutes en moyenne, contre 14,2 pour la Gare.', [
            ('swapped entity', '25,9 minutes en moyenne, contre 14,2', '14,2 minutes en moyenne, contre 25,9', ['14,2', '25,9']),
            ('digit', '25,9', '29,5'),
        ]),
        ('French', "Le Port reçoit 183 vélos de plus qu'il n'en part.", [
            ('sign or direction', 'de plus', 'de moins', '183'),
            ('swapped entity', '183', '52'),
            ('digit', '183', '193'),
        ]),
        ('French', 'La Gare perd 138 vélos et le Parc 97.', [
            ('swapped entity', '138 vélos et le Parc 97', '97 vélos et le Parc 138', ['97', '138']),
            ('sign or direction', 'perd', 'gagne', '138'),
        ]),
        ('French', 'La Gare représente 38,3 % des départs.', [
            ('miscomputed derivation', '38,3 %', '33,8 %'),
            ('swapped entity', 'Gare', 'Port', '38,3 %'),
        ]),
    ],
}
