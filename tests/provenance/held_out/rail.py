{
    "domain": "railways",
    "question": "Quelle est la ponctualité des lignes en mars 2025 ?",
    "cells": ['''
lignes = {"TER 12": (930, 868, 4.2), "TER 27": (744, 651, 7.9), "IC 5": (310, 256, 11.6), "TGV 61": (217, 199, 6.3)}
print("ligne;trains;a l'heure;retard moyen;ponctualite")
for ligne, (trains, heure, retard) in lignes.items():
    print(f"{ligne};{trains};{heure};{retard};{100 * heure / trains:.2f}")
''', '''
trains = sum(v[0] for v in lignes.values())
heure = sum(v[1] for v in lignes.values())
print("trains:", trains)
print("a l'heure:", heure)
print(f"ponctualite globale: {100 * heure / trains:.2f} %")
''', '''
# les 12 trains supprimés de la ligne IC 5 comptent comme en retard
trains += 12
print("trains:", trains)
print(f"ponctualite globale: {100 * heure / trains:.2f} %")
'''],
    "answers": [
        ("French", "En mars 2025, la ponctualité globale est de 89,20 % si l'on compte les trains supprimés.", [
            ("stale value", "89,20 %", "89,69 %"),
            ("digit", "89,20 %", "82,90 %")]),
        ("French", "La ligne TER 12 est la plus ponctuelle (93,33 %), la ligne IC 5 la moins ponctuelle (82,58 %).", [
            ("swapped entity", "La ligne TER 12 est la plus ponctuelle (93,33 %), la ligne IC 5 la moins ponctuelle (82,58 %)", "La ligne IC 5 est la plus ponctuelle (93,33 %), la ligne TER 12 la moins ponctuelle (82,58 %)", ["93,33 %", "82,58 %"]),
            ("digit", "93,33 %", "39,33 %")]),
        ("French", "Au total, 2 213 trains étaient prévus, dont 1 974 à l'heure.", [
            ("stale value", "2 213 trains", "2 201 trains"),
            ("swapped entity", "2 213 trains étaient prévus, dont 1 974 à l'heure", "1 974 trains étaient prévus, dont 2 213 à l'heure", ["1 974", "2 213"])]),
        ("French", "L'écart entre la meilleure et la moins bonne ligne est de 10,75 points.", [
            ("miscomputed derivation", "10,75", "11,75")]),
        ("French", "Le retard moyen atteint 11,6 minutes sur l'IC 5, contre 4,2 sur le TER 12.", [
            ("swapped entity", "11,6 minutes sur l'IC 5, contre 4,2 sur le TER 12", "4,2 minutes sur l'IC 5, contre 11,6 sur le TER 12", ["4,2", "11,6"]),
            ("scale", "11,6 minutes", "116 minutes")]),
    ],
}
