{
    "domain": "coffee roasting",
    "question": "I roasted 4 batches of 12 kg green. What's the weight loss and my cost per kg of roasted coffee? Green prices are in the list, energy 0.85 per kg green.",
    "cells": [
r"""batches = [["Sidamo", 12.0, 10.14, 7.90], ["Huila", 12.0, 10.32, 6.75], ["Mogiana", 12.0, 9.39, 5.40], ["Mandheling", 12.0, 10.02, 8.20]]
def table():
    return [(n, round(100 * (1 - r / g), 1), round(g * (p + 0.85) / r, 2)) for n, g, r, p in batches]
def total():
    g = sum(b[1] for b in batches); r = sum(b[2] for b in batches)
    cost = sum(b[1] * (b[3] + 0.85) for b in batches)
    return {"green": g, "roasted": round(r, 2), "loss": round(g - r, 2), "cost": round(cost, 2), "per_kg": round(cost / r, 2)}
print(total())
table()""",
r"""batches[2][2] = 9.93     # typo in the list: the 9.39 would be a loss of more than 20 %
print(total())
table()""",
r"""print("bags of 250 g:", int(total()["roasted"] / 0.25))"""],
    "answers": [
        ("units or currency", "Your cost is 9.40 per kg of roasted coffee.", [
            ("stale value", "9.40", "9.53"),
            ("question number given as result", "9.40", "0.85"),
        ]),
        ("percent", "You lost 7.59 of 48 kg, that is 15.8%.", [
            ("stale value", "7.59", "8.13"),
            ("miscomputed derivation", "15.8%", "18.8%"),
        ]),
        ("plain", "Mogiana lost the most, 17.2%, and is still the cheapest at 7.55 per kg.", [
            ("stale value", "17.2%", "21.7%"),
            ("typed literal", "7.55", "5.40"),
        ]),
        ("counted", "The 40.41 kg fill 161 bags of 250 g.", [
            ("stale value", "40.41", "39.87"),
            ("scale", "161 bags", "1,610 bags", "1,610"),
        ]),
        ("inequalities", "Two coffees cost more than 10 per kg: Sidamo (10.36) and Mandheling (10.84).", [
            ("swapped entity", "Sidamo (10.36) and Mandheling (10.84)", "Sidamo (10.84) and Mandheling (10.36)", ["10.84", "10.36"]),
            ("wrong column", "10.36", "15.5"),
        ]),
        ("fractions in words", "Roughly a sixth of the green weight goes up the chimney, least for Huila with 14.0%.", [
            ("question number given as result", "14.0%", "12%"),
            ("typed literal", "14.0%", "6.75%"),
        ]),
        ("small integers", "4 batches of 12 kg, 379.80 in total for green coffee and energy.", [
            ("number of something else", "379.80", "161"),
            ("digit", "379.80", "397.80"),
        ]),
        ("derived", "The coffee in a 250 g bag costs you 2.35.", [
            ("miscomputed derivation", "2.35", "2.75"),
        ]),
    ],
}
