{
    "domain": "insurance",
    "question": "Quelle est la sinistralité par catégorie de véhicule ?",
    "cells": ['''
import pandas as pd

contrats = pd.DataFrame({
    "categorie": ["citadine", "berline", "SUV", "utilitaire"],
    "contrats": [1840, 1215, 960, 485],
    "sinistres": [147, 121, 125, 73],
    "cout": [268450.5, 301890.0, 352125.75, 198310.25],
    "primes": [736000.0, 607500.0, 557760.0, 315250.0],
})
contrats["frequence"] = contrats["sinistres"] / contrats["contrats"]
contrats["cout_moyen"] = contrats["cout"] / contrats["sinistres"]
contrats["s_sur_p"] = contrats["cout"] / contrats["primes"]
print(contrats.round(4).to_string(index=False))
''', '''
print("contrats:", contrats["contrats"].sum())
print("sinistres:", contrats["sinistres"].sum())
print("cout total:", contrats["cout"].sum())
print("primes totales:", contrats["primes"].sum())
print("S/P global:", round(contrats["cout"].sum() / contrats["primes"].sum(), 4))
'''],
    "answers": [
        ("French", "Le portefeuille compte 4 500 contrats et 466 sinistres, pour un coût total de 1 120 776,50 €.", [
            ("digit", "466", "446"),
            ("scale", "1 120 776,50 €", "112 077,65 €"),
            ("swapped entity", "4 500 contrats et 466 sinistres", "466 contrats et 4 500 sinistres", "4 500")]),
        ("French", "La fréquence est la plus élevée pour les utilitaires (15,05 %) et la plus faible pour les citadines (7,99 %).", [
            ("swapped entity", "les utilitaires (15,05 %) et la plus faible pour les citadines (7,99 %)", "les berlines (15,05 %) et la plus faible pour les citadines (7,99 %)", "15,05"),
            ("digit", "7,99", "9,79")]),
        ("French", "Le rapport S/P global atteint 50,56 %.", [
            ("rounding", "50,56", "50,66"),
            ("invented", "50,56", "47,21")]),
        ("French", "Le coût moyen d'un sinistre SUV est de 2 817,01 €, soit 990,81 € de plus que pour une citadine.", [
            ("miscomputed derivation", "990,81", "909,81"),
            ("sign or direction", "990,81 € de plus", "990,81 € de moins", "990,81")]),
        ("French", "En moyenne, un sinistre coûte 2 405,10 €.", [
            ("miscomputed derivation", "2 405,10", "2 450,10"),
            ("wrong column", "2 405,10 €", "2 494,96 €")]),
        ("French", "Les primes (environ 2,2 millions d'euros) couvrent largement le coût de 1,12 million.", [
            ("scale", "2,2 millions", "2,2 milliards")]),
    ],
}
