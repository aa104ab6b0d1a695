{
    "domain": "ecology",
    "question": "I netted dragonflies at four ponds this summer. Which pond is the most diverse, and which two are most alike? Counts are in the dict.",
    "cells": [r"""
import numpy as np

species = ["Anax imperator", "Libellula depressa", "Sympetrum striolatum", "Ischnura elegans",
           "Coenagrion puella", "Enallagma cyathigerum", "Aeshna cyanea", "Orthetrum cancellatum"]
counts = {
    "Mill":    [4, 7, 22, 61, 48, 35, 6, 3],
    "Quarry":  [9, 2, 14, 88, 12, 104, 0, 17],
    "Village": [1, 5, 9, 40, 33, 0, 8, 0],
    "Heath":   [6, 11, 31, 27, 52, 19, 12, 10],
}
X = np.array(list(counts.values()))
print(X.shape, X.sum())
print("per pond:", X.sum(axis=1))
print("per species:", X.sum(axis=0))
""", r"""
P = X / X.sum(axis=1, keepdims=True)
for name, row, p in zip(counts, X, P):
    q = p[p > 0]
    H = -(q * np.log(q)).sum()
    D = 1 - (q**2).sum()
    S = len(q)
    print(f"{name:8s} S={S}  H'={H:.3f}  Simpson={D:.3f}  evenness={H / np.log(S):.3f}  dominant: {species[row.argmax()]} ({p.max():.1%})")
""", r"""
names = list(counts)
bc = np.zeros((4, 4))
for i in range(4):
    for j in range(4):
        bc[i, j] = np.abs(X[i] - X[j]).sum() / (X[i] + X[j]).sum()
print(names)
print(bc.round(3))
"""],
    "answers": [
        ("summary of an analysis", "Heath is the most diverse pond by every index: H' = 1.869, Simpson 0.817 and evenness 0.899. The two most similar ponds are Mill and Heath, with a Bray–Curtis dissimilarity of 0.232.", [
            ("swapped entity", "H' = 1.869", "H' = 1.665", "1.665"),
            ("wrong statistic", "Simpson 0.817", "Simpson 0.899", "Simpson 0.899"),
            ("digit", "0.232", "0.322"),
        ]),
        ("counted", "You caught 696 dragonflies of 8 species in total. Only Mill and Heath had all eight; Quarry had 7 and Village 6.", [
            ("digit", "696 dragonflies", "669 dragonflies", "669"),
            ("swapped entity", "Quarry had 7 and Village 6", "Quarry had 6 and Village 7", ["Quarry had 6", "Village 7"]),
        ]),
        ("percent", "Ischnura elegans was the commonest species with 216 individuals, 31% of the whole catch. At Quarry, Enallagma cyathigerum dominates with 42.3%.", [
            ("swapped entity", "216 individuals", "158 individuals", "158"),
            ("miscomputed derivation", "31%", "36%"),
            ("digit", "42.3%", "43.2%"),
        ]),
        ("derived", "Quarry gave the biggest catch (246) – 150 more than Village and about 2.6 times as many – and yet it scores lowest on Simpson and evenness.", [
            ("miscomputed derivation", "150 more", "140 more", "140"),
            ("miscomputed derivation", "2.6 times", "3.6 times"),
            ("swapped entity", "(246)", "(186)", "186"),
        ]),
        ("list or table", "| Pond | Individuals | Species | Shannon H' | Simpson | Evenness |\n|---|---|---|---|---|---|\n| Mill | 186 | 8 | 1.67 | 0.77 | 0.80 |\n| Quarry | 246 | 7 | 1.39 | 0.68 | 0.71 |\n| Village | 96 | 6 | 1.36 | 0.69 | 0.76 |\n| Heath | 168 | 8 | 1.87 | 0.82 | 0.90 |", [
            ("digit", "1.39", "1.93"),
            ("digit", "| 0.68 |", "| 0.86 |", "0.86"),
            ("digit", "| 168 |", "| 198 |", "198"),
        ]),
        ("plain", "The least alike are Quarry and Village (0.626), followed by Quarry and Heath at 0.565; Village compared with Heath is a moderate 0.371.", [
            ("swapped entity", "(0.626)", "(0.394)", "0.394"),
            ("digit", "0.371", "0.731"),
            ("digit", "0.565", "0.556"),
        ]),
        ("fractions in words", "Two damselflies, Ischnura elegans and Enallagma cyathigerum, make up more than half of all animals: 374 of 696. About two thirds of the Enallagma (104 of 158) came from Quarry alone.", [
            ("miscomputed derivation", "374 of 696", "361 of 696", "361"),
            ("swapped entity", "104 of 158", "88 of 158", "88"),
        ]),
    ],
}
