{
    "domain": 'shop inventory',
    "question": 'Need a May sales summary per SKU and what to reorder (top up to twice the reorder level). I have 3000 EUR for purchasing this month, is that enough?',
    "cells": [r'''import sqlite3

con = sqlite3.connect(":memory:")
con.executescript("""
create table item(sku text primary key, name text, on_hand int, reorder_at int, unit_cost real);
create table sale(sku text, qty int, sold_on text);
create table promo(sku text, label text);
""")
items = [("P-100", "Trail mug", 148, 60, 4.35), ("P-104", "Head torch", 22, 40, 11.90), ("P-110", "Dry bag 10L", 75, 50, 7.25),
         ("P-112", "Dry bag 20L", 31, 50, 9.80), ("P-121", "Camp stove", 9, 15, 38.40), ("P-130", "Gas 230g", 412, 200, 3.15),
         ("P-133", "Fire steel", 64, 25, 5.60), ("P-140", "Tarp 3x3", 0, 12, 27.50), ("P-151", "Mat short", 18, 18, 21.00)]
con.executemany("insert into item values (?,?,?,?,?)", items)
sales = [("P-100", 37, "2024-05-02"), ("P-100", 41, "2024-05-16"), ("P-104", 18, "2024-05-03"), ("P-104", 26, "2024-05-20"),
         ("P-110", 12, "2024-05-09"), ("P-112", 29, "2024-05-11"), ("P-112", 15, "2024-05-27"), ("P-121", 6, "2024-05-14"),
         ("P-130", 160, "2024-05-06"), ("P-130", 95, "2024-05-22"), ("P-133", 8, "2024-05-18"), ("P-140", 12, "2024-05-10"),
         ("P-151", 7, "2024-05-25")]
con.executemany("insert into sale values (?,?,?)", sales)
con.executemany("insert into promo values (?,?)", [("P-100", "spring"), ("P-100", "bundle"), ("P-130", "spring"), ("P-130", "bundle"),
                                                   ("P-112", "spring")])
q = """select i.sku, i.name, sum(s.qty) sold, round(sum(s.qty * i.unit_cost), 2) cogs
from item i join sale s using(sku) left join promo p using(sku)
group by i.sku order by sold desc"""
for r in con.execute(q):
    print(r)''',
r'''# The join with promo multiplies rows for items with two promos. Drop it.
q = """select i.sku, i.name, sum(s.qty) sold, round(sum(s.qty * i.unit_cost), 2) cogs
from item i join sale s using(sku) group by i.sku order by sold desc"""
rows = con.execute(q).fetchall()
for r in rows:
    print(r)
print(sum(r[2] for r in rows), round(sum(r[3] for r in rows), 2))''',
r'''low = con.execute("""select sku, name, on_hand, reorder_at, 2 * reorder_at - on_hand, round((2 * reorder_at - on_hand) * unit_cost, 2)
from item where on_hand < reorder_at order by sku""").fetchall()
for r in low:
    print(*r, sep=" | ")
print(len(low), round(sum(r[-1] for r in low), 2))
con.execute("select count(*), sum(on_hand), round(sum(on_hand * unit_cost), 2) from item").fetchone()'''],
    "answers": [
        ('summary of an analysis', 'In May you sold 466 units at a cost of goods of €2,936.55. Gas 230g was the best seller with 255 units, followed by the Trail mug with 78. Four of your nine items are below their reorder level (Head torch, Dry bag 20L, Camp stove and Tarp 3x3), and topping them up to twice that level costs €2,832.80. So your €3,000 is enough, with €167.20 to spare.', [
            ('stale value', 'with 255 units', 'with 510 units', '510'),
            ('stale value', 'with 78', 'with 156', '156'),
            ('question number given as result', 'costs €2,832.80', 'costs €3,000.00', '€3,000.00'),
            ('miscomputed derivation', '€167.20', '€176.20'),
        ]),
        ('plain', 'Yes. The reorder comes to 2,832.80 EUR, just within the 3,000 EUR you have.', [
            ('digit', '2,832.80', '2,382.80'),
            ('number of something else', '2,832.80', '2,936.55'),
        ]),
        ('list or table', 'What to order:\n\n| SKU | Item | In stock | Order | Cost |\n|---|---|---|---|---|\n| P-104 | Head torch | 22 | 58 | €690.20 |\n| P-112 | Dry bag 20L | 31 | 69 | €676.20 |\n| P-121 | Camp stove | 9 | 21 | €806.40 |\n| P-140 | Tarp 3x3 | 0 | 24 | €660.00 |\n\nThat is 172 pieces altogether.', [
            ('wrong column', '| 22 | 58 |', '| 22 | 40 |', '22 | 40'),
            ('swapped entity', '58 | €690.20 |\n| P-112 | Dry bag 20L | 31 | 69 | €676.20', '58 | €676.20 |\n| P-112 | Dry bag 20L | 31 | 69 | €690.20', ['€676.20', '€690.20']),
            ('miscomputed derivation', '172 pieces', '162 pieces', '162'),
            ('digit', '€806.40', '€860.40'),
        ]),
        ('derived', 'Gas canisters account for 55 % of the units sold in May but only 27 % of the cost of goods (€803.25). My first query double-counted items with two promotions, which had inflated the total to 799 units.', [
            ('miscomputed derivation', '55 %', '64 %'),
            ('stale value', '€803.25', '€1,606.50'),
            ('digit', '799 units', '779 units', '779'),
        ]),
        ('small integers', 'Four SKUs are under their reorder point, and one of them, the tarp, is completely sold out (0 left, 12 sold in May). The Mat short sits exactly at its level of 18, so I did not include it.', [
            ('swapped entity', 'level of 18', 'level of 15', '15'),
            ('number of something else', '12 sold', '24 sold', '24'),
            ('digit', '0 left', '2 left', '2 left'),
        ]),
        ('units or currency', 'Your stock on hand is 779 units worth €4,132.95 at cost, an average of €5.31 per unit. The gas alone is 412 of those units.', [
            ('number of something else', '779 units', '799 units', '799'),
            ('miscomputed derivation', '€5.31', '€6.30'),
            ('digit', '€4,132.95', '€4,123.95'),
            ('wrong column', '412 of', '255 of', '255'),
        ]),
        ('fractions in words', 'More than a quarter of the purchasing budget goes into the camp stoves: 21 of them at €38.40 make €806.40.', [
            ('digit', '€38.40', '€34.80'),
            ('swapped entity', '21 of them', '24 of them', '24'),
            ('miscomputed derivation', '€806.40', '€921.60'),
        ]),
    ],
}
