{
    "domain": 'mortgage scenarios',
    "question": "I'm borrowing 240,000. Show me what different rates and terms do to the monthly payment, and what a 150 a month overpayment saves.",
    "cells": [
r"""def pay(P, rate, years):
    i = rate / 12; n = years * 12
    return P * i / (1 - (1 + i) ** -n)
P = 240_000
m = pay(P, 0.041, 25)
print(f"4.1%, 25 years: {m:.2f} per month, total interest {m * 300 - P:,.0f}")""",
r"""print("rate   20y      25y      30y")
for r in (0.035, 0.038, 0.041, 0.044):
    print(f"{r:.1%} " + " ".join(f"{pay(P, r, y):8.2f}" for y in (20, 25, 30)))
print("interest at 3.8%:", {y: round(pay(P, 0.038, y) * 12 * y - P) for y in (20, 25, 30)})""",
r"""def schedule(P, rate, payment):
    bal, k, interest = P, 0, 0.0
    while bal > 0.005:
        z = bal * rate / 12
        interest += z
        bal = max(0, bal + z - payment)
        k += 1
    return k, interest
base = pay(P, 0.038, 25)
for extra in (0, 150, 300):
    k, z = schedule(P, 0.038, base + extra)
    print(f"3.8%, extra {extra}: {k} months ({k / 12:.1f} years), interest {z:,.0f}")""",
    ],
    "answers": [
        ('summary of an analysis', 'At 4.1 % over 25 years you pay 1,280.10 a month and 144,029 in interest. If you get 3.8 % instead, the instalment falls to 1,240.46 and the interest to 132,137. Overpaying 150 a month then clears the loan in 251 months instead of 300 and brings the interest down to 107,846, a saving of 24,291.', [
            ('digit', 'interest to 132,137', 'interest to 123,137', '123,137'),
            ('swapped entity', '251 months', '216 months', '216'),
            ('miscomputed derivation', '24,291', '36,183'),
            ('swapped entity', '107,846', '91,295'),
        ]),
        ('plain', "With 150 extra per month you're done after 251 months, about 20.9 years.", [
            ('swapped entity', '20.9 years', '18.0 years', '18.0'),
            ('stale value', '251', '300'),
            ('digit', '251', '215'),
        ]),
        ('derived', 'Going from 25 to 20 years at 3.8 % costs 188.72 more per month but saves 29,133 of interest.', [
            ('miscomputed derivation', '188.72', '178.72'),
            ('miscomputed derivation', '29,133', '30,450'),
            ('sign or direction', '188.72 more', '188.72 less', '188.72'),
        ]),
        ('list or table', 'Monthly payment:\n\n| Rate | 20 years | 25 years | 30 years |\n|---|---|---|---|\n| 3.5 % | 1,391.90 | 1,201.50 | 1,077.71 |\n| 3.8 % | 1,429.18 | 1,240.46 | 1,118.30 |\n| 4.1 % | 1,467.03 | 1,280.10 | 1,159.68 |\n| 4.4 % | 1,505.43 | 1,320.41 | 1,201.83 |', [
            ('swapped entity', '1,240.46 | 1,118.30', '1,118.30 | 1,240.46', ['1,118.30', '1,240.46']),
            ('digit', '1,159.68', '1,195.68'),
            ('scale', '1,467.03', '14,670.30'),
            ('digit', '1,320.41', '1,302.41'),
        ]),
        ('derived', 'Paying 300 extra shortens the term by 84 months, seven years, and saves 40,842.', [
            ('miscomputed derivation', '84 months', '94 months', '94'),
            ('swapped entity', '84 months', '49 months', '49'),
            ('swapped entity', '40,842', '24,291'),
        ]),
        ('plain', 'Over 30 years at 3.8 % the interest adds up to 162,587, about two thirds of the amount borrowed.', [
            ('swapped entity', '162,587', '132,137'),
            ('digit', '162,587', '165,287'),
            ('typed literal', '162,587', '240,000'),
        ]),
        ('derived', 'The lower rate (3.8 instead of 4.1 %) saves you 39.64 a month over 25 years, 11,892 in all.', [
            ('miscomputed derivation', '39.64', '49.64'),
            ('wrong column', '39.64', '37.85'),
            ('digit', '11,892', '11,289'),
        ]),
    ],
}
