{
    "domain": 'web shop SQL',
    "question": 'Please run a few SQL queries on our orders: revenue per country, best products, and what changes once we exclude returned orders.',
    "cells": [
'import sqlite3, random\nr = random.Random(303)\ndb = sqlite3.connect(":memory:")\ndb.executescript("""create table product(id integer, name text, price real);\ncreate table orders(id integer, country text, product_id int, qty int, returned int);""")\nprods = [(1, "Kettle", 39.9), (2, "Toaster", 54.5), (3, "Mixer", 89.0), (4, "Scale", 24.9), (5, "Grinder", 119.0)]\ndb.executemany("insert into product values (?,?,?)", prods)\nfor i in range(600):\n    db.execute("insert into orders values (?,?,?,?,?)", (i, r.choices(["DE", "AT", "CH", "NL"], [55, 18, 15, 12])[0],\n        r.choices([1, 2, 3, 4, 5], [30, 22, 14, 24, 10])[0], r.choices([1, 2, 3], [75, 19, 6])[0], int(r.random() < 0.09)))\nq = """select country, count(*) orders, sum(qty) units, round(sum(qty*price),2) revenue\n       from orders join product p on p.id=product_id {} group by country order by revenue desc"""\ncur = db.execute(q.format(""))\nprint([c[0] for c in cur.description])\nfor row in cur: print(row)',
'for row in db.execute(q.format("where returned = 0")): print(row)\nprint("returned orders:", db.execute("select count(*) from orders where returned=1").fetchone()[0])\nprint("total before/after:", db.execute("""select round(sum(qty*price),2), round(sum(case when returned=0 then qty*price else 0 end),2)\n  from orders join product p on p.id=product_id""").fetchone())',
'print("net of returns, by product")\nfor row in db.execute("""select name, sum(q) units, round(sum(q*price),2) revenue, round(100.0*avg(returned),1) return_pct from\n  (select *, case when returned=0 then qty else 0 end as q from orders) join product p on p.id=product_id group by name order by revenue desc"""):\n    print(row)',
    ],
    "answers": [
        ('summary of an analysis', 'Before returns the shop took 42,986.40; without the 63 returned orders it is 37,899.60, so returns cost you 5,086.80 or 11.8 % of revenue. Germany remains the biggest market with 20,966.90, about 55 % of the total, ahead of Austria (7,536.50), Switzerland (5,157.50) and the Netherlands (4,238.70).', [
            ('stale value', 'with 20,966.90', 'with 23,672.80', '23,672.80'),
            ('stale value', '(7,536.50)', '(8,453.70)', '8,453.70'),
            ('miscomputed derivation', '11.8 %', '13.8 %', '13.8'),
            ('digit', '5,086.80', '5,806.80'),
        ]),
        ('plain', 'Net of returns, Austria comes to 7,536.50 from 99 orders.', [
            ('stale value', '7,536.50', '8,453.70'),
            ('stale value', '99 orders', '108 orders', '108'),
            ('wrong column', '99 orders', '135 orders', '135'),
            ('swapped entity', '7,536.50', '5,157.50'),
        ]),
        ('derived', 'Germany had 35 returned orders, that is 10.5 % of its 333.', [
            ('wrong column', '35 returned', '45 returned', '45'),
            ('number of something else', '35 returned', '63 returned', '63'),
            ('stale value', 'its 333', 'its 298', '298'),
            ('miscomputed derivation', '10.5', '15.0'),
        ]),
        ('plain', 'The grinder earns most, 8,925 after returns, but it also has the highest return rate: 15.9 %. The toaster is sent back least often, in 7.1 % of cases.', [
            ('swapped entity', '15.9', '11.8'),
            ('swapped entity', '8,925', '8,698'),
            ('digit', '8,925', '8,295'),
            ('swapped entity', 'in 7.1 %', 'in 9.2 %', '9.2'),
        ]),
        ('list or table', 'Revenue after returns:\n1. Grinder 8,925.00 (75 units)\n2. Kettle 8,698.20 (218 units)\n3. Mixer 8,544.00 (96 units)\n4. Toaster 7,848.00 (144 units)\n5. Scale 3,884.40 (156 units)', [
            ('swapped entity', '8,698.20 (218 units)\n3. Mixer 8,544.00 (96 units)', '8,698.20 (96 units)\n3. Mixer 8,544.00 (218 units)', ['96', '218']),
            ('digit', '(96 units)', '(66 units)', '66'),
            ('digit', '7,848.00', '7,484.00'),
            ('scale', '3,884.40', '38,844.00'),
        ]),
        ('derived', 'Excluding returns, the Netherlands lost 526.00 of revenue and eight orders, going from 68 to 60.', [
            ('miscomputed derivation', '526.00', '626.00'),
            ('wrong column', 'to 60', 'to 79', '79'),
            ('wrong column', 'from 68', 'from 89', '89'),
        ]),
        ('plain', 'In the first query Austria stood at 8,453.70 and Switzerland at 6,095.20; returns included.', [
            ('stale value', '8,453.70', '7,536.50'),
            ('swapped entity', '6,095.20', '4,764.70'),
            ('digit', '6,095.20', '6,905.20'),
        ]),
    ],
}
