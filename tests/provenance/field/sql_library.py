{
    "domain": 'library loans',
    "question": 'Can you load our loans into SQLite and tell me which branch is busiest and how bad the late returns are?',
    "cells": [
'import sqlite3, random\nrng = random.Random(21)\ncon = sqlite3.connect(":memory:")\ncon.execute("create table branch(id integer primary key, name text, staff int)")\ncon.executemany("insert into branch values (?,?,?)", [(1, "Central", 14), (2, "Harbour", 6), (3, "Northgate", 5), (4, "Mill Lane", 3)])\ncon.execute("create table loan(id integer primary key, branch_id int, kind text, days_out int, fine real)")\nrows = []\nfor i in range(900):\n    b = rng.choices([1, 2, 3, 4], [46, 24, 19, 11])[0]\n    k = rng.choices(["book", "dvd", "audiobook"], [70, 20, 10])[0]\n    d = max(1, int(rng.gauss(19, 8)))\n    rows.append((i + 1, b, k, d, round(max(0, d - 21) * 0.25, 2)))\ncon.executemany("insert into loan values (?,?,?,?,?)", rows)\nfor r in con.execute("""select name, count(*), round(avg(days_out),2), sum(fine) from loan join branch on branch.id = branch_id\n                        group by name order by 2 desc"""):\n    print(r)',
'print("name, late loans, share late, longest")\nfor r in con.execute("""select name, sum(days_out > 21), round(100.0*avg(days_out > 21),1), max(days_out)\n                        from loan join branch on branch.id=branch_id group by name order by 3 desc"""):\n    print(r)\nprint(con.execute("select count(*), sum(days_out>21), sum(fine), round(avg(fine),3) from loan").fetchone())',
'for r in con.execute("""select kind, count(*) n, sum(days_out>21) late, round(avg(days_out),1) days from loan group by kind order by n desc"""):\n    print(dict(zip(("kind", "n", "late", "days"), r)))\nfor r in con.execute("""select name, staff, round(1.0*count(*)/staff,1) from branch join loan on branch.id=branch_id group by name order by 3 desc"""):\n    print(r)',
    ],
    "answers": [
        ('summary of an analysis', 'Central is by far the busiest branch with 410 of the 900 loans (46 %), followed by Harbour (226), Northgate (167) and Mill Lane (97). Overall 306 loans, or 34 %, came back late, which brought in 437 in fines. The problem is worst at Mill Lane, where 40.2 % were late, and smallest at Northgate with 31.1 %.', [
            ('swapped entity', 'Harbour (226), Northgate (167)', 'Harbour (167), Northgate (226)', ['167', '226']),
            ('miscomputed derivation', '34 %', '44 %', '44'),
            ('wrong column', '437 in fines', '195.75 in fines', '195.75'),
            ('wrong column', 'Mill Lane, where 40.2 %', 'Mill Lane, where 39 %', '39'),
        ]),
        ('plain', 'Central lent out 410 items and collected 195.75 in fines.', [
            ('wrong column', '410 items', '138 items', '138'),
            ('digit', '195.75', '159.75'),
            ('swapped entity', '195.75', '107.00'),
        ]),
        ('derived', "Central's fines make up about 45 % of the total, and it had 61 more late loans than Harbour.", [
            ('miscomputed derivation', '45 %', '54 %', '54'),
            ('miscomputed derivation', '61 more', '71 more', '71'),
            ('sign or direction', '61 more late loans than', '61 fewer late loans than', '61'),
            ('number of something else', '61 more', '184 more', '184'),
        ]),
        ('list or table', 'Loans per staff member:\n- Harbour: 37.7\n- Northgate: 33.4\n- Mill Lane: 32.3\n- Central: 29.3', [
            ('swapped entity', 'Harbour: 37.7\n- Northgate: 33.4', 'Harbour: 33.4\n- Northgate: 37.7', ['33.4', '37.7']),
            ('wrong column', 'Central: 29.3', 'Central: 33.7', '33.7'),
            ('digit', '32.3', '23.3'),
        ]),
        ('plain', 'DVDs are kept 17.6 days on average, a bit shorter than books (18.3) and audiobooks (18.5).', [
            ('sign or direction', 'a bit shorter than books', 'a bit longer than books', ['17.6', '18.3']),
            ('wrong column', '17.6 days', '55 days', '55'),
            ('swapped entity', '(18.3) and audiobooks (18.5)', '(18.5) and audiobooks (18.3)', ['18.5', '18.3']),
        ]),
        ('counted', 'Books account for 641 loans, of which 219 were late, so roughly one in three.', [
            ('wrong column', 'of which 219', 'of which 422', '422'),
            ('swapped entity', '641', '166'),
            ('number of something else', '219 were', '306 were', '306'),
        ]),
        ('plain', 'The average fine is 0.49 per loan, or 1.43 per late loan.', [
            ('miscomputed derivation', '1.43', '1.34'),
            ('scale', '0.49', '4.86'),
            ('wrong statistic', '0.49', '0.34'),
        ]),
    ],
}
