{
    "domain": "startup",
    "question": "What is our runway and how is revenue developing?",
    "cells": ['''
mrr = {"2023-09": 41200, "2023-10": 44950, "2023-11": 47300, "2023-12": 46100, "2024-01": 52480, "2024-02": 57900}
months = list(mrr)
for a, b in zip(months, months[1:]):
    print(f"{b}: {mrr[b]:,} ({(mrr[b] - mrr[a]) / mrr[a] * 100:+.1f}%)")
''', '''
cash = 1_240_000
burn = 138_500 - mrr["2024-02"]
print("net burn:", burn)
print("runway (months):", round(cash / burn, 1))
print("ARR:", mrr["2024-02"] * 12)
''', '''
customers = {"starter": (310, 29), "team": (142, 149), "enterprise": (11, 2490)}
rows = {plan: n * fee for plan, (n, fee) in customers.items()}
print(rows, "total", sum(rows.values()))
print("customers:", sum(n for n, _ in customers.values()))
'''],
    "answers": [
        ("plain", "MRR reached 57,900 in February 2024, up 10.3 % on January.", [
            ("digit", "57,900", "59,700"),
            ("sign or direction", "up 10.3 %", "down 10.3 %", "10.3 %"),
            ("wrong column", "10.3 %", "13.8 %")]),
        ("plain", "With a net burn of 80,600 the runway is 15.4 months.", [
            ("scale", "80,600", "806,000"),
            ("number of something else", "80,600", "57,900"),
            ("digit", "15.4", "14.5")]),
        ("scale words", "Annual recurring revenue is about 695 thousand.", [
            ("scale", "695 thousand", "695 million")]),
        ("plain", "December 2023 was the only month with a decline (-2.5 %).", [
            ("sign or direction", "with a decline (-2.5 %)", "with a decline (-5.2 %)", "-5.2 %"),
            ("swapped entity", "December", "November", "-2.5 %")]),
        ("plain", "The 11 enterprise customers bring in 27,390, almost as much as everyone else together.", [
            ("swapped entity", "27,390", "21,158"),
            ("digit", "27,390", "27,930")]),
        ("percent", "Enterprise contributes 47.6 % of 57,538.", [
            ("miscomputed derivation", "47.6 %", "46.7 %"),
            ("swapped entity", "Enterprise", "Team", "47.6 %")]),
        ("derived", "Since October MRR has grown by 12,950, i.e. 28.8 %.", [
            ("miscomputed derivation", "28.8 %", "22.4 %"),
            ("miscomputed derivation", "12,950", "12,590")]),
        ("small integers", "There are 463 customers, 310 of them on the starter plan.", [
            ("swapped entity", "310 of them", "142 of them", "142")]),
        ("units or currency", "Cash in the bank: $1.24 million.", [
            ("scale", "$1.24 million", "$1.24 billion")]),
    ],
}
