{
    "domain": 'budget5',
    "question": 'Where did the household budget go?',
    "cells": [
        r"""
spent = {"rent": 1150.0, "food": 486.35, "transport": 129.9, "energy": 164.2, "leisure": 210.55, "insurance": 98.0}
plan = {"rent": 1150.0, "food": 450.0, "transport": 140.0, "energy": 150.0, "leisure": 180.0, "insurance": 98.0}
income = 2840.0
total = sum(spent.values())
for k in spent:
    diff = spent[k] - plan[k]
    print(f"{k:<10} planned {plan[k]:>8.2f}  spent {spent[k]:>8.2f}  diff {diff:>+8.2f}  ({spent[k] / total:.1%} of spending)")
print(f"{'total':<10} planned {sum(plan.values()):>8.2f}  spent {total:>8.2f}")
print(f"saved {income - total:.2f} of {income:.2f} ({(income - total) / income:.1%})")
""",
    ],
    "answers": [
        ('plain', 'You spent 2,239.00, which is 71.00 more than planned.', [
            ('miscomputed derivation', '71.00', '81.00'),
            ('digit', '2,239.00', '2,329.00'),
            ('sign or direction', 'more', 'less', '71.00'),
        ]),
        ('plain', 'More than half of it (51.4 %) went to rent, another 21.7 % to food.', [
            ('digit', '51.4 %', '54.1 %'),
            ('swapped entity', '21.7 %', '9.4 %'),
        ]),
        ('plain', 'Food was 36.35 over budget and leisure 30.55, while transport stayed 10.10 below plan.', [
            ('swapped entity', '36.35', '14.20'),
            ('sign or direction', 'below plan', 'above plan', '10.10'),
            ('digit', '30.55', '35.05'),
        ]),
        ('percent', 'You could put 601.00 aside, 21.2 % of your income of 2,840.', [
            ('digit', '601.00', '610.00'),
            ('digit', '21.2 %', '12.2 %'),
        ]),
        ('derived', 'Food was thus overspent by 8.1 %.', [
            ('miscomputed derivation', '8.1 %', '7.5 %'),
        ]),
        ('derived', 'Rent and food together cost 1,636.35, or 73.1 % of spending.', [
            ('miscomputed derivation', '1,636.35', '1,663.35'),
            ('miscomputed derivation', '73.1 %', '71.3 %'),
        ]),
        ('plain', 'Energy came to 164.20 instead of the 150.00 that were planned.', [
            ('swapped entity', '164.20', '129.90'),
            ('swapped entity', '150.00', '140.00'),
        ]),
        ('German', 'Für Lebensmittel (food) gaben Sie 486,35 € aus, 36,35 € mehr als geplant.', [
            ('digit', '486,35', '468,35'),
            ('sign or direction', 'mehr', 'weniger', '36,35'),
        ]),
    ],
}
