{
    "domain": "traffic",
    "question": "When is the bridge busiest?",
    "cells": ['''
import pandas as pd

counts = pd.Series([120, 85, 60, 52, 71, 240, 812, 1530, 1688, 1102, 940, 915, 980, 1011, 1043, 1190, 1502, 1745, 1420, 960,
                    610, 455, 330, 205], index=pd.RangeIndex(24, name="hour"), name="vehicles")
print(counts.describe())
''', '''
print("vehicles per day:", counts.sum())
print("busiest hour:", counts.idxmax(), "with", counts.max())
print("quietest hour:", counts.idxmin(), "with", counts.min())
rush = counts.loc[[7, 8, 16, 17]].sum()
print(f"rush hours carry {rush} vehicles, {rush / counts.sum():.1%} of the day")
'''],
    "answers": [
        ("plain", "The bridge is busiest between 17 and 18 h with 1,745 vehicles and quietest at 3 h with 52.", [
            ("swapped entity", "1,745 vehicles and quietest at 3 h with 52", "52 vehicles and quietest at 3 h with 1,745", ["52 vehicles", "1,745"]),
            ("digit", "1,745", "1,754")]),
        ("plain", "19,066 vehicles cross it per day, on average 794 per hour.", [
            ("wrong statistic", "on average 794 per hour", "on average 927.5 per hour", "927.5"),
            ("scale", "19,066", "190,660"),
            ("digit", "19,066", "19,606")]),
        ("summary of an analysis", "Hourly counts vary a lot (mean 794.4, standard deviation 558.9, median 927.5, from 52 to 1,745). A third of the day's traffic, 6,465 vehicles or 33.9 %, falls into the four rush hours.", [
            ("wrong statistic", "mean 794.4, standard deviation 558.9, median 927.5", "median 794.4, standard deviation 558.9, mean 927.5", ["794.4", "927.5"]),
            ("wrong statistic", "standard deviation 558.9", "standard deviation 231.25", "231.25"),
            ("digit", "6,465", "6,645")]),
        ("derived", "The other 20 hours share the remaining 12,601 vehicles.", [
            ("miscomputed derivation", "12,601", "12,061")]),
        ("constants of a method", "The interquartile range goes from 231.25 to 1,124 vehicles, i.e. spans 892.75.", [
            ("miscomputed derivation", "892.75", "982.75"),
            ("wrong statistic", "from 231.25 to 1,124", "from 52 to 1,124", "52")]),
        ("fractions in words", "About one third of all vehicles pass in rush hours.", []),
        ("derived", "At its peak the bridge carries 33.6 times the traffic of the quietest hour.", [
            ("miscomputed derivation", "33.6 times", "36.3 times")]),
        ("scale words", "Around 19 thousand vehicles a day.", [
            ("scale", "19 thousand", "19 million")]),
    
        ("German", "Pro Tag überqueren 19.066 Fahrzeuge die Brücke, im Mittel 794 pro Stunde; der Median liegt bei 927,5.", [
            ("wrong statistic", "im Mittel 794 pro Stunde; der Median liegt bei 927,5", "im Mittel 927,5 pro Stunde; der Median liegt bei 794", ["927,5", "794"]),
            ("digit", "19.066", "19.606")]),
        ("French", "Environ un tiers du trafic (33,9 %) passe aux heures de pointe, soit 6 465 véhicules.", [
            ("digit", "6 465", "6 645"),
            ("scale", "33,9 %", "3,39 %")]),
    ],
}
