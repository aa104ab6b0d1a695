{
    "domain": 'umsatz',
    "question": 'Wie haben sich die Filialen entwickelt?',
    "cells": [
        r"""
import pandas as pd
df = pd.DataFrame({"Filiale": ["Köln", "Bonn", "Aachen", "Essen"], "Umsatz_2023": [1284500, 842300, 615750, 978200],
                   "Umsatz_2024": [1361900, 811400, 689300, 1012650], "Mitarbeiter": [23, 15, 11, 18]})
df["Veränderung_%"] = ((df["Umsatz_2024"] / df["Umsatz_2023"] - 1) * 100).round(2)
df["Umsatz_je_MA"] = (df["Umsatz_2024"] / df["Mitarbeiter"]).round(0)
print(df.to_string(index=False))
print("Summe 2023:", df["Umsatz_2023"].sum(), "Summe 2024:", df["Umsatz_2024"].sum())
""",
    ],
    "answers": [
        ('German', 'Der Gesamtumsatz stieg von 3.720.750 € auf 3.875.250 €, also um 154.500 € oder 4,15 %.', [
            ('miscomputed derivation', '4,15 %', '4,51 %'),
            ('miscomputed derivation', '154.500', '145.500'),
            ('sign or direction', 'stieg', 'sank', ['3.875.250', '154.500', '4,15 %']),
        ]),
        ('German', 'Am stärksten wuchs Aachen mit 11,94 %, während Bonn 3,67 % verlor.', [
            ('swapped entity', '11,94 %, während Bonn 3,67 %', '3,67 %, während Bonn 11,94 %', ['3,67 %', '11,94 %']),
            ('swapped entity', '11,94 %', '6,03 %'),
            ('sign or direction', 'verlor', 'zulegte', '3,67 %'),
        ]),
        ('German', 'Köln erzielte 2024 einen Umsatz von 1,36 Mio. € mit 23 Mitarbeitern.', [
            ('scale', '1,36 Mio. €', '1,36 Mrd. €'),
            ('swapped entity', '23', '18'),
            ('wrong column', '1,36 Mio. €', '1,28 Mio. €'),
        ]),
        ('German', 'Je Mitarbeiter liegt Aachen mit 62.664 € vorn, Bonn ist mit 54.093 € Schlusslicht.', [
            ('swapped entity', '62.664', '59.213'),
            ('digit', '54.093', '54.903'),
        ]),
        ('German', 'Insgesamt arbeiten 67 Leute in den vier Filialen.', [
            ('miscomputed derivation', '67', '76'),
        ]),
    ],
}
