{
    "domain": "home loan",
    "question": "What would a 320,000 loan over 25 years cost me at 4.2%? And what if I pay 200 extra every month?",
    "cells": [
r"""
principal, rate, years = 320_000, 0.042, 25
n = years * 12
i = rate / 12
payment = principal * i / (1 - (1 + i) ** -n)
print(f"monthly payment: {payment:.2f}")
print(f"total paid: {payment * n:,.2f}")
print(f"total interest: {payment * n - principal:,.2f}")

def run(extra=0.0):
    bal, months, interest, rows = principal, 0, 0.0, []
    while bal > 0.005:
        it = bal * i
        pay = min(payment + extra, bal + it)
        bal = bal + it - pay
        interest += it
        months += 1
        if months % 12 == 0:
            rows.append((months // 12, round(bal, 2), round(interest, 2)))
    return months, interest, rows

m0, int0, rows0 = run()
for y, b, it in rows0:
    print(f"year {y:2d}  balance {b:>12,.2f}  interest so far {it:>12,.2f}")
""",
r"""
m1, int1, rows1 = run(200)
print(m1, "months", round(int1, 2), "interest")
print("saved:", m0 - m1, "months,", round(int0 - int1, 2))
m2, int2, _ = run(500)
print("with 500 extra:", m2, "months", round(int2, 2), "interest")
"""],
    "answers": [
        ("plain", "Your monthly payment would be 1,724.62, and over the 25 years you'd pay 197,384.63 in interest.", [
            ("digit", "1,724.62", "1,742.62"),
            ("wrong statistic", "197,384.63", "517,384.63"),
        ]),
        ("scale words", "All in, the loan costs you about 517 thousand, of which roughly 197k is interest.", [
            ("digit", "517", "571"),
            ("scale", "197k", "19.7k"),
        ]),
        ("derived", "Paying 200 more cuts the term by 50 months, to 250. That's 4 years and 2 months less, and it saves you 36,976.54.", [
            ("miscomputed derivation", "4 years", "5 years"),
            ("digit", "36,976.54", "39,676.54"),
            ("swapped entity", "to 250", "to 201", "201"),
        ]),
        ("percent", "After 10 years you'd still owe 230,025.29, which is 72% of the loan; by year 20 it's down to 93,187.62.", [
            ("number of something else", "72%", "28%"),
            ("rounding", "72%", "71%"),
            ("wrong column", "93,187.62", "187,095.32"),
        ]),
        ("inequalities", "With 500 extra a month you'd be done in just under 17 years (201 months), and the interest drops below 126,000.", [
            ("miscomputed derivation", "just under 17", "just under 16", "16"),
            ("number of something else", "below 126,000", "below 125,000", "125,000"),
        ]),
        ("derived", "In the first year 13,298.69 goes to interest and only 7,396.69 to the principal.", [
            ("miscomputed derivation", "7,396.69", "7,936.69"),
            ("swapped entity", "13,298.69 goes to interest and only 7,396.69 to the principal", "7,396.69 goes to interest and only 13,298.69 to the principal", ["7,396.69", "13,298.69"]),
        ]),
        ("summary of an analysis", "At 4.2% you pay 1,724.62 a month and 517,384.63 altogether, so interest comes to some 62% of the amount borrowed. An extra 200 a month brings the interest down to 160,408.09 and you finish after 250 months instead of 300. Going to 500 extra saves another 34,650.65.", [
            ("miscomputed derivation", "62%", "68%"),
            ("swapped entity", "160,408.09", "125,757.44"),
            ("miscomputed derivation", "34,650.65", "36,450.65"),
        ]),
    ],
}
