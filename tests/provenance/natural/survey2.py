{
    "domain": 'survey2',
    "question": 'What do the employees think about the four-day week?',
    "cells": [
        r"""
import pandas as pd
rows = ([("Sales", "for")] * 34 + [("Sales", "against")] * 11 + [("Sales", "undecided")] * 7 + [("IT", "for")] * 41 + [("IT", "against")] * 6
        + [("IT", "undecided")] * 9 + [("Production", "for")] * 58 + [("Production", "against")] * 47 + [("Production", "undecided")] * 22)
df = pd.DataFrame(rows, columns=["department", "opinion"])
tab = pd.crosstab(df["department"], df["opinion"], margins=True)
print(tab)
print(pd.crosstab(df["department"], df["opinion"], normalize="index").round(3))
""",
        r"""
print(df["opinion"].value_counts())
print(df["opinion"].value_counts(normalize=True).mul(100).round(1))
""",
    ],
    "answers": [
        ('plain', 'Of 235 employees, 133 (56.6 %) are for it, 64 (27.2 %) against and 38 undecided.', [
            ('swapped entity', '64 (27.2 %) against and 38 undecided', '38 (27.2 %) against and 64 undecided', ['38', '64']),
            ('digit', '235', '253'),
            ('swapped entity', '27.2 %', '16.2 %'),
            ('miscomputed derivation', '56.6 %', '65.6 %'),
        ]),
        ('percent', 'Support is strongest in IT (73.2 %) and weakest in Production (45.7 %).', [
            ('swapped entity', '73.2 %', '65.4 %'),
            ('swapped entity', 'IT (73.2 %) and weakest in Production (45.7 %)', 'IT (45.7 %) and weakest in Production (73.2 %)', ['45.7 %', '73.2 %']),
            ('wrong column', '45.7 %', '37.0 %'),
        ]),
        ('plain', 'In Production 47 of 127 people are against, in Sales only 11.', [
            ('swapped entity', '47 of', '58 of', '58'),
            ('swapped entity', 'only 11', 'only 6', 'only 6'),
            ('digit', '127', '172'),
        ]),
        ('fractions in words', 'Nearly three quarters of the IT staff support the idea, and about two thirds in Sales.', []),
        ('derived', 'Supporters outnumber opponents by 69.', [
            ('miscomputed derivation', '69', '96'),
            ('sign or direction', 'Supporters outnumber opponents', 'Opponents outnumber supporters', '69'),
        ]),
        ('derived', 'Production makes up 54 % of the respondents.', [
            ('miscomputed derivation', '54 %', '45 %'),
            ('swapped entity', 'Production', 'Sales', '54 %'),
        ]),
    ],
}
