{
    "domain": "budgets of cities",
    "question": "Read the table and tell me the totals.",
    "cells": ['''
data = """city,2021,2022,2023
Altdorf,436,392,377
Berghain,1204,1187,1266
Cadolz,88,97,105
"""
import csv, io
rows = list(csv.DictReader(io.StringIO(data)))
for row in rows:
    print(",".join(row.values()))
totals = {year: sum(int(row[year]) for row in rows) for year in ("2021", "2022", "2023")}
print("totals in million:", totals)
''', '''
inhabitants = {"Altdorf": 46475, "Berghain": 118320, "Cadolz": 9210}
letters = [98412, 121055, 23212]
print("inhabitants:", sum(inhabitants.values()))
print("letters in the archive:", sum(letters))
for row in rows:
    print(row["city"], inhabitants[row["city"]], round(int(row["2023"]) * 1e6 / inhabitants[row["city"]], 2))
'''],
    "answers": [
        ("units or currency", "In 2023 Altdorf spent $377 million.", [
            ("swapped entity", "In 2023 Altdorf", "In 2021 Altdorf", "377"),
            ("swapped entity", "Altdorf", "Cadolz", "377"),
            ("digit", "$377 million", "$737 million")]),
        ("plain", "The totals are 1,728 million in 2021, 1,676 million in 2022 and 1,748 million in 2023.", [
            ("swapped entity", "1,728 million in 2021, 1,676 million in 2022", "1,676 million in 2021, 1,728 million in 2022", ["1,676", "1,728"]),
            ("scale", "1,748 million", "1,748 billion")]),
        ("derived", "From 2022 to 2023 spending rose by 72 million, or 4.3 %.", [
            ("sign or direction", "spending rose by 72 million", "spending fell by 72 million", "72"),
            ("miscomputed derivation", "4.3 %", "3.4 %")]),
        ("derived", "Altdorf has 46,475 inhabitants, so each has 5.22 letters in the archive on average (242,679 / 46,475).", [
            ("miscomputed derivation", "5.22", "5.32")]),
        ("scale words", "All three together spent 1.7 billion in 2022.", [
            ("scale", "1.7 billion", "1.7 million")]),
        ("plain", "The inhabitants add up to 174,005.", [
            ("digit", "174,005", "174,500"),
            ("number of something else", "174,005", "242,679")]),
        ("plain", "Per head, Cadolz spends most (11,400.65) and Altdorf least (8,111.89).", [
            ("swapped entity", "Cadolz spends most (11,400.65) and Altdorf least (8,111.89)", "Altdorf spends most (11,400.65) and Cadolz least (8,111.89)", ["11,400.65", "8,111.89"])]),
    ],
}
