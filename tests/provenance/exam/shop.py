{
    "domain": "flower shop",
    "question": "i run a small flower shop, these are last week's numbers (bought, sold, cost and price per stem). where do i actually make money and how much do i throw away? i feel like it's about 30% waste",
    "cells": [
r"""# week of 3 March, prices incl. VAT
stock = {
    "tulips":      {"bought": 240, "sold": 212, "cost": 0.45, "price": 1.20},
    "roses":       {"bought": 180, "sold": 131, "cost": 1.10, "price": 2.90},
    "ranunculus":  {"bought": 90,  "sold": 84,  "cost": 0.80, "price": 2.20},
    "eucalyptus":  {"bought": 60,  "sold": 37,  "cost": 0.65, "price": 1.80},
    "potted herbs":{"bought": 75,  "sold": 70,  "cost": 1.35, "price": 3.50},
    "lilies":      {"bought": 50,  "sold": 22,  "cost": 1.60, "price": 4.20},
}
total_rev = total_cost = total_waste = 0
for name, s in stock.items():
    rev = s["sold"] * s["price"]
    cost = s["bought"] * s["cost"]
    left = s["bought"] - s["sold"]
    waste = left * s["cost"]
    total_rev += rev; total_cost += cost; total_waste += waste
    print(f"{name}: revenue €{rev:.2f}, cost €{cost:.2f}, profit €{rev - cost:.2f}, thrown away {left} ({left / s['bought']:.1%}), worth €{waste:.2f}")
print()
print(f"TOTAL revenue €{total_rev:.2f}  cost €{total_cost:.2f}  profit €{total_rev - total_cost:.2f}  waste €{total_waste:.2f}")"""],
    "answers": [
        ("summary of an analysis", "You made **€624.85** profit on €1,223.10 of sales last week. Roses brought in the most (€181.90), followed by tulips (€146.40) and potted herbs (€143.75). Lilies barely paid for themselves: €12.40 profit, with more than half of the stems (56%) in the bin.", [
            ("digit", "€624.85", "€642.85", "642.85"),
            ("swapped entity", "potted herbs (€143.75)", "potted herbs (€112.80)", "112.80"),
            ("wrong column", "(€181.90)", "(€379.90)", "379.90"),
        ]),
        ("derived", "Your feeling is a bit high: of the 695 stems and pots you bought, 556 were sold and 139 thrown away, so waste is 20%, not 30%.", [
            ("miscomputed derivation", "waste is 20%", "waste is 25%", "25%"),
            ("digit", "and 139 thrown", "and 149 thrown", "149"),
            ("question number given as result", "so waste is 20%, not 30%", "so waste is indeed 30%", "30%"),
        ]),
        ("percent", "Roses and lilies together account for €98.70 of the €137.80 you threw away, i.e. about 72% of the waste by value.", [
            ("miscomputed derivation", "about 72%", "about 62%", "62%"),
            ("wrong column", "€137.80", "€598.25", "598.25"),
        ]),
        ("list or table", "| Product | Profit | Thrown away |\n|---|---|---|\n| Roses | €181.90 | 49 (27.2%) |\n| Tulips | €146.40 | 28 (11.7%) |\n| Potted herbs | €143.75 | 5 (6.7%) |\n| Ranunculus | €112.80 | 6 (6.7%) |\n| Eucalyptus | €27.60 | 23 (38.3%) |\n| Lilies | €12.40 | 28 (56.0%) |", [
            ("swapped entity", "| Eucalyptus | €27.60 |", "| Eucalyptus | €12.60 |", "12.60"),
            ("digit", "49 (27.2%)", "49 (22.7%)", "22.7%"),
            ("wrong column", "| Ranunculus | €112.80 |", "| Ranunculus | €184.80 |", "184.80"),
        ]),
        ("counted", "Two of your six products, eucalyptus and lilies, lose more than a third of what you buy; the other four stay below 30%.", [
            ("number of something else", "the other four stay below 30%", "the other four stay below 10%", "10%"),
        ]),
        ("derived", "If you had bought only the 22 lilies you sold, they would have earned €57.20 instead of €12.40: each one costs you €1.60 and sells for €4.20.", [
            ("miscomputed derivation", "€57.20", "€92.40", "92.40"),
            ("wrong column", "sells for €4.20", "sells for €2.90", "2.90"),
        ]),
        ("fractions in words", "A fifth of everything you bought was thrown away, and roughly 23 cents of every euro you spent on stock went with it. Profit was 51% of revenue.", [
            ("miscomputed derivation", "51% of revenue", "61% of revenue", "61%"),
            ("number of something else", "roughly 23 cents", "roughly 38 cents", "38 cents"),
        ]),
    ],
}
