{
    "domain": "mortgage schedule",
    "question": "I'm borrowing 285,000 at 4.2% fixed over 25 years. What's the monthly payment, how much interest do I pay in total, and what happens if I throw in an extra 250 a month?",
    "cells": [r"""
def payment(principal, annual_rate, years):
    r = annual_rate / 12
    n = years * 12
    return principal * r / (1 - (1 + r) ** -n)

principal, rate, years = 285_000, 0.042, 25
pmt = payment(principal, rate, years)
print(f"Monthly payment: {pmt:,.2f}")
print(f"Total paid:      {pmt * years * 12:,.2f}")
print(f"Total interest:  {pmt * years * 12 - principal:,.2f}")
""", r"""
def schedule(principal, annual_rate, pmt, extra=0.0):
    balance, month, interest_total = principal, 0, 0.0
    rows = []
    while balance > 0.005:
        month += 1
        interest = balance * annual_rate / 12
        paid = min(pmt + extra, balance + interest)
        balance = balance + interest - paid
        interest_total += interest
        rows.append((month, paid, interest, paid - interest, balance))
    return rows, interest_total

base, base_int = schedule(principal, rate, pmt)
print("year   interest   principal     balance")
for y in (1, 2, 5, 10, 15, 20, 25):
    chunk = base[(y - 1) * 12:y * 12]
    print(f"{y:>4} {sum(r[2] for r in chunk):>10,.2f} {sum(r[3] for r in chunk):>11,.2f} {abs(chunk[-1][4]):>11,.2f}")
""", r"""
for extra in (0, 100, 250, 500):
    rows, total_int = schedule(principal, rate, pmt, extra)
    n = len(rows)
    print(f"extra {extra:>3}: {n} months ({n // 12}y {n % 12}m), interest {total_int:,.2f}, saved {base_int - total_int:,.2f}")
"""],
    "answers": [
        ("summary of an analysis", "Your monthly payment comes to 1,535.99. Over the full 25 years you pay back 460,795.68, of which 175,795.68 is interest. Adding 250 a month clears the loan after 235 months (19 years and 7 months) and saves you 42,853.82 in interest.", [
            ("digit", "1,535.99", "1,553.99"),
            ("number of something else", "saves you 42,853.82", "saves you 132,941.86", "132,941.86"),
            ("swapped entity", "235 months (19 years and 7 months)", "193 months (19 years and 7 months)", "193 months"),
        ]),
        ("derived", "With the extra 250 you'd be done 65 months early, and the interest bill shrinks by about 24%, from roughly 175,800 to 132,900.", [
            ("miscomputed derivation", "65 months", "75 months"),
            ("miscomputed derivation", "24%", "32%"),
            ("scale", "132,900", "13,290"),
        ]),
        ("percent", "The interest adds up to about 61.7% of what you borrow. In the first year 64% of what you pay goes to the bank as interest; in the last year it's just over 2%.", [
            ("miscomputed derivation", "61.7%", "38.2%"),
            ("digit", "64%", "74%"),
            ("miscomputed derivation", "just over 2%", "just over 5%", "5%"),
        ]),
        ("list or table", "| Extra per month | Paid off after | Interest | Saved |\n|---|---|---|---|\n| 0 | 25y 0m | 175,796 | – |\n| 100 | 22y 6m | 155,570 | 20,225 |\n| 250 | 19y 7m | 132,942 | 42,854 |\n| 500 | 16y 1m | 107,303 | 68,493 |", [
            ("digit", "| 155,570 |", "| 153,570 |", "153,570"),
            ("rounding", "132,942", "132,941"),
            ("digit", "68,493", "68,943"),
        ]),
        ("scale words", "You'll pay a bit over 1,500 a month and hand the bank around 176 thousand in interest. After 15 years you still owe roughly 150 thousand, which is more than half of the original 285 thousand.", [
            ("swapped entity", "roughly 150 thousand", "roughly 205 thousand", "205"),
            ("wrong statistic", "around 176 thousand", "around 461 thousand", "461"),
        ]),
        ("derived", "By the end of year ten you will have paid down 80,133.72 of principal, leaving a balance of 204,866.28. Going from 250 to 500 extra saves a further 25,639.26 and brings the term down by another 42 months.", [
            ("wrong column", "80,133.72", "9,607.47"),
            ("miscomputed derivation", "25,639.26", "26,539.26"),
            ("miscomputed derivation", "42 months", "107 months"),
        ]),
        ("plain", "At 4.2% the payment is **1,535.99 per month**; with the overpayment you'd send 1,785.99 instead and finish in 19 years 7 months.", [
            ("miscomputed derivation", "1,785.99", "1,885.99"),
            ("question number given as result", "19 years 7 months", "25 years 0 months", "25 years"),
            ("digit", "4.2%", "4.5%"),
        ]),
    ],
}
