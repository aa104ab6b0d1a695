{
    "domain": "restaurant",
    "question": "Look at the 60 bills of Friday: what do guests spend and tip?",
    "cells": ['''
import random
import statistics

random.seed(11)
bills = []
for number in range(60):
    guests = random.choice([1, 2, 2, 2, 3, 4, 4, 6])
    bill = round(sum(14 + 20 * random.random() for _ in range(guests)), 2)
    tip = round(bill * random.choice([0, 0.05, 0.1, 0.1, 0.12, 0.15]), 2)
    bills.append((number + 1, guests, bill, tip))
amounts = [bill for _, _, bill, _ in bills]
print("bills", len(bills))
print("guests", sum(guests for _, guests, _, _ in bills))
print("turnover", round(sum(amounts), 2))
print("mean bill", round(statistics.mean(amounts), 2))
print("median bill", round(statistics.median(amounts), 2))
print("largest bill", max(amounts))
print("smallest bill", min(amounts))
''', '''
tips = [tip for *_, tip in bills]
print(f"tips: {sum(tips):.2f} EUR")
print(f"tip rate: {sum(tips) / sum(amounts) * 100:.1f} %")
print(f"bills without a tip: {tips.count(0)}")
'''],
    "answers": [
        ("summary of an analysis", "Friday in short: 60 bills for 202 guests brought in 4,766.18 EUR. The average bill was 79.44 EUR, the median 66.05, and guests left 426.31 EUR in tips, a rate of 8.9 %.", [
            ("wrong statistic", "The average bill was 79.44 EUR, the median 66.05", "The median bill was 79.44 EUR, the average 66.05", "79.44"),
            ("digit", "4,766.18", "4,756.18"),
            ("number of something else", "202 guests", "60 guests")]),
        ("derived", "Per guest that is about 23.59 EUR (4,766.18 / 202).", [
            ("miscomputed derivation", "23.59", "23.95")]),
        ("units or currency", "Bills ranged from €15.38 to €164.01.", [
            ("scale", "€164.01", "€1,640.10"),
            ("wrong statistic", "from €15.38 to €164.01", "from €66.05 to €164.01", "€66.05")]),
        ("small integers", "Only 9 tables left no tip at all.", [
            ("digit", "9 tables", "6 tables"),
            ("question number given as result", "Only 9 tables", "Some 60 tables", "60")]),
        ("percent", "Honestly, 8.9 percent is a rather modest tip rate.", [
            ("scale", "8.9 percent", "0.89 percent"),
            ("invented", "8.9 percent", "11.4 percent")]),
        ("inequalities", "Half of the bills are above 66.05 EUR, and none exceeds 165 EUR.", [
            ("wrong statistic", "Half of the bills are above 66.05", "Half of the bills are above 79.44", "79.44")]),
        ("derived", "Mean and median differ by 13.39 EUR, so a few large parties pull the average up.", [
            ("miscomputed derivation", "13.39", "15.39")]),
    ],
}
