{
    "domain": 'support tickets SQL',
    "question": 'Our ticket table in SQLite: how fast do we answer by team and priority, and what happens to the averages without the test tickets?',
    "cells": [
r"""import sqlite3, random
rnd = random.Random(64)
c = sqlite3.connect(":memory:")
c.execute("create table ticket(id integer, team text, prio text, minutes integer, reopened integer, subject text)")
for i in range(1, 501):
    team = rnd.choices(["Billing", "Tech", "Logistics"], [35, 45, 20])[0]
    prio = rnd.choices(["high", "normal", "low"], [20, 60, 20])[0]
    mins = int(rnd.expovariate(1 / {"high": 55, "normal": 140, "low": 260}[prio])) + {"Billing": 20, "Tech": 45, "Logistics": 10}[team]
    c.execute("insert into ticket values (?,?,?,?,?,?)", (i, team, prio, mins, int(rnd.random() < 0.12), "test" if i % 31 == 0 else "mail"))
c.execute("update ticket set minutes = 0 where subject = 'test'")
for r in c.execute("select team, count(*), round(avg(minutes),1), max(minutes), sum(reopened) from ticket group by team order by 3"): print(r)
print(c.execute("select count(*), round(avg(minutes),1) from ticket").fetchone())""",
r"""print("without test tickets")
c.execute("delete from ticket where subject = 'test'")
for r in c.execute("select team, count(*), round(avg(minutes),1), max(minutes), sum(reopened) from ticket group by team order by 3"): print(r)
print(c.execute("select count(*), round(avg(minutes),1), sum(reopened) from ticket").fetchone())""",
'for r in c.execute("""select prio, count(*), round(avg(minutes),1), round(100.0*avg(minutes<=60),1)\n                      from ticket group by prio order by 3"""): print(r)\nprint("over 8 hours:", c.execute("select count(*) from ticket where minutes > 480").fetchone()[0])',
    ],
    "answers": [
        ('summary of an analysis', 'After deleting the 16 test tickets, 484 remain and the average response time rises from 165.0 to 170.4 minutes. Billing answers fastest at 139.5 minutes, Logistics needs 187.7 and Tech 189.6. High-priority tickets take 83.7 minutes on average and 41.9 % of them are answered within the hour.', [
            ('stale value', 'at 139.5 minutes', 'at 134.4 minutes', '134.4'),
            ('stale value', 'needs 187.7', 'needs 177.3', '177.3'),
            ('swapped entity', '83.7 minutes', '159.7 minutes', '159.7'),
            ('sign or direction', 'rises from 165.0 to 170.4', 'falls from 165.0 to 170.4', ['165.0', '170.4']),
        ]),
        ('plain', 'Tech now averages 189.6 minutes over 217 tickets.', [
            ('stale value', '189.6', '186.1'),
            ('stale value', '217', '221'),
            ('swapped entity', '189.6', '187.7'),
            ('wrong statistic', '189.6', '1,312'),
        ]),
        ('derived', 'Low-priority tickets wait 264.5 minutes, a bit more than three times as long as high-priority ones (83.7).', [
            ('swapped entity', '264.5', '159.7'),
            ('wrong column', '(83.7)', '(41.9)', '41.9'),
            ('digit', '264.5', '246.5'),
        ]),
        ('counted', '59 tickets were reopened, 12 % of all; Billing alone had 29 of them.', [
            ('stale value', '59 tickets', '61 tickets', '61'),
            ('stale value', 'had 29', 'had 30', '30'),
            ('miscomputed derivation', '12 %', '16 %', '16'),
        ]),
        ('list or table', 'Answered within 60 minutes:\n- high: 41.9 % of 86 tickets\n- normal: 21.0 % of 286\n- low: 11.6 % of 112', [
            ('wrong column', 'low: 11.6', 'low: 264.5', '264.5'),
            ('swapped entity', 'of 286\n- low: 11.6 % of 112', 'of 112\n- low: 11.6 % of 286', ['112', '286']),
            ('digit', '41.9', '49.1'),
        ]),
        ('small integers', 'Eighteen tickets took longer than eight hours, just under 4 % of the 484.', [
            ('miscomputed derivation', 'under 4 %', 'under 6 %', '6'),
            ('stale value', 'the 484', 'the 500', '500'),
            ('miscomputed derivation', 'Eighteen tickets', '28 tickets', '28'),
        ]),
        ('plain', 'For Logistics the average went from 177.3 to 187.7 minutes once the five test tickets were gone, 10.4 more.', [
            ('miscomputed derivation', '10.4', '14.0'),
            ('sign or direction', '10.4 more', '10.4 less', '10.4'),
            ('swapped entity', 'to 187.7', 'to 189.6', '189.6'),
        ]),
    ],
}
