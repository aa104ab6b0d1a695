{
    "domain": "coffee bar",
    "question": "What sells, and when?",
    "cells": ['''
import sqlite3
db = sqlite3.connect(":memory:")
db.execute("create table sales (drink text, daytime text, cups integer, price real)")
db.executemany("insert into sales values (?, ?, ?, ?)", [
    ("espresso", "morning", 214, 2.2), ("espresso", "afternoon", 131, 2.2), ("cappuccino", "morning", 388, 3.4),
    ("cappuccino", "afternoon", 172, 3.4), ("filter", "morning", 246, 2.6), ("filter", "afternoon", 98, 2.6),
    ("tea", "morning", 77, 2.9), ("tea", "afternoon", 119, 2.9)])
print("drink | cups | takings")
for row in db.execute("select drink, sum(cups), round(sum(cups * price), 2) from sales group by drink order by 3 desc"):
    print(*row, sep=" | ")
''', '''
for row in db.execute("select daytime, sum(cups), round(sum(cups * price), 2) from sales group by daytime"):
    print(*row, sep=" | ")
print("cups", db.execute("select sum(cups) from sales").fetchone()[0])
print("takings", db.execute("select round(sum(cups * price), 2) from sales").fetchone()[0])
'''],
    "answers": [
        ("plain", "Cappuccino leads with 560 cups and takings of 1,904.", [
            ("swapped entity", "Cappuccino leads", "Filter leads", ["560", "1,904"]),
            ("wrong column", "560 cups and takings of 1,904", "1,904 cups and takings of 560", ["1,904", "560"]),
            ("digit", "1,904", "1,940")]),
        ("plain", "In the morning you sell 925 cups, in the afternoon 520.", [
            ("swapped entity", "In the morning you sell 925 cups, in the afternoon 520", "In the morning you sell 520 cups, in the afternoon 925", ["520", "925"]),
            ("digit", "925", "952")]),
        ("percent", "Cappuccino makes 46.1 % of the takings, and 64 % of all cups are sold in the morning.", [
            ("miscomputed derivation", "46.1 %", "41.6 %"),
            ("miscomputed derivation", "64 %", "46 %"),
            ("swapped entity", "are sold in the morning", "are sold in the afternoon", "64 %")]),
        ("derived", "A cup brings 2.86 on average.", [
            ("miscomputed derivation", "2.86", "2.68"),
            ("invented", "2.86", "3.25")]),
        ("derived", "The morning earns 1,180 more than the afternoon.", [
            ("sign or direction", "1,180 more than", "1,180 less than", "1,180"),
            ("miscomputed derivation", "1,180", "1,810")]),
        ("list or table", "* cappuccino: 560 cups, 1,904.0\n* filter: 344 cups, 894.4\n* espresso: 345 cups, 759.0\n* tea: 196 cups, 568.4", [
            ("swapped entity", "espresso: 345 cups, 759.0", "espresso: 345 cups, 894.4", "345 cups, 894.4"),
            ("digit", "568.4", "586.4")]),
        ("counted", "You offer 4 drinks.", [
            ("number of something else", "4 drinks", "8 drinks")]),
    ],
}
