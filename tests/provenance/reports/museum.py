{
    "domain": 'museum visits (SQL)',
    "question": 'can you query the visit table for the first weekend in June and tell me which exhibits pull people, how long they stay and where the kids go?',
    "cells": [
r'''import sqlite3
con = sqlite3.connect(":memory:")
con.executescript("""
CREATE TABLE exhibit(id INTEGER PRIMARY KEY, title TEXT, wing TEXT, opened TEXT);
CREATE TABLE visit(exhibit_id INT, day TEXT, kind TEXT, visitors INT, minutes REAL);
INSERT INTO exhibit VALUES (1,'Amber Room','East','2023-02-11'),(2,'Deep Sea','West','2022-09-30'),
 (3,'Looms','East','2021-05-04'),(4,'Meteorites','North','2024-01-20'),(5,'Atlas','North','2019-11-02');
INSERT INTO visit VALUES
 (1,'2024-06-01','adult',412,18.5),(1,'2024-06-01','child',96,11.0),(1,'2024-06-02','adult',388,17.9),(1,'2024-06-02','child',121,10.2),
 (2,'2024-06-01','adult',365,24.1),(2,'2024-06-01','child',287,31.4),(2,'2024-06-02','adult',340,23.6),(2,'2024-06-02','child',305,33.0),
 (3,'2024-06-01','adult',74,9.3),(3,'2024-06-01','child',12,4.8),(3,'2024-06-02','adult',81,8.9),(3,'2024-06-02','child',9,5.1),
 (4,'2024-06-01','adult',229,14.7),(4,'2024-06-01','child',198,19.6),(4,'2024-06-02','adult',251,15.2),(4,'2024-06-02','child',214,20.3);
""")
con.execute("SELECT COUNT(*), SUM(visitors) FROM visit").fetchone()''',
r'''rows = con.execute("""
SELECT e.title, e.wing, SUM(v.visitors) AS n,
       ROUND(SUM(v.visitors*v.minutes)/SUM(v.visitors), 1) AS avg_min,
       ROUND(100.0*SUM(CASE WHEN kind='child' THEN visitors END)/SUM(v.visitors), 1) AS child_pct
FROM exhibit e LEFT JOIN visit v ON v.exhibit_id = e.id
GROUP BY e.id ORDER BY n DESC""").fetchall()
for r in rows:
    print(r)''',
r'''q = """SELECT wing, day, SUM(visitors) n FROM visit JOIN exhibit ON id = exhibit_id GROUP BY wing, day ORDER BY wing, day"""
for wing, day, n in con.execute(q):
    print(f"{wing:6s}|{day}|{n:5d}")
con.execute("SELECT kind, SUM(visitors), ROUND(SUM(visitors*minutes)/60.0) FROM visit GROUP BY kind").fetchall()''',
    ],
    "answers": [
        ('summary of an analysis', '**Deep Sea** was the clear favourite of the weekend: 1,297 of 3,382 visits (38%), and people stayed 27.7 minutes on average. **Amber Room** came second with 1,017 visits but only 16.6 minutes, followed by **Meteorites** (892) and **Looms** (176). *Atlas* has no visits recorded at all.', [
            ('swapped entity', 'only 16.6 minutes', 'only 17.3 minutes', '17.3'),
            ('digit', '1,017 visits', '1,071 visits', '1,071'),
            ('miscomputed derivation', '(38%)', '(48%)', '48%'),
        ]),
        ('percent', 'Children made up 36.7% of all visits. Their share is highest at Meteorites (46.2%) and Deep Sea (45.6%) and lowest at Looms, where fewer than one visitor in eight was a child.', [
            ('miscomputed derivation', '36.7%', '58.0%'),
            ('swapped entity', 'Meteorites (46.2%) and Deep Sea (45.6%)', 'Meteorites (45.6%) and Deep Sea (46.2%)', ['45.6%', '46.2%']),
            ('digit', '(46.2%)', '(64.2%)', '64.2%'),
        ]),
        ('derived', 'Sunday was slightly busier than Saturday: 1,709 versus 1,673 visits, 36 more. All of that comes from the North wing (+38) and the East wing (+5); the West wing lost 7 visitors.', [
            ('sign or direction', 'lost 7 visitors', 'gained 7 visitors', '7 visitors'),
            ('miscomputed derivation', '1,709', '1,719'),
            ('swapped entity', 'North wing (+38)', 'North wing (+83)', '83'),
        ]),
        ('units or currency', 'Kids stay longer than adults. Adults spent a combined 666 hours over 2,140 visits, children 495 hours over 1,242, which is about 19 minutes per adult visit and 24 minutes per child visit.', [
            ('number of something else', 'children 495 hours', 'children 459 hours', '459'),
            ('miscomputed derivation', '24 minutes per child', '34 minutes per child', '34'),
            ('swapped entity', 'over 2,140 visits', 'over 1,017 visits', '1,017'),
        ]),
        ('small integers', 'The database holds five exhibits in three wings and 16 visit rows covering 2 days. Four exhibits have data; Atlas, open since 2019, has none.', [
            ('number of something else', '16 visit rows', '15 visit rows', '15'),
            ('digit', 'since 2019', 'since 2018', '2018'),
        ]),
        ('fractions in words', 'Nearly half of all child visits (592 of 1,242) went to Deep Sea, while Looms drew only 21 children over the two days. Deep Sea had more than seven times as many visitors as Looms.', [
            ('wrong column', '(592 of 1,242)', '(705 of 1,242)', '705'),
            ('miscomputed derivation', 'only 21 children', 'only 31 children', '31'),
        ]),
        ('German', 'Am Wochenende zählten wir 3.382 Besuche, davon 1.242 von Kindern (36,7 %). Am längsten blieben die Leute in der Ausstellung „Deep Sea“ (27,7 Minuten), am kürzesten bei „Looms“ (8,6 Minuten).', [
            ('wrong column', 'davon 1.242', 'davon 2.140', '2.140'),
            ('digit', '27,7 Minuten', '22,7 Minuten', '22,7'),
            ('wrong column', '(8,6 Minuten)', '(11,9 Minuten)', '11,9'),
        ]),
    ],
}
