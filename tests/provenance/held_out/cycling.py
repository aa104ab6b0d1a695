{
    "domain": "cycling",
    "question": "Summarise the tour: distance, climbing and speed by stage.",
    "cells": ['''
stages = [("Prologue", 12.4, 110, 0.29), ("Coast", 178.2, 940, 4.21), ("Forest", 162.7, 2105, 4.35),
          ("Pass", 141.9, 4320, 4.58), ("Plain", 203.5, 620, 4.52), ("Finale", 118.6, 1280, 2.79)]
for name, km, climb, hours in stages:
    print(name, km, "km", climb, "m", round(km / hours, 2), "km/h")
''', '''
km = sum(s[1] for s in stages)
climb = sum(s[2] for s in stages)
hours = sum(s[3] for s in stages)
print(f"total distance {km:.1f} km, climbing {climb} m, time {hours:.2f} h, average speed {km / hours:.2f} km/h")
''', '''
climb = sum(s[2] for s in stages if s[0] != "Prologue")
print("climbing without the prologue:", climb, "m")
'''],
    "answers": [
        ("plain", "The tour covered 817.3 km in 20.74 hours, an average of 39.41 km/h.", [
            ("digit", "817.3", "871.3"),
            ("scale", "20.74 hours", "207.4 hours"),
            ("swapped entity", "an average of 39.41 km/h", "an average of 45.02 km/h", "45.02")]),
        ("plain", "Without the prologue the riders climbed 9,265 m.", [
            ("stale value", "9,265", "9,375")]),
        ("derived", "The Pass stage alone has 4,320 m of climbing, 46.1 % of the 9,375 m of the whole tour.", [
            ("miscomputed derivation", "46.1 %", "41.6 %"),
            ("swapped entity", "The Pass stage", "The Forest stage", "4,320")]),
        ("list or table", "Speeds:\n- Prologue: 42.76 km/h\n- Coast: 42.33 km/h\n- Forest: 37.4 km/h\n- Pass: 30.98 km/h\n- Plain: 45.02 km/h\n- Finale: 42.51 km/h", [
            ("swapped entity", "Forest: 37.4", "Forest: 30.98", "Forest: 30.98"),
            ("digit", "45.02", "42.05"),
            ("wrong column", "Prologue: 42.76 km/h", "Prologue: 12.4 km/h", "12.4")]),
        ("plain", "The fastest stage was Plain (45.02 km/h), the slowest Pass with 30.98 km/h.", [
            ("swapped entity", "The fastest stage was Plain (45.02 km/h), the slowest Pass with 30.98 km/h", "The fastest stage was Pass (45.02 km/h), the slowest Plain with 30.98 km/h", "45.02")]),
        ("counted", "Six stages, the longest of them 203.5 km.", [
            ("digit", "203.5", "230.5")]),
    ],
}
