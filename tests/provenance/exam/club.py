{
    "domain": "sports club accounts",
    "question": "I'm treasurer of our volleyball club. Can you run through the 2024 cash book (opening balance 1,874.31) and give me the figures for the general meeting?",
    "cells": [
r'''import csv, io
from decimal import Decimal
from collections import defaultdict

ledger = """date;what;category;amount
2024-01-08;Opening transfer;fees;0.00
2024-01-15;Membership fees (34 x 60);fees;2040.00
2024-01-20;Hall rent Q1;rent;-690.00
2024-02-03;New balls;equipment;-186.40
2024-02-17;Donation Bakery Huber;donations;250.00
2024-03-09;Referee course;training;-320.00
2024-04-12;Hall rent Q2;rent;-690.00
2024-05-04;Spring fair cake stand;events;612.75
2024-05-06;Spring fair supplies;events;-148.20
2024-06-22;Late fees (5 x 60);fees;300.00
2024-07-10;Hall rent Q3;rent;-690.00
2024-08-31;Kit printing;equipment;-455.90
2024-09-14;Town subsidy;donations;800.00
2024-10-11;Hall rent Q4;rent;-735.00
2024-11-23;Tournament entry fees;events;540.00
2024-11-24;Tournament prizes;events;-233.15
2024-12-14;Christmas dinner;events;-389.60
2024-12-30;Bank charges;admin;-47.88
"""
rows = list(csv.DictReader(io.StringIO(ledger), delimiter=";"))
balance = Decimal("1874.31")
sums = defaultdict(Decimal)
low = (None, balance)
for r in rows:
    a = Decimal(r["amount"])
    balance += a
    sums[r["category"]] += a
    if balance < low[1]:
        low = (r["date"], balance)
    print(f"{r['date']}  {r['what']:<28}{a:>10}{balance:>10}")''',
r"""income = sum(Decimal(r["amount"]) for r in rows if Decimal(r["amount"]) > 0)
spent = -sum(Decimal(r["amount"]) for r in rows if Decimal(r["amount"]) < 0)
print("income ", income)
print("spent  ", spent)
print("result ", income - spent)
print("closing", balance)
print("lowest ", low)
for k, v in sorted(sums.items(), key=lambda kv: kv[1]):
    print(f"{k:<10} {v:>9}")"""],
    "answers": [
        ("summary of an analysis", "In 2024 the club took in €4,542.75 and spent €4,586.13, which leaves a small deficit of €43.38. The account went from €1,874.31 to €1,830.93.", [
            ("sign or direction", "a small deficit of €43.38", "a small surplus of €43.38", "43.38"),
            ("digit", "€4,586.13", "€4,568.13", "4,568.13"),
            ("stale value", "to €1,830.93", "to €1,878.81", "1,878.81"),
        ]),
        ("list or table", "Net result by category:\n- Fees: +€2,340.00\n- Donations: +€1,050.00\n- Events: +€381.80\n- Admin: −€47.88\n- Training: −€320.00\n- Equipment: −€642.30\n- Rent: −€2,805.00", [
            ("swapped entity", "Admin: −€47.88\n- Training: −€320.00", "Admin: −€320.00\n- Training: −€47.88", ["320.00", "47.88"]),
            ("sign or direction", "Events: +€381.80", "Events: −€381.80", "381.80"),
            ("digit", "−€2,805.00", "−€2,850.00", "2,850.00"),
        ]),
        ("percent", "Hall rent is by far the biggest item: €2,805, or 61 % of all spending. The last instalment was €735 instead of €690, an increase of 6.5 %.", [
            ("miscomputed derivation", "or 61 % of", "or 51 % of", "51 %"),
            ("miscomputed derivation", "an increase of 6.5 %", "an increase of 4.5 %", "4.5 %"),
        ]),
        ("derived", "The spring fair earned €464.55 after costs and the tournament €306.85, but the Christmas dinner took €389.60 of that again.", [
            ("miscomputed derivation", "€306.85", "€316.85", "316.85"),
            ("number of something else", "€464.55", "€612.75", "612.75"),
            ("digit", "€389.60", "€398.60", "398.60"),
        ]),
        ("counted", "39 members paid the 60-euro fee, 34 of them on time and 5 late, for a total of €2,340.", [
            ("miscomputed derivation", "39 members", "38 members", "38"),
            ("wrong statistic", "total of €2,340", "total of €2,040", "2,040"),
        ]),
        ("dates, versions, ordinals", "The balance was highest on 15 January 2024 at €3,914.31 and lowest on 30 December at €1,830.93.", [
            ("digit", "€3,914.31", "€3,194.31", "3,194.31"),
            ("swapped entity", "€1,830.93", "€1,896.56", "1,896.56"),
            ("invented", "30 December", "31 August", "31 August"),
        ]),
        ("derived", "Without the town's €800 subsidy the year would have ended with a deficit of €843.38.", [
            ("miscomputed derivation", "€843.38", "€756.62", "756.62"),
        ]),
    ],
}
