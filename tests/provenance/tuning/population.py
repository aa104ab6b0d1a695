{
    "domain": "demography",
    "question": "Compare the five counties: people, density, doctors.",
    "cells": ['''
import pandas as pd

counties = pd.DataFrame({
    "county": ["Arden", "Brock", "Carrow", "Denholm", "Eskdale"],
    "people_2010": [412300, 98450, 254700, 73120, 181940],
    "people_2020": [447810, 91225, 281930, 71885, 205470],
    "km2": [1820, 2945, 1310, 3480, 960],
    "doctors": [1612, 241, 902, 158, 719],
}).set_index("county")
counties["growth_pct"] = (counties["people_2020"] / counties["people_2010"] * 100 - 100).round(2)
counties["density"] = (counties["people_2020"] / counties["km2"]).round(1)
counties["doctors_per_100k"] = (counties["doctors"] / counties["people_2020"] * 1e5).round(1)
print(counties.to_string())
''', '''
print("people in 2020:", counties["people_2020"].sum())
print("people in 2010:", counties["people_2010"].sum())
print("doctors:", counties["doctors"].sum())
print("median density:", counties["density"].median())
print("mean density:", round(counties["density"].mean(), 2))
'''],
    "answers": [
        ("plain", "Arden is the most populous county with 447,810 people in 2020, Denholm the smallest with 71,885.", [
            ("swapped entity", "Arden is the most populous county with 447,810 people in 2020, Denholm the smallest with 71,885", "Denholm is the most populous county with 447,810 people in 2020, Arden the smallest with 71,885", ["447,810", "71,885"]),
            ("wrong column", "447,810 people in 2020", "412,300 people in 2020", "412,300"),
            ("digit", "71,885", "78,185")]),
        ("percent", "Eskdale grew fastest, by 12.93 %, while Brock shrank by 7.34 %.", [
            ("sign or direction", "while Brock shrank by 7.34 %", "and Brock grew by 7.34 %", "7.34 %"),
            ("swapped entity", "Eskdale grew fastest", "Carrow grew fastest", "12.93 %")]),
        ("constants of a method", "Doctors per 100,000 inhabitants: 360.0 in Arden, 219.8 in Denholm.", [
            ("swapped entity", "360.0 in Arden, 219.8 in Denholm", "219.8 in Arden, 360.0 in Denholm", ["219.8", "360.0"]),
            ("digit", "219.8", "218.9")]),
        ("scale words", "Together the five counties have 1.1 million people.", [
            ("scale", "1.1 million", "1.1 billion"),
            ("rounding", "1.1 million", "1.2 million")]),
        ("derived", "Since 2010 the population has grown by 77,810 or 7.6 %.", [
            ("miscomputed derivation", "77,810", "78,710"),
            ("miscomputed derivation", "7.6 %", "6.7 %"),
            ("sign or direction", "has grown by 77,810", "has fallen by 77,810", "77,810")]),
        ("list or table", "| county | density | doctors per 100k |\n|:--|--:|--:|\n| Arden | 246.0 | 360.0 |\n| Brock | 31.0 | 264.2 |\n| Carrow | 215.2 | 319.9 |\n| Denholm | 20.7 | 219.8 |\n| Eskdale | 214.0 | 349.9 |", [
            ("swapped entity", "| Brock | 31.0 | 264.2 |", "| Brock | 31.0 | 319.9 |", "31.0 | 319.9"),
            ("wrong column", "| Carrow | 215.2 | 319.9 |", "| Carrow | 215.2 | 902 |", "902")]),
        ("plain", "The median density is 214.0 people per km², the mean 145.38.", [
            ("wrong statistic", "The median density is 214.0 people per km², the mean 145.38", "The mean density is 214.0 people per km², the median 145.38", ["214.0", "145.38"])]),
        ("fractions in words", "Two of the five counties lost people.", []),
    
        ("German", "Seit 2010 ist die Bevölkerung um 77.810 Menschen gewachsen, also um 7,6 %.", [
            ("sign or direction", "um 77.810 Menschen gewachsen", "um 77.810 Menschen geschrumpft", "77.810"),
            ("miscomputed derivation", "7,6 %", "6,7 %")]),
        ("French", "Eskdale a gagné 12,93 % d'habitants, tandis que Brock en a perdu 7,34 %.", [
            ("sign or direction", "tandis que Brock en a perdu 7,34 %", "et Brock en a gagné 7,34 %", "7,34 %"),
            ("swapped entity", "Eskdale a gagné", "Arden a gagné", "12,93 %")]),
        ("French", "Les cinq comtés comptent 1,1 million d'habitants.", [
            ("scale", "1,1 million", "1,1 milliard")]),
    ],
}
