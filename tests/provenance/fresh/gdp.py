{
    "domain": "gdp",
    "question": "Compare GDP per head and growth of the countries.",
    "cells": ['''
import pandas as pd
df = pd.DataFrame({"country": ["Alvia","Borland","Cestia","Dorana"], "gdp_bn": [412.6, 1875.2, 96.4, 733.9], "population_m": [11.2, 58.7, 4.9, 23.3], "gdp_2013_bn": [338.1, 1702.5, 61.8, 745.0]})
df["per_head"] = (df.gdp_bn*1000/df.population_m).round(0)
df["growth_pct"] = ((df.gdp_bn/df.gdp_2013_bn-1)*100).round(1)
print(df)
print("Combined GDP:", df.gdp_bn.sum(), "bn; population:", df.population_m.sum(), "m")
'''],
    "answers": [
        ("summary of an analysis", "Borland has the largest economy (1,875.2 bn), but Alvia is the richest per head with 36,839. Cestia grew fastest since 2013 (+56.0 %), while Dorana shrank by 1.5 %. Together the four countries produce 3,118.1 bn with 98.1 million people.", [
            ("swapped entity", "36,839", "31,945"),
            ("sign or direction", "shrank by 1.5 %", "grew by 1.5 %", "1.5 %"),
            ("swapped entity", "+56.0 %", "+22.0 %"),
            ("wrong column", "(1,875.2 bn)", "(1,702.5 bn)", "1,702.5")]),
        ("derived", "Dorana's GDP fell by 11.1 bn between 2013 and today.", [
            ("miscomputed derivation", "11.1", "11.9"),
            ("sign or direction", "fell", "rose", "11.1")]),
        ("percent", "Borland alone accounts for 60.1 % of the combined GDP.", [
            ("miscomputed derivation", "60.1 %", "61.0 %"),
            ("swapped entity", "Borland", "Dorana", "60.1 %")]),
        ("scale words", "Borland's GDP is about 1.9 trillion, Cestia's only 96.4 billion.", [
            ("scale", "96.4 billion", "96.4 million")]),
        ("plain", "Cestia is the smallest country with 4.9 million inhabitants.", [
            ("swapped entity", "4.9", "11.2"),
            ("scale", "4.9 million", "4.9 billion")]),
        ("derived", "Per head, Alvia produces 87 % more than Cestia.", [
            ("miscomputed derivation", "87 %", "78 %"),
            ("sign or direction", "more than", "less than", "87 %")]),
    ],
}
