{
"domain": "warehouse inventory",
"question": "Which product groups tie up the most capital and which are below their reorder level?",
"cells": [
r"""import sqlite3
con = sqlite3.connect(":memory:")
con.executescript('''create table item(sku text, grp text, qty int, cost real, reorder int);
insert into item values('A10','fasteners',5200,0.18,2000),('A11','fasteners',1450,0.32,1500),('A12','fasteners',8800,0.09,3000),
('B20','tools',140,42.5,60),('B21','tools',35,118.0,40),('B22','tools',96,27.9,50),
('C30','paint',310,16.4,120),('C31','paint',88,22.75,100),('C32','paint',205,19.2,80),
('D40','timber',620,8.6,300),('D41','timber',270,14.1,300),('D42','timber',415,11.3,200);''')
for r in con.execute("select grp, count(*), sum(qty), round(sum(qty*cost),2) v from item group by grp order by v desc"):
    print(r)
print(con.execute("select round(sum(qty*cost),2) from item").fetchone())""",
r"""for r in con.execute("select sku, grp, qty, reorder, reorder-qty short from item where qty < reorder order by short desc"):
    print(r)""",
],
"answers": [
("derived", "Timber (13,828.50) and tools (12,758.40): together two thirds of the 39,800.90 in stock.", [
    ("swapped entity", "Timber (13,828.50) and tools (12,758.40)", "Tools (13,828.50) and timber (12,758.40)", ["13,828.50", "12,758.40"]),
    ("digit", "39,800.90", "38,900.90"),
    ("swapped entity", "(12,758.40)", "(11,022.00)", "11,022.00"),
]),
("counted", "Four of the twelve items are below reorder level. The largest gap is A11, which is 50 pieces short.", [
    ("swapped entity", "50 pieces", "30 pieces", "30"),
    ("sign or direction", "50 pieces short", "50 pieces over", "50"),
]),
("derived", "Timber is worth 1,070.10 more than tools, and 35% of all the capital.", [
    ("miscomputed derivation", "1,070.10", "1,170.10"),
    ("sign or direction", "1,070.10 more than", "1,070.10 less than", "1,070.10"),
    ("miscomputed derivation", "35%", "32%", "32"),
]),
("summary of an analysis", "Stock is worth about 39,800 in total. Timber ties up 34.7% of it, tools 32.1% and paint 27.7%; fasteners come to just 5.5%, although they make up 15,450 of the 17,629 pieces, or 88%. Per piece a tool is worth 47.08 on average, a fastener 14 cents. Timber beats paint by 2,806.50. To bring all four short items back to their reorder level you'd need 97 pieces, more than half of them A11.", [
    ("miscomputed derivation", "88%", "82%", "82"),
    ("swapped entity", "tools 32.1% and paint 27.7%", "paint 32.1% and tools 27.7%", ["32.1", "27.7"]),
    ("sign or direction", "Timber beats paint by 2,806.50", "Paint beats timber by 2,806.50", "2,806.50"),
    ("miscomputed derivation", "97 pieces", "107 pieces", "107"),
]),
("list or table", '''| Group | Value | Share | Value per piece |
|---|---|---|---|
| Timber | 13,828.50 | 34.7% | 10.60 |
| Tools | 12,758.40 | 32.1% | 47.08 |
| Paint | 11,022.00 | 27.7% | 18.28 |
| Fasteners | 2,192.00 | 5.5% | 0.14 |

Without fasteners the stock would still be worth 37,608.90.''', [
    ("miscomputed derivation", "37,608.90", "38,608.90"),
    ("miscomputed derivation", "47.08", "74.08"),
    ("miscomputed derivation", "27.7%", "23.7%", "23.7"),
    ("scale", "0.14", "1.42"),
]),
("derived", "B21 lacks 5 units, C31 lacks 12 and D41 lacks 30, so 47 without the fasteners item.", [
    ("miscomputed derivation", "47 without", "57 without", "57"),
    ("swapped entity", "C31 lacks 12 and D41 lacks 30", "C31 lacks 30 and D41 lacks 12", ["30", "12"]),
    ("wrong column", "D41 lacks 30", "D41 lacks 300", "300"),
]),
]
}
