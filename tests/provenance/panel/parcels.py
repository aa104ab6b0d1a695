{
    "domain": "parcel logistics",
    "question": "How are the depots doing on late deliveries? SLA is 95% on time, and we have 4 depots.",
    "cells": [
r"""
import sqlite3
db = sqlite3.connect(":memory:")
db.execute("create table run (depot text, week int, parcels int, late int, km real, litres real)")
data = [("Leeds", 31, 4210, 189, 3120, 412.5), ("Leeds", 32, 4385, 240, 3201, 428.0), ("Leeds", 33, 4127, 151, 3088, 405.2),
        ("Bristol", 31, 2960, 231, 2745, 391.8), ("Bristol", 32, 3102, 279, 2810, 402.4), ("Bristol", 33, 3055, 246, 2790, 399.9),
        ("Cardiff", 31, 1874, 58, 1930, 248.1), ("Cardiff", 32, 1921, 63, 1955, 251.6), ("Cardiff", 33, 1890, 49, 1918, 246.0),
        ("Hull", 31, 2240, 121, 2402, 318.7), ("Hull", 32, 2198, 107, 2377, 316.3), ("Hull", 33, 2305, 134, 2431, 325.4)]
db.executemany("insert into run values (?,?,?,?,?,?)", data)
q = '''select depot, sum(parcels), sum(late), round(100.0*sum(late)/sum(parcels), 2), round(100*sum(litres)/sum(km), 2)
       from run group by depot order by 4 desc'''
print("depot | parcels | late | late % | l/100km")
for row in db.execute(q):
    print(" | ".join(map(str, row)))
""",
r"""
for row in db.execute("select week, sum(parcels), sum(late), sum(km), sum(litres) from run group by week"):
    print(row)
tot = db.execute("select sum(parcels), sum(late), sum(km), sum(litres) from run").fetchone()
print(tot, f"{100 * tot[1] / tot[0]:.2f}% late")
print("CO2: 0.48 kg per parcel; complaints: 312")
"""],
    "answers": [
        ("plain", "Bristol is the problem child: 756 of its 9,117 parcels were late, i.e. 8.29%.", [
            ("digit", "756", "765"),
            ("swapped entity", "8.29%", "5.37%"),
            ("swapped entity", "9,117", "12,722"),
        ]),
        ("percent", "Only Leeds (95.4% on time) and Cardiff (97.0%) met the 95% SLA; Hull just missed it with 94.6%.", [
            ("miscomputed derivation", "94.6%", "93.6%"),
            ("swapped entity", "Leeds (95.4% on time) and Cardiff (97.0%)", "Leeds (97.0% on time) and Cardiff (95.4%)", ["97.0%", "95.4%"]),
        ]),
        ("small integers", "2 of the 4 depots are within the SLA.", [
            ("digit", "2 of", "3 of"),
            ("question number given as result", "2 of the 4", "4 of the 4", "4 of"),
        ]),
        ("derived", "Overall 1,868 of 34,267 parcels came late, so 94.55% were on time, 0.45 points short of the SLA.", [
            ("question number given as result", "94.55%", "95%"),
            ("scale", "0.45 points", "4.5 points", "4.5 points"),
            ("digit", "1,868", "1,686"),
        ]),
        ("units or currency", "The fleet burned 4,145.9 litres over 30,767 km, about 13.5 l/100 km. Cardiff drives most economically (12.85).", [
            ("miscomputed derivation", "13.5", "15.3"),
            ("swapped entity", "12.85", "14.31"),
            ("number of something else", "4,145.9", "1,398.3"),
        ]),
        ("dates, versions, ordinals", "Week 32 was both the busiest and the worst: 11,606 parcels, 689 of them late. That's 109 more late ones than in week 33.", [
            ("miscomputed derivation", "109", "119"),
            ("swapped entity", "689", "599"),
        ]),
        ("derived", "Works out at approx. 0.12 litres of diesel per parcel.", [
            ("typed literal", "0.12 litres of diesel", "0.48 kg of carbon dioxide", "0.48"),
            ("scale", "0.12", "1.2"),
        ]),
    ],
}
