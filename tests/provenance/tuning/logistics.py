{
    "domain": "logistics",
    "question": "Which routes are late, and what do they cost?",
    "cells": ['''
routes = [
    ("Hamburg-Berlin", 289, 118, 4.1, 7, 612.40), ("Berlin-Munich", 585, 96, 7.9, 14, 1190.15), ("Munich-Vienna", 402, 74, 5.6, 5, 845.90),
    ("Vienna-Prague", 333, 61, 4.8, 9, 702.35), ("Prague-Dresden", 149, 88, 2.4, 3, 341.20), ("Dresden-Leipzig", 116, 132, 1.7, 2, 270.85),
    ("Leipzig-Frankfurt", 391, 109, 5.1, 16, 811.60), ("Frankfurt-Cologne", 190, 141, 2.9, 11, 428.75), ("Cologne-Amsterdam", 264, 83, 4.0, 6, 573.30),
    ("Amsterdam-Bremen", 350, 57, 5.3, 8, 740.05), ("Bremen-Hamburg", 126, 150, 1.9, 4, 296.10)]
print(f"{'route':20}{'km':>6}{'trips':>7}{'hours':>7}{'late':>6}{'cost':>10}{'late %':>8}")
for route, km, trips, hours, late, cost in routes:
    print(f"{route:20}{km:6}{trips:7}{hours:7.1f}{late:6}{cost:10.2f}{100 * late / trips:8.2f}")
''', '''
trips = sum(r[2] for r in routes)
late = sum(r[4] for r in routes)
cost = sum(r[2] * r[5] for r in routes)
print(f"trips {trips}, late {late}, share {late / trips:.2%}")
print(f"cost of all trips {cost:,.2f}")
print(f"driven {sum(r[1] * r[2] for r in routes):,} km")
'''],
    "answers": [
        ("plain", "Vienna-Prague has the largest share of late trips, 14.75 %, just ahead of Leipzig-Frankfurt with 14.68 %.", [
            ("swapped entity", "Vienna-Prague has the largest share of late trips, 14.75 %, just ahead of Leipzig-Frankfurt with 14.68 %", "Leipzig-Frankfurt has the largest share of late trips, 14.75 %, just ahead of Vienna-Prague with 14.68 %", ["14.75 %", "14.68 %"]),
            ("digit", "14.68 %", "16.48 %")]),
        ("summary of an analysis", "1,109 trips were made and 85 of them were late (7.66 %). Together they cost 640,835.25 over 298,918 km. In absolute numbers Leipzig-Frankfurt was late most often, 16 times, followed by Berlin-Munich with 14.", [
            ("swapped entity", "Leipzig-Frankfurt was late most often, 16 times, followed by Berlin-Munich with 14", "Berlin-Munich was late most often, 16 times, followed by Leipzig-Frankfurt with 14", ["16 times", "with 14"]),
            ("digit", "298,918", "289,918"),
            ("scale", "640,835.25", "6,408,352.50")]),
        ("small integers", "Dresden-Leipzig was late only 2 times in 132 trips.", [
            ("swapped entity", "Dresden-Leipzig", "Bremen-Hamburg", ["2 times", "132"]),
            ("digit", "2 times", "7 times")]),
        ("derived", "A trip costs 577.85 on average.", [
            ("miscomputed derivation", "577.85", "587.75")]),
        ("units or currency", "The longest leg is Berlin-Munich: 585 km in 7.9 hours, at 1,190.15 € a trip.", [
            ("wrong column", "585 km", "96 km"),
            ("digit", "1,190.15", "1,910.15"),
            ("swapped entity", "The longest leg is Berlin-Munich", "The longest leg is Munich-Vienna", ["585", "7.9", "1,190.15"])]),
        ("derived", "1,024 trips arrived on time.", [
            ("miscomputed derivation", "1,024", "1,042")]),
        ("counted", "Four of the 11 routes are late in more than 14 % of cases.", [
            ("number of something else", "11 routes", "85 routes", "85")]),
        ("scale words", "The fleet drove close to 300 thousand km.", [
            ("scale", "300 thousand", "300 million")]),
    ],
}
