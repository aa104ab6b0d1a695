{
    "domain": "notes d'une classe",
    "question": "J'ai 20 élèves, combien ont la moyenne (10/20) en maths ? Et fais-moi un classement avec coef 3 pour les maths et 2 pour le français. Est-ce que les absences jouent ?",
    "cells": [r"""import pandas as pd

notes = pd.DataFrame({
    "eleve": ["Amina", "Bastien", "Chloé", "Dario", "Élise", "Farid", "Gaëlle", "Hugo", "Inès", "Jules", "Karim", "Léa",
              "Manon", "Noé", "Océane", "Paul", "Quentin", "Rania", "Sacha", "Théo"],
    "maths": [14.5, 8.0, 17.0, 9.5, 12.0, 10.0, 15.5, 6.5, 18.0, 11.0, 10.0, 13.5, 16.0, 7.5, 12.5, 9.0, 10.0, 19.0, 11.5, 5.0],
    "francais": [12.0, 10.5, 15.0, 11.0, 14.5, 9.0, 13.0, 8.0, 16.5, 12.0, 11.5, 15.0, 14.0, 10.0, 13.5, 7.5, 12.5, 17.0, 10.0, 9.5],
    "absences": [0, 4, 1, 3, 0, 2, 1, 9, 0, 2, 5, 0, 1, 6, 1, 3, 2, 0, 4, 12],
})
recus = notes[notes["maths"] > 10]
print(len(recus), len(recus) / len(notes))""",
r"""# la moyenne de 10 suffit : >= et non >
recus = notes[notes["maths"] >= 10]
print(len(recus), len(recus) / len(notes))
print(notes[["maths", "francais", "absences"]].describe().round(2).to_string())""",
r"""notes["moy"] = (notes["maths"] * 3 + notes["francais"] * 2) / 5
top = notes.sort_values("moy", ascending=False)
print(top[["eleve", "maths", "francais", "moy"]].head(5).to_string(index=False))
print(top[["eleve", "moy"]].tail(3).to_string(index=False))
print(round(notes["maths"].corr(notes["absences"]), 3))
print(notes.loc[notes["absences"] >= 5, "eleve"].tolist())
print(round(notes["moy"].mean(), 2), int((notes["moy"] >= 16).sum()), int((notes["moy"] < 10).sum()))"""],
    "answers": [
        ('French', '14 élèves sur 20 ont au moins 10 en maths, soit 70 %. La moyenne de la classe est de 11,8 en maths et de 12,1 en français.', [
            ('stale value', '14 élèves', '11 élèves', '11 élèves'),
            ('stale value', '70 %', '55 %'),
            ('wrong statistic', 'de 11,8 en maths', 'de 11,25 en maths', '11,25'),
            ('swapped entity', '11,8 en maths et de 12,1 en français', '12,1 en maths et de 11,8 en français', ['12,1', '11,8']),
        ]),
        ('summary of an analysis', '**Réussite en maths :** 14 élèves sur 20 (mon premier calcul en donnait 11, car il excluait les trois élèves qui ont exactement 10).\n\n**Classement (coef. 3 et 2) :** Rania est première avec 18,2, devant Inès (17,4) et Chloé (16,2). La moyenne générale est de 11,92 ; trois élèves dépassent 16 et six sont sous 10.\n\n**Absences :** la corrélation avec la note de maths est de −0,80, donc forte et négative.', [
            ('swapped entity', 'Inès (17,4)', 'Inès (15,2)', '15,2'),
            ('sign or direction', 'est de −0,80', 'est de 0,80', '0,80'),
            ('digit', '11,92', '12,91'),
            ('wrong column', 'avec 18,2', 'avec 19,0', '19,0'),
        ]),
        ('list or table', 'Les cinq premiers :\n\n1. Rania : 18,2\n2. Inès : 17,4\n3. Chloé : 16,2\n4. Manon : 15,2\n5. Gaëlle : 14,5', [
            ('wrong column', 'Gaëlle : 14,5', 'Gaëlle : 15,5', '15,5'),
            ('digit', '16,2', '12,6'),
            ('swapped entity', 'Chloé : 16,2\n4. Manon : 15,2', 'Chloé : 15,2\n4. Manon : 16,2', ['15,2', '16,2']),
        ]),
        ('derived', "L'écart entre la première (18,2) et le dernier (Théo, 6,8) est de 11,4 points. Quatre élèves ont cinq absences ou plus : Hugo, Karim, Noé et Théo ; à eux seuls ils en cumulent 32 sur 56, soit plus de la moitié.", [
            ('miscomputed derivation', '11,4 points', '12,4 points', '12,4'),
            ('miscomputed derivation', '32 sur 56', '23 sur 56', '23'),
            ('swapped entity', 'Théo, 6,8', 'Théo, 7,1', '7,1'),
        ]),
        ('inequalities', "Moins d'un tiers des élèves n'atteint pas 10 en maths (6 sur 20). La moitié de la classe a plus de 11 en maths, et personne ne dépasse 19.", [
            ('miscomputed derivation', '6 sur 20', '9 sur 20', '9 sur 20'),
            ('wrong column', 'dépasse 19', 'dépasse 17', '17'),
            ('wrong statistic', 'plus de 11 en', 'plus de 14 en', '14'),
        ]),
        ('small integers', "Le plus absent est Théo avec 12 absences ; la moyenne est de 2,8 et la médiane de 2. Cinq élèves n'ont jamais manqué.", [
            ('wrong statistic', 'est de 2,8', 'est de 3,21', '3,21'),
            ('digit', '12 absences', '9 absences', '9'),
            ('wrong statistic', 'médiane de 2.', 'médiane de 4.', 'médiane de 4'),
        ]),
    ],
}
