{
    "domain": 'medicine, emergency department waiting times',
    "question": 'How long do patients wait in our ED by triage level, and how often do we breach the 4-hour target?',
    "cells": [
r"""import sqlite3, random
random.seed(31)
db = sqlite3.connect(":memory:")
db.execute("create table visit(id integer primary key, triage int, arrival_h int, wait_min real, stay_min real, admitted int)")
base = {1: 3, 2: 14, 3: 52, 4: 88, 5: 97}
for i in range(1850):
    tr = random.choices([1, 2, 3, 4, 5], [2, 13, 42, 33, 10])[0]
    h = random.choices(range(24), [2,2,1,1,1,1,2,3,5,7,8,8,7,6,6,6,6,7,7,6,5,4,3,2])[0]
    w = base[tr] * random.lognormvariate(0, .5) * (1.35 if 16 <= h <= 21 else 1)
    s = w + random.gammavariate(3, 38)
    db.execute("insert into visit values(?,?,?,?,?,?)", (i, tr, h, round(w, 1), round(s, 1), int(random.random() < {1: .86, 2: .52, 3: .27, 4: .08, 5: .02}[tr])))
db.execute("select count(*), round(avg(wait_min),1), round(avg(stay_min),1), sum(admitted) from visit").fetchone()""",
r"""q = 'select triage, count(*) n, round(avg(wait_min),1), round(max(wait_min)), sum(stay_min > 240), round(100.0*sum(stay_min > 240)/count(*),1), round(100.0*avg(admitted),1) from visit group by triage order by triage'
print("triage | n | avg wait | max wait | breaches | breach % | admitted %")
for r in db.execute(q): print(*r, sep=" | ")""",
r"""print("breaches:", db.execute("select sum(stay_min > 240) from visit").fetchone()[0])
for lo, hi in ((0, 7), (8, 15), (16, 21), (22, 23)):
    n, w = db.execute("select count(*), avg(wait_min) from visit where arrival_h between ? and ?", (lo, hi)).fetchone()
    print(f"arrival {lo:02d}-{hi:02d} h: {n} patients, average wait {w:.1f} min")""",
    ],
    "answers": [
        ('plain', '484 of the 1,850 visits (26%) breached the 4-hour target.', [
            ('number of something else', '484 of', '424 of', '424'),
            ('miscomputed derivation', '26%', '36%', '36'),
            ('digit', '1,850', '1,580'),
        ]),
        ('list or table', 'Average wait by triage level:\n\n- 1: 3 min\n- 2: 18 min\n- 3: 68 min\n- 4: 111 min\n- 5: 126 min\n\nThe overall mean is 81.7 minutes.', [
            ('typed literal', '126 min', '97 min', '97'),
            ('swapped entity', '68 min', '71 min', '71'),
            ('wrong column', '81.7', '195.1'),
            ('wrong statistic', '18 min', '54 min', '54'),
        ]),
        ('derived', "Between 16 and 22 o'clock patients wait 101 minutes on average, some 30 minutes longer than during the rest of the day.", [
            ('sign or direction', '30 minutes longer', '30 minutes less', '30'),
            ('miscomputed derivation', '30 minutes', '40 minutes', '40'),
            ('digit', '101 minutes', '110 minutes', '110'),
        ]),
        ('summary of an analysis', 'You had 1,850 visits with an average stay of 195 minutes; 424 patients (23%) were admitted. Triage 3 is the largest group with 767 visits, but triage 4 causes most breaches: 220, or 45% of the total. In relative terms level 5 is worst, with 39.5% staying beyond four hours, compared with 8.9% at level 2. The longest single wait was 631 minutes, over ten hours.', [
            ('wrong column', 'stay of 195', 'stay of 82', '82'),
            ('miscomputed derivation', '45% of', '35% of', '35'),
            ('swapped entity', '8.9%', '21.3%'),
            ('swapped entity', '631 minutes', '473 minutes', '473'),
        ]),
        ('fractions in words', 'About half of the level 2 patients are admitted (53.1%), but only 8% at level 4.', [
            ('swapped entity', '53.1%', '28.2%', '28.2'),
            ('wrong column', 'only 8%', 'only 35%', '35'),
            ('scale', 'only 8%', 'only 0.8%', '0.8'),
        ]),
        ('inequalities', 'Levels 1 and 2 wait under 20 minutes on average, and just 22 of their 258 patients breached the target.', [
            ('miscomputed derivation', 'just 22 of', 'just 32 of', '32'),
            ('miscomputed derivation', 'their 258', 'their 268', '268'),
            ('invented', 'under 20 minutes', 'under 15 minutes', '15'),
        ]),
    ],
}
