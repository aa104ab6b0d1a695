{
    "domain": "réseau d'eau",
    "question": "Voici les volumes mis en distribution et facturés par secteur (m3, 2023 et 2024). Quel est le rendement du réseau et où perd-on le plus d'eau ?",
    "cells": [r"""
secteurs = {
    "Centre":   {"km": 41.2, 2023: (612400, 548900), 2024: (598700, 551300)},
    "Les Pins": {"km": 63.5, 2023: (438150, 341200), 2024: (451900, 338600)},
    "Gare":     {"km": 18.7, 2023: (287600, 259450), 2024: (281350, 262100)},
    "Coteaux":  {"km": 74.9, 2023: (196300, 139800), 2024: (188450, 144750)},
}
for nom, d in secteurs.items():
    for an in (2023, 2024):
        prod, fact = d[an]
        print(f"{nom:<9} {an}  distribué {prod:>7}  facturé {fact:>7}  pertes {prod - fact:>6}  rendement {fact / prod:.1%}")
""", r"""
for an in (2023, 2024):
    prod = sum(d[an][0] for d in secteurs.values())
    fact = sum(d[an][1] for d in secteurs.values())
    print(an, prod, fact, prod - fact, f"{fact / prod:.2%}")
km = sum(d["km"] for d in secteurs.values())
print("linéaire", round(km, 1), "km")
""", r"""
ilp = {nom: round((d[2024][0] - d[2024][1]) / d["km"] / 366, 2) for nom, d in secteurs.items()}
print("indice linéaire de pertes 2024 (m3/km/j) :", ilp)
cout = 0.48
perdu = sum(d[2024][0] - d[2024][1] for d in secteurs.values())
print("coût des pertes 2024 :", round(perdu * cout), "EUR")
"""],
    "answers": [
        ("French", "Le rendement du réseau est passé de 84,03 % en 2023 à 85,29 % en 2024, soit un gain de 1,26 point. Les pertes ont reculé de 245 100 à 223 650 m³.", [
            ("sign or direction", "passé de 84,03 % en 2023 à 85,29 % en 2024", "passé de 85,29 % en 2023 à 84,03 % en 2024", ["85,29", "84,03"]),
            ("miscomputed derivation", "1,26 point", "2,16 points", "2,16"),
            ("digit", "223 650", "232 650"),
        ]),
        ("French", "C'est aux Pins que l'on perd le plus d'eau : 113 300 m³ en 2024, un peu plus de la moitié des pertes totales (50,7 %). Le rendement du secteur est tombé à 74,9 %, contre 77,9 % l'année précédente.", [
            ("wrong column", "113 300", "96 950"),
            ("miscomputed derivation", "50,7 %", "57,0 %"),
            ("swapped entity", "tombé à 74,9 %", "tombé à 76,8 %", "76,8 %"),
        ]),
        ("French", "Rapporté au linéaire, Les Pins perdent 4,88 m³ par km et par jour, environ trois fois plus que les Coteaux (1,59). La moyenne du réseau de 198,3 km est de 3,08.", [
            ("swapped entity", "4,88", "3,14"),
            ("digit", "1,59", "1,95"),
            ("miscomputed derivation", "3,08", "3,80"),
        ]),
        ("French", "Les pertes de 2024 représentent un coût d'environ 107 350 €, dont 54 384 € pour le seul secteur des Pins. À 0,48 €/m³, la baisse par rapport à 2023 a permis d'économiser 10 296 €.", [
            ("miscomputed derivation", "54 384 €", "45 384 €", "45 384"),
            ("miscomputed derivation", "10 296 €", "12 096 €", "12 096"),
            ("scale", "107 350 €", "1 073 500 €", "1 073 500"),
        ]),
        ("French", "Trois secteurs sur quatre progressent : Centre (à 92,1 %), Gare (à 93,2 %) et surtout Coteaux, qui gagne 5,6 points pour atteindre 76,8 %.", [
            ("miscomputed derivation", "5,6 points", "6,5 points", "6,5"),
            ("swapped entity", "à 92,1 %", "à 89,6 %", "89,6"),
        ]),
        ("French", "| Secteur | Pertes 2023 (m³) | Pertes 2024 (m³) | Évolution |\n|---|---|---|---|\n| Centre | 63 500 | 47 400 | −25,4 % |\n| Les Pins | 96 950 | 113 300 | +16,9 % |\n| Gare | 28 150 | 19 250 | −31,6 % |\n| Coteaux | 56 500 | 43 700 | −22,7 % |", [
            ("sign or direction", "+16,9 %", "−16,9 %"),
            ("miscomputed derivation", "−31,6 %", "−46,2 %"),
            ("digit", "43 700", "47 300"),
        ]),
        ("French", "En 2024, la commune a mis en distribution 1,52 million de m³, dont 1,30 million ont été facturés ; près de 15 % de l'eau n'arrive donc pas au compteur, soit à peu près 611 m³ par jour.", [
            ("scale", "1,52 million", "15,2 millions", "15,2"),
            ("miscomputed derivation", "près de 15 %", "près de 25 %", "25 %"),
            ("miscomputed derivation", "611 m³", "661 m³", "661"),
        ]),
    ],
}
