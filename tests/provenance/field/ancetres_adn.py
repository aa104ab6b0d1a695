{
    "domain": 'genealogy',
    "question": "J'ai la liste de mes correspondances ADN (cM). Combien sont du côté maternel, quelle est la médiane, et quel ancêtre commun pour les plus proches ?",
    "cells": [
r"""import sqlite3
db = sqlite3.connect(":memory:")
db.execute("create table m(nom text, cm real, segments int, cote text, arbre int)")
db.executemany("insert into m values(?,?,?,?,?)", [
    ("Lucie B.", 872.4, 31, "maternel", 1), ("Henri D.", 441.0, 19, "paternel", 1), ("Odile M.", 228.6, 11, "maternel", 0),
    ("J. Marchand", 103.2, 6, "maternel", 1), ("Paul R.", 96.5, 5, "paternel", 0), ("S. Le Goff", 74.9, 4, "paternel", 1),
    ("Inès T.", 61.3, 3, "maternel", 0), ("Gaël K.", 48.8, 3, "inconnu", 0), ("Anouk P.", 37.1, 2, "maternel", 1),
    ("T. Bernier", 33.4, 2, "inconnu", 0), ("Marc V.", 27.7, 2, "paternel", 0), ("C. Roussel", 21.9, 1, "maternel", 1)])
for r in db.execute("select cote, count(*), round(sum(cm),1), round(avg(cm),1), max(segments), sum(arbre) from m group by cote order by 3 desc"):
    print(r)
""",
r"""cm = [x for (x,) in db.execute("select cm from m order by cm")]
n = len(cm)
print("n", n, "moyenne", round(sum(cm) / n, 1), "mediane", round((cm[n // 2 - 1] + cm[n // 2]) / 2, 2))
for nom, c, s in db.execute("select nom, cm, segments from m order by cm desc limit 3"):
    print(f"{nom}: {c} cM = {c / 6800 * 100:.1f} % ({c / s:.1f} cM par segment)")
print("plus de 90 cM:", db.execute("select count(*) from m where cm > 90").fetchone()[0])
print("generations, ancetres:", [(g, 2 ** g) for g in range(1, 6)])
""",
    ],
    "answers": [
        ('French', 'La moitié de tes 12 correspondances, six, sont du côté maternel, 4 du côté paternel et 2 restent inconnues.', [
            ('miscomputed derivation', '4 du côté', '5 du côté', '5'),
            ('number of something else', '12 correspondances', '16 correspondances', '16'),
            ('miscomputed derivation', 'six, sont', '7, sont', '7'),
        ]),
        ('French', 'La médiane est de 68,1 cM ; la moyenne, tirée vers le haut par Lucie, de 170,6.', [
            ('wrong statistic', 'La médiane est de 68,1 cM ; la moyenne, tirée vers le haut par Lucie, de 170,6', 'La médiane est de 170,6 cM ; la moyenne, tirée vers le haut par Lucie, de 68,1', ['170,6', '68,1']),
            ('digit', '170,6', '176,0'),
            ('swapped entity', '68,1', '61,3'),
        ]),
        ('French', "Ta plus proche est Lucie B. avec 872,4 cM, soit 12,8 % de ton ADN, sur 31 segments. C'est presque le double d'Henri (441 cM).", [
            ('swapped entity', '12,8 %', '6,5 %', '6,5'),
            ('digit', '872,4 cM', '827,4 cM', '827,4'),
            ('swapped entity', '31 segments', '19 segments', '19'),
        ]),
        ('French', 'Le côté maternel pèse 1 324,5 cM contre 640,1 pour le paternel, à peu près 65 % du total.', [
            ('miscomputed derivation', '65 %', '45 %', '45'),
            ('swapped entity', '640,1', '82,2'),
            ('digit', '1 324,5', '1 234,5'),
            ('wrong statistic', '640,1', '160,0'),
        ]),
        ('French', '5 correspondances dépassent 90 cM, et 6 personnes sur les 12 ont mis un arbre en ligne, dont 4 du côté maternel.', [
            ('miscomputed derivation', '5 correspondances', '7 correspondances', '7'),
            ('miscomputed derivation', '6 personnes', '8 personnes', '8'),
        ]),
        ('French', "Si vous remontez cinq générations, il y a 32 ancêtres possibles, deux fois plus qu'à la quatrième (16).", [
            ('miscomputed derivation', '32 ancêtres', '25 ancêtres', '25'),
            ('scale', '32 ancêtres', '320 ancêtres', '320'),
            ('swapped entity', '(16)', '(8)', '8'),
        ]),
    ],
}
