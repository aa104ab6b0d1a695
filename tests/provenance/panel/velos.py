{
    "domain": "vélos en libre-service",
    "question": "Quel bilan pour les 6 stations de vélos en avril ? L'objectif était de 5 trajets par vélo et par jour.",
    "cells": [
r"""
import pandas as pd
st = pd.DataFrame([("Gare", 42, 7314, 18.4, 3.1), ("Mairie", 30, 4686, 14.2, 2.4), ("Campus", 36, 6228, 11.7, 2.2),
                   ("Plage", 24, 2592, 31.5, 5.8), ("Marché", 18, 2241, 13.9, 2.0), ("Hôpital", 20, 1740, 16.1, 2.7)],
                  columns=["station", "velos", "trajets", "duree_min", "km_moy"])
st["par_velo_jour"] = (st.trajets / st.velos / 30).round(2)
st["km_total"] = (st.trajets * st.km_moy).round(0).astype(int)
print(st.to_string(index=False))
print("total trajets :", st.trajets.sum(), " vélos :", st.velos.sum(), " km :", st.km_total.sum())
print("durée moyenne pondérée :", round((st.trajets * st.duree_min).sum() / st.trajets.sum(), 2), "min")
print("trajets par vélo et par jour :", round(st.trajets.sum() / st.velos.sum() / 30, 2))
""",
r"""
mars = {"Gare": 6480, "Mairie": 4410, "Campus": 6501, "Plage": 1296, "Marché": 2160, "Hôpital": 1725}
st["mars"] = st.station.map(mars)
st["evol_pct"] = (100 * (st.trajets / st.mars - 1)).round(1)
print(st[["station", "mars", "trajets", "evol_pct"]])
print("taux de satisfaction : 87 %, vélos en panne : 14")
print(sum(mars.values()), round(100 * (st.trajets.sum() / sum(mars.values()) - 1), 2))
"""],
    "answers": [
        ("French", "24 801 trajets en avril avec 170 vélos, soit 4,86 trajets par vélo et par jour : l'objectif de 5 est manqué de peu.", [
            ("digit", "24 801", "28 401"),
            ("swapped entity", "4,86", "5,80"),
        ]),
        ("French", "La Gare arrive en tête avec 7 314 trajets, devant le Campus (6 228) et la Mairie (4 686).", [
            ("swapped entity", "le Campus (6 228) et la Mairie (4 686)", "le Campus (4 686) et la Mairie (6 228)", ["4 686", "6 228"]),
            ("digit", "7 314", "7 134"),
        ]),
        ("French", "3 stations sur 6 dépassent l'objectif.", [
            ("question number given as result", "3 stations", "5 stations", "5"),
            ("digit", "3 stations", "4 stations", "4"),
        ]),
        ("French", "Par rapport à mars, le trafic progresse de 9,9 % ; la Plage double (de 1 296 à 2 592) et seul le Campus recule, de 4,2 %.", [
            ("sign or direction", "progresse", "baisse", "9,9 %"),
            ("swapped entity", "4,2 %", "6,3 %"),
        ]),
        ("French", "Cela fait 2 229 trajets de plus qu'en mars (22 572).", [
            ("miscomputed derivation", "2 229", "2 329"),
            ("digit", "22 572", "25 272"),
        ]),
        ("French", "Un trajet dure en moyenne 16,7 minutes et fait environ 2,9 km.", [
            ("wrong statistic", "16,7", "17,6"),
            ("scale", "2,9 km", "29 km", "29"),
            ("typed literal", "2,9 km.", "2,9 km, et 87 % des usagers sont satisfaits.", "87 %"),
        ]),
        ("French", "Plus d'un quart des trajets (29 %) partent de la Gare, qui a aussi près d'un quart des vélos (42).", [
            ("swapped entity", "29 %", "19 %"),
            ("swapped entity", "(42)", "(36)", "36"),
        ]),
    ],
}
