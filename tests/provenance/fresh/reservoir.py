{
    "domain": "reservoir",
    "question": "How did the reservoir level develop since 2019 and where does the water come from?",
    "cells": ['''
levels = {2019: 71.4, 2020: 66.2, 2021: 58.9, 2022: 49.3, 2023: 53.8}
years = sorted(levels)
for a, b in zip(years, years[1:]):
    print(b, round(levels[b] - levels[a], 1), f"{(levels[b] / levels[a] - 1) * 100:.1f}%")
print("lowest:", min(levels, key=levels.get), min(levels.values()))
print("mean level:", round(sum(levels.values()) / len(levels), 2))
''', '''
inflow = {"Karst": 4.82, "Lenne": 3.17, "Morra": 1.06}
total = sum(inflow.values())
print("inflow", inflow)
print("total inflow", round(total, 2), "m3/s")
for river, v in inflow.items():
    print(f"{river} contributes {v / total:.1%}")
'''],
    "answers": [
        ("plain", "The level fell to 49.3 in 2022, its lowest, and recovered by 4.5 in 2023.", [
            ("sign or direction", "recovered by 4.5", "dropped by another 4.5", "4.5"),
            ("wrong statistic", "49.3", "59.92"),
            ("digit", "49.3", "43.9")]),
        ("percent", "The sharpest drop was in 2022: 16.3 % within a year.", [
            ("swapped entity", "16.3 %", "11.0 %"),
            ("digit", "16.3 %", "13.6 %")]),
        ("plain", "On average the level stood at 59.92.", [
            ("wrong statistic", "59.92", "49.3"),
            ("digit", "59.92", "52.99")]),
        ("plain", "Karst supplies 53.3 % of the inflow, Lenne 35.0 % and Morra 11.7 %.", [
            ("swapped entity", "Lenne 35.0 % and Morra 11.7 %", "Lenne 11.7 % and Morra 35.0 %", ["11.7 %", "35.0 %"]),
            ("digit", "53.3 %", "55.3 %")]),
        ("units or currency", "Together the rivers bring 9.05 m³/s, of which 4.82 m³/s come from the Karst.", [
            ("swapped entity", "4.82", "3.17"),
            ("scale", "9.05", "90.5")]),
        ("derived", "Lenne and Morra together contribute 4.23 m³/s, less than Karst alone.", [
            ("miscomputed derivation", "4.23", "4.32")]),
        ("derived", "Karst carries 1.65 m³/s more than Lenne.", [
            ("miscomputed derivation", "1.65", "1.56"),
            ("sign or direction", "Karst carries 1.65 m³/s more than Lenne", "Lenne carries 1.65 m³/s more than Karst", "1.65")]),
        ("list or table", "| year | change |\n|---|---|\n| 2020 | -7.3 % |\n| 2021 | -11.0 % |\n| 2022 | -16.3 % |\n| 2023 | +9.1 % |", [
            ("swapped entity", "| 2020 | -7.3 % |\n| 2021 | -11.0 % |", "| 2020 | -11.0 % |\n| 2021 | -7.3 % |", ["2020 | -11.0 %", "2021 | -7.3 %"]),
            ("sign or direction", "+9.1 %", "-9.1 %")]),
    ],
}
