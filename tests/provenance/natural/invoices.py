{
    "domain": 'invoices',
    "question": 'Which customers owe us most, and how old are the debts?',
    "cells": [
        r"""
import sqlite3
db = sqlite3.connect(":memory:")
db.execute("create table invoices (id integer, customer text, amount real, days_overdue integer, paid integer)")
rows = [(1, "Hansen", 1240.50, 12, 0), (2, "Lopez", 860.00, 0, 1), (3, "Okafor", 3175.25, 45, 0), (4, "Hansen", 410.00, 3, 0),
        (5, "Lindt", 2990.00, 95, 0), (6, "Okafor", 560.75, 61, 0), (7, "Lopez", 1320.40, 33, 0), (8, "Meyer", 75.90, 0, 1),
        (9, "Lindt", 640.10, 14, 0), (10, "Hansen", 2210.00, 0, 1), (11, "Meyer", 1875.00, 102, 0), (12, "Lopez", 99.99, 8, 0)]
db.executemany("insert into invoices values (?, ?, ?, ?, ?)", rows)
print(db.execute("select count(*), sum(amount) from invoices where paid = 0").fetchone())
for r in db.execute("select customer, count(*), round(sum(amount), 2), max(days_overdue) from invoices where paid = 0 group by customer order by 3 desc"):
    print(r)
""",
        r"""
for label, lo, hi in [("0-30", 0, 30), ("31-60", 31, 60), ("61-90", 61, 90), ("over 90", 91, 9999)]:
    n, s = db.execute("select count(*), coalesce(sum(amount), 0) from invoices where paid = 0 and days_overdue between ? and ?", (lo, hi)).fetchone()
    print(f"{label:>8} days: {n} invoices, {s:,.2f} EUR")
""",
    ],
    "answers": [
        ('plain', 'Nine invoices worth 12,311.99 EUR are unpaid.', [
            ('digit', '12,311.99', '12,131.99'),
        ]),
        ('plain', 'Okafor owes the most, 3,736.00 EUR, closely followed by Lindt with 3,630.10 EUR.', [
            ('swapped entity', '3,630.10', '1,875.00'),
            ('swapped entity', '3,736.00 EUR, closely followed by Lindt with 3,630.10', '3,630.10 EUR, closely followed by Lindt with 3,736.00', ['3,630.10', '3,736.00']),
        ]),
        ('plain', "The oldest debt is Meyer's: 102 days overdue.", [
            ('swapped entity', '102', '95'),
            ('digit', '102', '120'),
        ]),
        ('derived', 'Okafor and Lindt together account for 59.8 % of the outstanding amount.', [
            ('miscomputed derivation', '59.8 %', '58.9 %'),
        ]),
        ('list or table', '- 0-30 days: 2,390.59 EUR (4 invoices)\n- 31-60 days: 4,495.65 EUR (2)\n- 61-90 days: 560.75 EUR (1)\n- over 90 days: 4,865.00 EUR (2)', [
            ('digit', '560.75', '506.75'),
        ]),
        ('derived', 'Two invoices over 4,865 EUR in total are more than 90 days late, which is 39.5 % of what is owed.', [
            ('miscomputed derivation', '39.5 %', '35.9 %'),
            ('swapped entity', '4,865 EUR', '4,496 EUR'),
            ('digit', 'Two', '3', '3 invoices'),
        ]),
    ],
}
