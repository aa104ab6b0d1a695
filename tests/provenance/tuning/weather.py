{
    "domain": "weather",
    "question": "Describe the temperatures of the week and the rain.",
    "cells": ['''
days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
high = [17.2, 19.8, 23.1, 25.6, 21.4, 16.9, 18.3]
low = [8.4, 9.9, 12.7, 14.2, 13.8, 10.1, 7.6]
rain = [0.0, 0.0, 1.2, 6.8, 12.4, 3.1, 0.0]
for day, h, l, r in zip(days, high, low, rain):
    print(f"{day}: {l}..{h} °C, {r} mm")
''', '''
print("mean high:", round(sum(high) / 7, 2))
print("mean low:", round(sum(low) / 7, 2))
print("rain in total:", round(sum(rain), 1), "mm")
print("dry days:", rain.count(0.0))
''', '''
rain[4] = 10.9          # the gauge of Friday was read again
print("rain in total:", round(sum(rain), 1), "mm")
'''],
    "answers": [
        ("plain", "Thursday was the warmest day with a high of 25.6 °C; the coldest night was Sunday's at 7.6 °C.", [
            ("swapped entity", "Thursday was the warmest day", "Wednesday was the warmest day", "25.6"),
            ("digit", "25.6", "26.5"),
            ("wrong column", "a high of 25.6 °C", "a high of 14.2 °C")]),
        ("plain", "In all, 22.0 mm of rain fell.", [
            ("stale value", "22.0 mm", "23.5 mm"),
            ("digit", "22.0 mm", "20.2 mm")]),
        ("summary of an analysis", "A mild week: highs averaged 20.33 °C and lows 10.96 °C. It stayed dry on 3 days; the corrected rain total is 22.0 mm.", [
            ("wrong statistic", "highs averaged 20.33 °C", "highs averaged 25.6 °C", "25.6"),
            ("swapped entity", "highs averaged 20.33 °C and lows 10.96 °C", "highs averaged 10.96 °C and lows 20.33 °C", ["10.96", "20.33"]),
            ("stale value", "the corrected rain total is 22.0 mm", "the rain total is 23.5 mm", "23.5")]),
        ("derived", "On average days were 9.37 degrees warmer than nights.", [
            ("miscomputed derivation", "9.37", "9.73"),
            ("sign or direction", "9.37 degrees warmer than nights", "9.37 degrees colder than nights", "9.37")]),
        ("small integers", "3 of the 7 days were dry.", [
            ("digit", "3 of", "5 of", "5 of")]),
        ("units or currency", "Mean high: 20.3 °C. Mean low: 11.0 °C.", [
            ("swapped entity", "Mean high: 20.3 °C. Mean low: 11.0 °C", "Mean high: 11.0 °C. Mean low: 20.3 °C", ["11.0", "20.3"]),
            ("rounding", "20.3 °C", "20.4 °C")]),
        ("German", "Im Schnitt lag das Maximum bei 20,33 °C, das Minimum bei 10,96 °C; insgesamt fielen 22,0 mm Regen.", [
            ("digit", "20,33", "23,03"),
            ("stale value", "22,0 mm", "23,5 mm")]),
    ],
}
