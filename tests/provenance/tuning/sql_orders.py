{
    "domain": "order database",
    "question": "Top customers and late shipments, please.",
    "cells": ['''
import sqlite3
import random

random.seed(99)
db = sqlite3.connect(":memory:")
db.executescript("create table customers (id integer, name text); create table orders (id integer, customer integer, amount real, late integer);")
names = ["Abbott", "Bertram", "Castell", "Dorn", "Ekberg", "Faber"]
db.executemany("insert into customers values (?, ?)", list(enumerate(names)))
db.executemany("insert into orders values (?, ?, ?, ?)",
               [(i, random.choices(range(6), [9, 7, 5, 4, 3, 2])[0], round(random.lognormvariate(4.6, 0.7), 2), random.random() < 0.11) for i in range(640)])
query = """select name, count(*) orders, round(sum(amount), 2) total, round(avg(amount), 2) average, sum(late) late
from orders join customers on customers.id = customer group by name order by total desc"""
for row in db.execute(query):
    print("%-8s %4d %10.2f %8.2f %3d" % row)
''', '''
count, total, late = db.execute("select count(*), round(sum(amount), 2), sum(late) from orders").fetchone()
print("orders:", count, "amount:", total, "late:", late)
print("above 200:", db.execute("select count(*) from orders where amount > 200").fetchone()[0])
'''],
    "answers": [
        ("plain", "Abbott is the top customer: 199 orders worth 24,050.65.", [
            ("swapped entity", "Abbott", "Bertram", ["199", "24,050.65"]),
            ("digit", "24,050.65", "24,500.65"),
            ("wrong column", "199 orders", "28 orders", "28")]),
        ("derived", "Abbott accounts for 30.7 % of the amount, 4,522.42 more than Bertram.", [
            ("miscomputed derivation", "30.7 %", "37.0 %"),
            ("miscomputed derivation", "4,522.42", "4,252.42")]),
        ("plain", "76 of 640 shipments were late.", [
            ("number of something else", "76 of 640", "88 of 640", "88"),
            ("digit", "640", "460")]),
        ("percent", "That is a late rate of 11.9 %.", [
            ("miscomputed derivation", "11.9 %", "19.1 %")]),
        ("plain", "Faber has the highest average order (129.33) although it ordered least, 49 times.", [
            ("swapped entity", "Faber has the highest average order", "Dorn has the highest average order", ["129.33", "49 times"]),
            ("wrong statistic", "average order (129.33)", "average order (6,337.02)", "6,337.02")]),
        ("inequalities", "88 orders were above 200.", [
            ("number of something else", "88 orders", "76 orders"),
            ("invented", "88 orders", "93 orders")]),
        ("list or table", "1. Abbott: 24,050.65\n2. Bertram: 19,528.23\n3. Castell: 12,745.15", [
            ("swapped entity", "2. Bertram: 19,528.23\n3. Castell: 12,745.15", "2. Castell: 19,528.23\n3. Bertram: 12,745.15", ["19,528.23", "12,745.15"]),
            ("digit", "12,745.15", "12,754.15")]),
    ],
}
