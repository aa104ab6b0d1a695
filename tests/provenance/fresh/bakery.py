{
    "domain": "bakery",
    "question": "Which product earns the most and which day is the busiest?",
    "cells": ['''
sales = [("croissant", 2.4, [120, 135, 128, 140, 155, 210, 198]),
         ("baguette", 1.9, [310, 295, 305, 320, 342, 401, 376]),
         ("tart", 4.8, [24, 19, 27, 22, 35, 58, 61])]
days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
total = 0
for name, price, units in sales:
    revenue = price * sum(units)
    total += revenue
    print(f"{name}: {sum(units)} units, revenue {revenue:.2f}, best day {days[units.index(max(units))]} ({max(units)})")
print(f"total revenue {total:.2f}")
''', '''
per_day = [sum(u[i] for _, _, u in sales) for i in range(7)]
print(dict(zip(days, per_day)))
print("average units per day:", round(sum(per_day) / 7, 1))
'''],
    "answers": [
        ("plain", "Baguettes earn the most: 4,463.10 from 2,349 units, which is more than half of the total of 8,250.30.", [
            ("swapped entity", "4,463.10", "2,606.40"),
            ("wrong statistic", "the total of 8,250.30", "the total of 4,463.01", "4,463.01"),
            ("digit", "2,349", "2,439")]),
        ("plain", "Saturday is the busiest day with 669 items, Tuesday the quietest with 449.", [
            ("swapped entity", "with 669 items, Tuesday the quietest with 449", "with 449 items, Tuesday the quietest with 669", ["449", "669"]),
            ("digit", "669", "696")]),
        ("derived", "Baguettes account for 54.1 % of revenue, tarts for 14.3 %.", [
            ("miscomputed derivation", "54.1 %", "51.4 %"),
            ("swapped entity", "54.1 % of revenue, tarts for 14.3 %", "14.3 % of revenue, tarts for 54.1 %", ["14.3 %", "54.1 %"])]),
        ("plain", "On average 525.9 items are sold per day.", [
            ("wrong statistic", "525.9", "482"),
            ("digit", "525.9", "529.5")]),
        ("derived", "At the weekend 1,304 items were sold, 35.4 % of the week.", [
            ("miscomputed derivation", "1,304", "1,340"),
            ("miscomputed derivation", "35.4 %", "34.5 %")]),
        ("plain", "Tarts sell best on Sunday (61 pieces), croissants on Saturday (210).", [
            ("swapped entity", "(61 pieces), croissants on Saturday (210)", "(210 pieces), croissants on Saturday (61)", ["210", "61"])]),
        ("list or table", "- Croissant: 2,606.40 €\n- Baguette: 4,463.10 €\n- Tart: 1,180.80 €", [
            ("swapped entity", "Baguette: 4,463.10 €\n- Tart: 1,180.80 €", "Baguette: 1,180.80 €\n- Tart: 4,463.10 €", ["Baguette: 1,180.80", "Tart: 4,463.10"])]),
        ("derived", "Croissants bring in 1,425.60 more than tarts.", [
            ("miscomputed derivation", "1,425.60", "1,452.60"),
            ("sign or direction", "Croissants bring in 1,425.60 more than tarts", "Tarts bring in 1,425.60 more than croissants", "1,425.60")]),
    ],
}
