{
    "domain": 'fundraising',
    "question": 'We ran a donation campaign for the animal shelter by email, flyer and at the booth. What came in, what was the typical gift and what did each channel cost per euro raised?',
    "cells": [
r"""import random, statistics as st
random.seed(42)
gifts = {"email": [random.choice([10, 15, 20, 25, 25, 50, 100]) for _ in range(64)],
         "flyer": [random.choice([5, 10, 10, 20, 30, 50]) for _ in range(27)],
         "booth": [random.choice([2, 2, 5, 5, 10, 20]) for _ in range(118)]}
gifts["email"].append(2500)
cost = {"email": 180, "flyer": 310, "booth": 145}
for k, g in gifts.items():
    print(k, "n", len(g), "sum", sum(g), "mean", round(st.mean(g), 2), "median", st.median(g), "cost/euro", round(cost[k] / sum(g), 3))
""",
r"""allg = sum(gifts.values(), [])
print(len(allg), sum(allg), round(st.mean(allg), 2), st.median(allg), max(allg))
goal = 6000
print("goal reached", f"{sum(allg) / goal:.1%}", "missing", goal - sum(allg))
reached = {"email": 1930, "flyer": 2400, "booth": 860}
for k in gifts:
    print(k, f"response {len(gifts[k]) / reached[k]:.2%}")
print("without the big one:", round(st.mean([g for g in allg if g < 2500]), 2))
""",
    ],
    "answers": [
        ('plain', 'You raised 5,961 € from 210 gifts, just 39 € short of the goal.', [
            ('sign or direction', '39 € short of the goal', '39 € above the goal', '39'),
            ('swapped entity', '5,961 €', '4,525 €', '4,525'),
            ('swapped entity', '210 gifts', '118 gifts', '118'),
            ('digit', '5,961 €', '5,691 €', '5,691'),
        ]),
        ('plain', "The typical gift was 10 euros. The average of 28.39 is inflated by one donor who gave 2,500; without that gift it's 16.56.", [
            ('wrong statistic', '10 euros', '25 euros', '25'),
            ('swapped entity', '16.56', '18.33'),
            ('scale', '2,500', '25,000'),
            ('digit', '28.39', '23.89'),
        ]),
        ('units or currency', 'Cost per euro raised: 4 cents by email, 15 cents at the booth and 63 cents for the flyers.', [
            ('swapped entity', '15 cents at the booth and 63 cents for the flyers', '63 cents at the booth and 15 cents for the flyers', ['63', '15']),
            ('scale', '4 cents', '40 cents', '40'),
            ('rounding', '63 cents', '62 cents', '62'),
        ]),
        ('derived', "Email brought in three quarters of the money (4,525 €). Take out the big donor and it's still 2,025 € from 64 people.", [
            ('miscomputed derivation', '2,025 €', '3,025 €', '3,025'),
            ('swapped entity', '4,525 €', '5,961 €', '5,961'),
            ('number of something else', '64 people', '27 people', '27'),
        ]),
        ('derived', 'You spent 635 € altogether, so about 11 cents per euro, and 5,326 € is left for the shelter.', [
            ('miscomputed derivation', '635 €', '490 €', '490'),
            ('miscomputed derivation', '11 cents', '27 cents', '27'),
            ('miscomputed derivation', '5,326 €', '5,471 €', '5,471'),
        ]),
        ('percent', "The booth had by far the best response, 13.7%, against 3.4% for email and 1.1% for the flyers. That's more than 12 times the flyers' rate.", [
            ('digit', '3.4%', '4.3%'),
            ('scale', '1.1%', '0.11%'),
            ('miscomputed derivation', '12 times', '18 times', '18'),
            ('wrong column', '13.7%', '15.4%'),
        ]),
    ],
}
