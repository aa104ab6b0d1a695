{
    "domain": "elections",
    "question": "Quels sont les résultats du vote municipal ?",
    "cells": ['''
voix = {"Liste Martin": 8412, "Liste Dubois": 7935, "Liste Leroy": 3120, "Liste Petit": 1208}
inscrits, blancs = 31500, 425
exprimes = sum(voix.values())
votants = exprimes + blancs
print("inscrits:", inscrits)
print("votants:", votants)
print(f"participation: {votants / inscrits:.2%}")
print("suffrages exprimes:", exprimes)
for liste, v in voix.items():
    print(f"{liste}: {v} voix, {v / exprimes * 100:.2f} %")
'''],
    "answers": [
        ("French", "La Liste Martin arrive en tête avec 8 412 voix, soit 40,69 % des suffrages exprimés.", [
            ("swapped entity", "La Liste Martin", "La Liste Dubois", ["8 412", "40,69 %"]),
            ("digit", "8 412", "8 142"),
            ("scale", "40,69 %", "4,069 %")]),
        ("French", "La participation s'élève à 66,98 % : 21 100 votants pour 31 500 inscrits.", [
            ("swapped entity", "21 100 votants pour 31 500 inscrits", "31 500 votants pour 21 100 inscrits", ["31 500", "21 100"]),
            ("digit", "66,98 %", "69,68 %")]),
        ("French", "Martin devance Dubois de 477 voix, c'est-à-dire 2,31 points.", [
            ("miscomputed derivation", "477", "447"),
            ("miscomputed derivation", "2,31", "3,21"),
            ("sign or direction", "Martin devance Dubois", "Dubois devance Martin", "477")]),
        ("French", "10 400 inscrits, soit environ un tiers, ne sont pas allés voter.", [
            ("miscomputed derivation", "10 400", "14 000")]),
        ("French", "Quatre listes se partagent 20 675 suffrages exprimés ; la dernière, Petit, n'obtient que 5,84 %.", [
            ("swapped entity", "la dernière, Petit, n'obtient que 5,84 %", "la dernière, Petit, n'obtient que 15,09 %", "15,09 %"),
            ("number of something else", "20 675 suffrages", "21 100 suffrages", "21 100")]),
    ],
}
