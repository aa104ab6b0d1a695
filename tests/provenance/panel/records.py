{
    "domain": "shop database",
    "question": "Which vinyl genres and customers bring the money in our record shop DB? Only paid orders from 2024.",
    "cells": [
r"""
import sqlite3, pandas as pd
con = sqlite3.connect(":memory:")
con.executescript('''
create table customer(id integer primary key, name text, city text);
insert into customer values (1,'Okafor','Ghent'),(2,'Lindqvist','Malmo'),(3,'Moreau','Lille'),(4,'Sato','Ghent'),(5,'Petrov','Varna');
create table item(id integer primary key, title text, genre text, price real);
insert into item values (1,'Blue Hours','jazz',24.5),(2,'Static Bloom','electronic',31.0),(3,'Low Tide','folk',18.9),
 (4,'Night Bus','electronic',27.5),(5,'Brass Letters','jazz',22.0),(6,'Paper Boats','folk',16.4);
create table ord(id integer primary key, cust int, item int, qty int, day text, status text);
insert into ord(cust,item,qty,day,status) values
 (1,2,3,'2024-01-15','paid'),(2,1,2,'2024-02-03','paid'),(3,3,5,'2024-02-19','paid'),(1,4,4,'2024-03-08','paid'),
 (4,5,1,'2024-03-30','cancelled'),(5,6,6,'2024-04-11','paid'),(2,2,2,'2024-05-05','paid'),(4,4,2,'2024-05-27','paid'),
 (3,1,1,'2024-06-14','paid'),(1,5,2,'2024-07-02','refunded'),(5,3,2,'2024-08-21','paid'),(2,6,1,'2024-09-09','paid'),
 (4,1,3,'2024-10-17','paid'),(1,3,1,'2024-11-23','paid'),(3,2,2,'2023-12-28','paid'),(5,4,1,'2024-12-06','paid');
''')
base = '''from ord o join item i on i.id=o.item join customer c on c.id=o.cust where o.status='paid' and o.day like '2024%' '''
print(pd.read_sql("select genre, count(*) orders, sum(qty) units, sum(qty*price) revenue " + base + "group by genre order by revenue desc", con))
print(pd.read_sql("select c.name, c.city, count(*) orders, sum(qty) units, round(sum(qty*price),2) revenue " + base + "group by c.id order by revenue desc", con))
""",
r"""
print(con.execute("select count(*), sum(qty), round(sum(qty*price),2), min(day), max(day) " + base).fetchone())
print(con.execute("select status, count(*) from ord group by status").fetchall())
"""],
    "answers": [
        ("plain", "Electronic brings in the most, 347.50 from 12 units, ahead of folk (266.00) and jazz (147.00).", [
            ("swapped entity", "folk (266.00) and jazz (147.00)", "folk (147.00) and jazz (266.00)", ["147.00", "266.00"]),
            ("wrong column", "12 units", "5 units", "5 units"),
            ("digit", "347.50", "374.50"),
        ]),
        ("percent", "Electronic accounts for 45.7% of the 760.50 total.", [
            ("wrong statistic", "45.7%", "36.4%"),
            ("digit", "760.50", "706.50"),
        ]),
        ("inequalities", "Okafor is the best customer with €221.90 (3 orders, 8 records); nobody else gets past €165.", [
            ("swapped entity", "221.90", "163.70"),
            ("number of something else", "past €165", "past €160", "160"),
            ("swapped entity", "8 records", "9 records"),
        ]),
        ("counted", "14 of the 16 orders are paid, but one of those is from 2023, which leaves 13.", [
            ("number of something else", "leaves 13", "leaves 15", "15"),
            ("digit", "16 orders", "18 orders", "18"),
        ]),
        ("derived", "Average order value: 58.50. Average price per record: 23.05.", [
            ("miscomputed derivation", "58.50", "54.32"),
            ("rounding", "23.05", "23.04"),
            ("scale", "58.50", "585.00"),
        ]),
        ("derived", "Thanks to Okafor and Sato, Ghent is your strongest city: together they spent 350.40, or 46% of revenue.", [
            ("miscomputed derivation", "350.40", "305.40"),
            ("miscomputed derivation", "46%", "64%"),
        ]),
        ("dates, versions, ordinals", "The first order that counts is from 15 January 2024, the last one from 6 December.", [
            ("digit", "6 December", "16 December", "16"),
            ("number of something else", "15 January", "3 February", "3"),
        ]),
    ],
}
