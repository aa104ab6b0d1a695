{
    "domain": "parking garage",
    "question": "Occupancy of our 3 garages last week: when is the peak, which one is the fullest, and how much money did each one bring in?",
    "cells": [
r"""import sqlite3
db = sqlite3.connect(":memory:")
db.execute("create table stays(garage text, weekday text, cars int, hours real, revenue real)")
rows = [("Central", "Mon", 612, 2.4, 2203.2), ("Central", "Wed", 655, 2.5, 2456.25), ("Central", "Fri", 788, 2.9, 3427.8), ("Central", "Sat", 941, 3.3, 4657.95),
        ("Station", "Mon", 480, 7.8, 3369.6), ("Station", "Wed", 503, 7.9, 3576.33), ("Station", "Fri", 447, 7.1, 2856.33), ("Station", "Sat", 210, 4.2, 793.8),
        ("Market", "Mon", 275, 1.6, 528.0), ("Market", "Wed", 431, 1.9, 982.68), ("Market", "Fri", 390, 1.8, 842.4), ("Market", "Sat", 566, 2.1, 1426.32)]
db.executemany("insert into stays values (?,?,?,?,?)", rows)
for r in db.execute("select garage, sum(cars), round(sum(revenue), 2), round(sum(cars*hours)/sum(cars), 2) from stays group by garage order by 3 desc"):
    print(r)""",
r"""db.execute("select weekday, sum(cars), round(sum(revenue), 2) from stays group by weekday order by 2 desc").fetchall()"""],
    "answers": [
        ("plain", "Central brought in 12,745.20, Station 10,596.06 and Market 3,779.40.", [
            ("swapped entity", "Station 10,596.06 and Market 3,779.40", "Station 3,779.40 and Market 10,596.06", ["3,779.40", "10,596.06"]),
            ("wrong column", "12,745.20", "2,996"),
        ]),
        ("percent", "Central earns 47% of the 27,120.66 total.", [
            ("digit", "27,120.66", "27,210.66"),
            ("swapped entity", "47%", "39%"),
        ]),
        ("plain", "Saturday is the busiest day with 1,717 cars, but Friday made the most money (7,126.53).", [
            ("wrong column", "7,126.53", "1,625"),
            ("swapped entity", "7,126.53", "6,878.07"),
        ]),
        ("derived", "A car at Station leaves 6.46 on average, at Central 4.25 and at Market only 2.27.", [
            ("number of something else", "6.46", "7.18"),
            ("swapped entity", "Central 4.25 and at Market only 2.27", "Central 2.27 and at Market only 4.25", ["2.27", "4.25"]),
        ]),
        ("units or currency", "People stay 7.2 hours at Station, but not even 2 hours at Market.", [
            ("scale", "7.2 hours", "72 hours", "72"),
            ("sign or direction", "but not even 2 hours", "and well over 2 hours", "over 2 hours"),
        ]),
        ("scale words", "All in all 6,298 cars and about 27 thousand in revenue.", [
            ("scale", "27 thousand", "270 thousand", "270"),
            ("miscomputed derivation", "6,298", "6,198"),
        ]),
        ("fractions in words", "Nearly half the revenue came from Central; Market, with 1,662 cars, made about a seventh.", [
            ("swapped entity", "1,662", "1,640"),
        ]),
    ],
}
