{
    "domain": "farm yields",
    "question": "How did the fields do this harvest? Compare yields per hectare and the margins.",
    "cells": [
r"""
import pandas as pd
f = pd.DataFrame([("Long Acre", "wheat", 14.2, 116.4, 212), ("Mill Field", "wheat", 9.6, 72.0, 212), ("Hollow", "barley", 11.5, 75.9, 188),
                  ("Top Forty", "barley", 16.2, 110.2, 188), ("Chapel", "rape", 8.8, 29.0, 436), ("Withy", "rape", 6.4, 19.2, 436),
                  ("Drove", "beans", 7.3, 27.7, 241)], columns=["field", "crop", "ha", "tonnes", "price"])
cost = {"wheat": 985, "barley": 810, "rape": 905, "beans": 560}
f["t_ha"] = (f.tonnes / f.ha).round(2)
f["income"] = (f.tonnes * f.price).round(0).astype(int)
f["cost"] = (f.ha * f.crop.map(cost)).round(0).astype(int)
f["margin"] = f.income - f.cost
f["margin_ha"] = (f.margin / f.ha).round(0).astype(int)
print(f)
""",
r"""
g = f.groupby("crop")[["ha", "tonnes", "income", "cost", "margin"]].sum()
g["t_ha"] = (g.tonnes / g.ha).round(2)
g["margin_ha"] = (g.margin / g.ha).round(1)
print(g.sort_values("margin_ha", ascending=False))
print("soil organic matter 3.9%, season rainfall 611 mm")
print("farm:", round(f.ha.sum(), 1), "ha,", round(f.tonnes.sum(), 1), "t, income", f.income.sum(), "cost", f.cost.sum(), "margin", f.margin.sum())
""",
r"""
last = {"wheat": 7.41, "barley": 6.92, "rape": 3.44, "beans": 3.61}
for c in g.index:
    print(f"{c:8s} {last[c]:.2f} -> {g.t_ha[c]:.2f}  {100 * (g.t_ha[c] / last[c] - 1):+.1f}%")
"""],
    "answers": [
        ("plain", "Wheat did best: 7.92 t/ha, up 6.9% on last year, and the top margin_ha of 693.", [
            ("sign or direction", "up 6.9%", "down 6.9%", "6.9%"),
            ("swapped entity", "693", "478"),
            ("digit", "7.92", "7.29"),
        ]),
        ("percent", "Rape was the disappointment, 3.17 t/ha after 3.44, so a drop of 7.8%.", [
            ("swapped entity", "3.17 t/ha after 3.44", "3.44 t/ha after 3.17", ["3.44", "3.17"]),
            ("digit", "7.8%", "8.7%"),
        ]),
        ("scale words", "The farm cleared 38.9k on an income of about 102.6k.", [
            ("wrong column", "38.9k", "63.7k"),
            ("scale", "102.6k", "1.026M"),
        ]),
        ("derived", "Wheat delivers 42% of the total margin from 32% of the land.", [
            ("miscomputed derivation", "42%", "24%"),
            ("swapped entity", "32%", "37%"),
        ]),
        ("derived", "Long Acre yielded 8.2 t/ha against 7.5 on Mill Field, some 0.7 t more per hectare.", [
            ("swapped entity", "8.2 t/ha against 7.5 on", "7.5 t/ha against 8.2 on", ["7.5", "8.2"]),
            ("miscomputed derivation", "0.7", "1.7"),
        ]),
        ("list or table", "Margin per hectare:\n1. wheat – 693.2\n2. rape – 477.6\n3. barley – 453.1\n4. beans – 354.5", [
            ("swapped entity", "rape – 477.6\n3. barley – 453.1", "rape – 453.1\n3. barley – 477.6", ["453.1", "477.6"]),
            ("digit", "354.5", "345.5"),
            ("invented", "4. beans – 354.5", "4. beans – 354.5\n5. oats – 288.9", "288.9"),
        ]),
        ("units or currency", "Averaged over all 74 ha the margin is 526 per hectare.", [
            ("wrong statistic", "526", "495"),
            ("typed literal", "per hectare.", "per hectare, in a season with 611 mm of rain.", "611"),
            ("typed literal", "per hectare.", "per hectare; soil organic matter is at 3.9%.", "3.9%"),
        ]),
    ],
}
