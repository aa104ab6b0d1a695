{
    "domain": "energy",
    "question": "How much electricity did the house and its solar panels produce and use, by season?",
    "cells": ['''
import pandas as pd

house = pd.DataFrame({
    "season": ["winter", "spring", "summer", "autumn"],
    "used_kwh": [1480.5, 1012.0, 876.4, 1193.1],
    "produced_kwh": [402.3, 1365.8, 1790.6, 711.9],
}).set_index("season")
house["balance_kwh"] = house["produced_kwh"] - house["used_kwh"]
house
''', '''
totals = house.sum().round(1)
print(totals)
print("self-sufficiency:", round(totals["produced_kwh"] / totals["used_kwh"] * 100, 1), "%")
price = 0.31
print("cost without panels:", round(totals["used_kwh"] * price, 2))
''', '''
co2_per_kwh = 0.38
print("CO2 per kWh:", co2_per_kwh, "kg")
print("CO2 avoided: 1622.8 kg")
'''],
    "answers": [
        ("plain", "In winter the house used 1,480.5 kWh and produced 402.3 kWh.", [
            ("swapped entity", "In winter", "In autumn", ["1,480.5", "402.3"]),
            ("wrong column", "used 1,480.5 kWh and produced 402.3 kWh", "produced 1,480.5 kWh and used 402.3 kWh", ["1,480.5", "402.3"]),
            ("digit", "1,480.5", "1,408.5")]),
        ("percent", "The panels covered 93.6 % of what you used.", [
            ("digit", "93.6 %", "96.3 %"),
            ("scale", "93.6 %", "9.36 %")]),
        ("derived", "Over the year 291.4 kWh were missing (4,562.0 used, 4,270.6 produced).", [
            ("miscomputed derivation", "291.4", "219.4"),
            ("sign or direction", "291.4 kWh were missing (4,562.0 used, 4,270.6 produced)", "291.4 kWh were left over (4,562.0 used, 4,270.6 produced)", "291.4")]),
        ("plain", "Summer had a surplus of 914.2 kWh, winter a deficit of 1,078.2 kWh.", [
            ("sign or direction", "Summer had a surplus of 914.2 kWh, winter a deficit of 1,078.2 kWh", "Summer had a deficit of 914.2 kWh, winter a surplus of 1,078.2 kWh", ["914.2", "1,078.2"]),
            ("swapped entity", "Summer had a surplus of 914.2", "Spring had a surplus of 914.2", "914.2")]),
        ("derived", "Summer produced 4.45 times as much as winter.", [
            ("miscomputed derivation", "4.45 times", "4.54 times")]),
        ("units or currency", "Without panels the bill would have been 1,414.22 €.", [
            ("digit", "1,414.22", "1,441.22"),
            ("typed literal", "Without panels the bill would have been 1,414.22 €", "The panels avoided 1,622.8 kg of CO2", "1,622.8")]),
        ("scale words", "You used about 4.6 MWh in all.", [
            ("scale", "4.6 MWh", "4.6 GWh")]),
        ("French", "En été, la maison a produit 1 790,6 kWh et consommé 876,4 kWh, soit un excédent de 914,2 kWh.", [
            ("swapped entity", "produit 1 790,6 kWh et consommé 876,4 kWh", "produit 876,4 kWh et consommé 1 790,6 kWh", ["1 790,6", "876,4"]),
            ("digit", "914,2", "941,2")]),
    ],
}
