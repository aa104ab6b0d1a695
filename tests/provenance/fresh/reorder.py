{
    "domain": "reorder",
    "question": "Which products should we reorder?",
    "cells": ['''
stock = [
    {"sku": "A100", "name": "Desk lamp", "on_hand": 14, "weekly": 9, "cost": 18.5},
    {"sku": "A200", "name": "Office chair", "on_hand": 41, "weekly": 6, "cost": 74.0},
    {"sku": "B310", "name": "Monitor arm", "on_hand": 5, "weekly": 7, "cost": 39.9},
    {"sku": "B320", "name": "Footrest", "on_hand": 66, "weekly": 3, "cost": 21.25},
    {"sku": "C400", "name": "Whiteboard", "on_hand": 8, "weekly": 2, "cost": 52.0},
]
for s in stock:
    s["weeks"] = round(s["on_hand"]/s["weekly"], 1)
    s["value"] = s["on_hand"]*s["cost"]
    print(f"{s['sku']} {s['name']}: {s['on_hand']} on hand, {s['weeks']} weeks, value {s['value']:.2f}")
low = [s for s in stock if s["weeks"] < 2]
print("reorder:", [s["sku"] for s in low])
print("stock value:", sum(s["value"] for s in stock))
order = {s["sku"]: s["weekly"]*6 - s["on_hand"] for s in low}
print(order)
'''],
    "answers": [
        ("summary of an analysis", "Two products have less than 2 weeks of stock: the desk lamp (14 on hand, 1.6 weeks) and the monitor arm (5 on hand, 0.7 weeks). I suggest ordering 40 lamps and 37 monitor arms. The whole stock is worth 5,311.00.", [
            ("swapped entity", "40 lamps and 37 monitor arms", "37 lamps and 40 monitor arms", ["37", "40"]),
            ("wrong column", "(14 on hand, 1.6 weeks)", "(9 on hand, 1.6 weeks)", "9"),
            ("swapped entity", "5 on hand, 0.7", "8 on hand, 0.7", "8"),
            ("digit", "5,311.00", "5,113.00")]),
        ("plain", "The office chairs tie up most capital, 3,034.00, followed by the footrests with 1,402.50.", [
            ("swapped entity", "3,034.00, followed by the footrests with 1,402.50", "1,402.50, followed by the footrests with 3,034.00", ["1,402.50", "3,034.00"])]),
        ("percent", "Office chairs account for 57.1 % of the stock value.", [
            ("miscomputed derivation", "57.1 %", "51.7 %"),
            ("swapped entity", "Office chairs", "Footrests", "57.1 %")]),
        ("plain", "Footrests would last another 22 weeks.", [
            ("swapped entity", "22", "4")]),
        ("derived", "Altogether 134 pieces are on hand.", [
            ("miscomputed derivation", "134", "143")]),
        ("small integers", "2 of the 5 products must be reordered.", [
            ("digit", "2 of", "3 of", "3")]),
    ],
}
