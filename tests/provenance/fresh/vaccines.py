{
    "domain": 'vaccines',
    "question": 'Wie hoch ist die Impfquote, und wie hat sie sich verändert?',
    "cells": [
        """
import pandas as pd
quoten = pd.DataFrame(
    {2021: [61.2, 55.8, 70.4, 48.9], 2022: [66.5, 57.1, 73.9, 54.3], 2023: [68.0, 56.2, 75.1, 59.7]},
    index=["Nord", "Ost", "Süd", "West"])
quoten.index.name = "Region"
print(quoten)
einwohner = pd.Series({"Nord": 412000, "Ost": 388500, "Süd": 655200, "West": 530300})
gewichtet = (quoten[2023] * einwohner).sum() / einwohner.sum()
print("Quote gesamt 2023 (gewichtet):", round(gewichtet, 2))
print("Einwohner gesamt:", einwohner.sum())
""",
        """
zuwachs = quoten[2023] - quoten[2021]
print("Zuwachs in Punkten seit 2021:")
print(zuwachs.round(1).to_string())
""",
    ],
    "answers": [
        ('German', 'Die Impfquote lag 2023 bei 65,82 % (gewichtet), bei 1.986.000 Einwohnern.', [
            ('digit', '65,82 %', '68,52 %'),
            ('digit', '1.986.000', '1.896.000'),
        ]),
        ('German', 'Am höchsten ist sie im Süden mit 75,1 %, am niedrigsten im Osten mit 56,2 %.', [
            ('swapped entity', '75,1 %', '68,0 %'),
            ('digit', '56,2 %', '52,6 %'),
        ]),
        ('German', 'Im Westen stieg die Quote von 48,9 % (2021) auf 59,7 % (2023), also um 10,8 Punkte.', [
            ('swapped entity', '48,9 %', '61,2 %'),
            ('sign or direction', 'stieg', 'sank', ['10,8', '59,7']),
            ('wrong column', '59,7 %', '54,3 %'),
            ('miscomputed derivation', '10,8', '11,8'),
        ]),
        ('German', 'Im Osten sank die Quote zuletzt von 57,1 auf 56,2 %, das sind 0,9 Punkte weniger als 2022.', [
            ('miscomputed derivation', '0,9', '1,9'),
            ('sign or direction', 'sank', 'stieg', ['0,9', '56,2']),
            ('digit', '57,1', '51,7'),
        ]),
        ('German', 'Der Norden gewann seit 2021 6,8 Punkte, der Süden 4,7.', [
            ('swapped entity', '6,8 Punkte, der Süden 4,7', '4,7 Punkte, der Süden 6,8', ['6,8', '4,7']),
            ('digit', '6,8', '8,6'),
        ]),
        ('German', 'Der Zuwachs ist im Westen mit 10,8 Punkten am größten und im Osten mit 0,4 am kleinsten.', [
            ('swapped entity', '10,8', '6,8'),
            ('digit', '0,4', '0,6'),
        ]),
    ],
}
