{
    "domain": 'theatre',
    "question": 'Summarise the ticket sales of the season.',
    "cells": [
        """
import json
plays = [
    {"play": "Hamlet", "shows": 14, "seats": 420, "sold": 5233, "revenue": 146524.0},
    {"play": "The Seagull", "shows": 9, "seats": 420, "sold": 2948, "revenue": 76648.0},
    {"play": "Candide", "shows": 11, "seats": 310, "sold": 3102, "revenue": 93060.0},
    {"play": "Antigone", "shows": 6, "seats": 310, "sold": 1209, "revenue": 27807.0},
]
for p in plays:
    p["occupancy"] = round(p["sold"] / (p["shows"] * p["seats"]), 3)
    p["price"] = round(p["revenue"] / p["sold"], 2)
print(json.dumps(plays, indent=1))
""",
        """
sold = sum(p["sold"] for p in plays)
revenue = sum(p["revenue"] for p in plays)
print("tickets", sold, "revenue", revenue, "average price", round(revenue / sold, 2))
print("shows", sum(p["shows"] for p in plays))
""",
    ],
    "answers": [
        ('plain', '12,492 tickets were sold in 40 performances, bringing in 344,039.', [
            ('digit', '12,492', '12,942'),
            ('scale', '344,039', '34,403.9'),
            ('number of something else', '40 performances', '14 performances', '14'),
            ('swapped entity', '12,492', '5,233'),
        ]),
        ('plain', 'Hamlet sold best: 5,233 tickets and 146,524 in revenue.', [
            ('swapped entity', '5,233', '3,102'),
            ('swapped entity', '146,524', '93,060'),
            ('digit', '146,524', '164,524'),
        ]),
        ('plain', 'Candide had the highest occupancy, 91 %, and also the highest price (30.00).', [
            ('swapped entity', '91 %', '89 %'),
            ('swapped entity', '30.00', '28.00'),
            ('swapped entity', 'Candide', 'Hamlet', ['91 %', '30.00']),
        ]),
        ('derived', 'Hamlet accounts for 42.6 % of the revenue.', [
            ('miscomputed derivation', '42.6 %', '46.2 %'),
            ('swapped entity', 'Hamlet', 'Candide', '42.6 %'),
        ]),
        ('plain', 'Antigone filled just 65 % of its seats in 6 shows.', [
            ('swapped entity', '65 %', '78 %'),
            ('swapped entity', '6 shows', '9 shows'),
            ('digit', '65 %', '56 %'),
        ]),
        ('units or currency', 'The average ticket cost €27.54.', [
            ('digit', '27.54', '25.74'),
            ('wrong statistic', '€27.54', '€30.00'),
        ]),
        ('derived', 'The Seagull sold 1,739 more tickets than Antigone.', [
            ('miscomputed derivation', '1,739', '1,793'),
            ('sign or direction', 'more tickets', 'fewer tickets', '1,739'),
        ]),
        ('derived', 'On average 312 tickets were sold per show.', [
            ('miscomputed derivation', '312', '321'),
        ]),
        ('fractions in words', 'Two of the four plays were filled to less than 80 %.', [
            ('scale', '80 %', '8 %'),
        ]),
        ('scale words', 'Revenue was about 344 thousand in total.', [
            ('scale', '344 thousand', '344 million'),
            ('digit', '344', '434'),
        ]),
    ],
}
