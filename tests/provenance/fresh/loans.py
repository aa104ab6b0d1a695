{
    "domain": "loans",
    "question": "What would a mortgage of 250,000 at 3.9 % over 25 years cost?",
    "cells": ['''
P, rate, years = 250000, 0.039, 25
r = rate/12; n = years*12
pay = P*r/(1-(1+r)**-n)
total = pay*n
print(f"Monthly payment: {pay:.2f}")
print(f"Total paid: {total:.2f}")
print(f"Total interest: {total-P:.2f}")
bal = P
paid_int = 0
for k in range(60):
    i = bal*r; bal -= pay-i; paid_int += i
print(f"Balance after 5 years: {bal:.2f}, interest so far {paid_int:.2f}")
'''],
    "answers": [
        ("summary of an analysis", "You would pay 1,305.83 per month. Over the 25 years that adds up to 391,748.23, of which 141,748.23 is interest. After 5 years you would still owe 217,375.61.", [
            ("number of something else", "1,305.83", "1,350.83"),
            ("swapped entity", "141,748.23", "45,725.25"),
            ("question number given as result", "141,748.23", "250,000"),
            ("number of something else", "217,375.61", "141,748.23 again", "141,748.23 again")]),
        ("derived", "In the first five years you repay 32,624.39 of the principal and pay 45,725.25 in interest.", [
            ("miscomputed derivation", "32,624.39", "36,224.39"),
            ("swapped entity", "32,624.39 of the principal and pay 45,725.25", "45,725.25 of the principal and pay 32,624.39", ["45,725.25", "32,624.39"])]),
        ("percent", "Interest makes up 36.2 % of everything you pay.", [
            ("miscomputed derivation", "36.2 %", "32.6 %")]),
        ("scale words", "In total you pay back roughly 392 thousand.", [
            ("scale", "392 thousand", "392 million"),
            ("digit", "392", "329")]),
        ("constants of a method", "The calculation uses a loan of 250,000 at 3.9 % with 300 monthly payments.", [
            ("miscomputed derivation", "300", "320")]),
    ],
}
