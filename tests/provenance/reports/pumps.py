{
    "domain": "maintenance database",
    "question": "We log every pump failure in sqlite (costs in euros). Which pumps cost us the most downtime last year, what's the MTBF, and is the new seal supplier better?",
    "cells": [r"""
import sqlite3

db = sqlite3.connect(":memory:")
db.executescript('''
CREATE TABLE pump(id TEXT PRIMARY KEY, hall TEXT, kw REAL, installed INT);
CREATE TABLE failure(pump TEXT, day INT, cause TEXT, hours REAL, cost REAL, seal TEXT);
INSERT INTO pump VALUES ('P1','A',7.5,2011),('P2','A',7.5,2011),('P3','B',15,2016),('P4','B',15,2016),('P5','C',22,2019),('P6','C',22,2021);
''')
rows = [("P1", 12, "seal", 6.5, 840, "old"), ("P1", 71, "seal", 5.0, 790, "old"), ("P1", 140, "bearing", 14.0, 2150, "old"),
        ("P2", 33, "seal", 7.0, 860, "old"), ("P2", 198, "seal", 4.5, 910, "new"), ("P3", 55, "motor", 31.0, 5400, "old"),
        ("P3", 167, "seal", 5.5, 1020, "old"), ("P3", 301, "seal", 4.0, 1180, "new"), ("P4", 88, "bearing", 12.5, 2480, "old"),
        ("P4", 249, "seal", 4.5, 1150, "new"), ("P5", 120, "seal", 8.0, 1390, "old"), ("P5", 305, "bearing", 16.0, 3120, "new"),
        ("P1", 277, "seal", 3.5, 880, "new"), ("P2", 340, "bearing", 11.0, 1990, "new")]
db.executemany("INSERT INTO failure VALUES (?,?,?,?,?,?)", rows)
db.execute("SELECT count(*), sum(hours), sum(cost) FROM failure").fetchone()
""", r"""
q = '''SELECT p.id, p.hall, count(f.day), coalesce(sum(f.hours), 0), coalesce(sum(f.cost), 0)
       FROM pump p LEFT JOIN failure f ON f.pump = p.id GROUP BY p.id ORDER BY 4 DESC'''
for r in db.execute(q):
    print(r)
""", r"""
print(db.execute("SELECT cause, count(*), round(avg(hours), 2), sum(hours), sum(cost) FROM failure GROUP BY cause ORDER BY 2 DESC").fetchall())
print(db.execute("SELECT seal, count(*), round(avg(hours), 3), round(avg(cost), 2) FROM failure WHERE cause = 'seal' GROUP BY seal").fetchall())
n, hours = db.execute("SELECT count(*), sum(hours) FROM failure").fetchone()
fleet = 6 * 365 * 24
print("MTBF", round((fleet - hours) / n, 1), "h; MTTR", round(hours / n, 2), "h; availability", round(1 - hours / fleet, 5))
"""],
    "answers": [
        ("summary of an analysis", "P3 caused the most downtime with 40.5 hours (and 7,600 in cost), although P1 failed most often, four times for 29 hours. Across the fleet there were 14 failures, 133 hours of downtime and an MTBF of 3,744.8 hours.", [
            ("swapped entity", "40.5 hours", "24.0 hours", "24.0"),
            ("digit", "3,744.8", "3,474.8"),
            ("digit", "133 hours", "113 hours", "113"),
        ]),
        ("derived", "New seals are back in service faster: a seal failure now takes 4.125 h to fix instead of 6.4 h, about 36% less. But each one costs 50 more (1,030 against 980), roughly 5%.", [
            ("miscomputed derivation", "about 36% less", "about 55% less", "55%"),
            ("sign or direction", "costs 50 more (1,030 against 980)", "costs 50 less (1,030 against 980)", "50"),
            ("digit", "4.125 h", "4.215 h", "4.215"),
            ("miscomputed derivation", "roughly 5%", "roughly 15%", "15%"),
        ]),
        ("percent", "P3 alone accounts for 30% of all downtime, most of it the single motor failure of 31 hours. Seals are the most frequent cause (9 of 14 failures, 64%), yet bearings cost more hours overall: 53.5 versus 48.5.", [
            ("miscomputed derivation", "30% of", "40% of", "40%"),
            ("digit", "9 of 14", "8 of 14", "8 of 14"),
            ("swapped entity", "53.5 versus 48.5", "48.5 versus 53.5", ["48.5", "53.5"]),
        ]),
        ("units or currency", "Total repair cost was €24,160, i.e. about €1,726 per failure or €182 per hour of downtime. Hall B is the most expensive with €11,230.", [
            ("miscomputed derivation", "€1,726", "€1,276"),
            ("scale", "€24,160", "€2,416"),
            ("miscomputed derivation", "€11,230", "€8,420"),
        ]),
        ("plain", "Mean time to repair is 9.5 hours and availability 99.75%. An average bearing job takes 13.4 hours, a seal job 5.4.", [
            ("digit", "99.75%", "97.95%"),
            ("swapped entity", "takes 13.4 hours", "takes 31.0 hours", "31.0"),
            ("wrong statistic", "9.5 hours", "5.39 hours", "5.39"),
        ]),
        ("small integers", "P6 had no failures at all, P4 and P5 two each, P2 and P3 three each, and P1 had 4. Of the nine seal failures, 5 were with the old supplier and 4 with the new one.", [
            ("swapped entity", "5 were with the old supplier and 4 with the new", "4 were with the old supplier and 5 with the new", ["4 were", "5 with"]),
            ("digit", "P1 had 4.", "P1 had 5.", "P1 had 5"),
        ]),
        ("dates, versions, ordinals", "The oldest machines, P1 and P2 in hall A (installed in 2011), had 7 of the 14 failures and together 51.5 hours of downtime. The newest one, P6 from 2021, never stopped.", [
            ("digit", "2011", "2016"),
            ("miscomputed derivation", "51.5 hours", "57.5 hours", "57.5"),
            ("miscomputed derivation", "had 7 of", "had 8 of", "8"),
        ]),
    ],
}
