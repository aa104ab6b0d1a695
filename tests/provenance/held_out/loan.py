{
    "domain": "loans",
    "question": "I want to borrow 180,000 over 20 years at 3.6 % a year. What will it cost me, and what at 3.3 %?",
    "cells": ['''
principal, years, yearly = 180000, 20, 0.036
rate, months = yearly / 12, years * 12
payment = principal * rate / (1 - (1 + rate) ** -months)
print(f"monthly payment: {payment:.2f}")
print(f"total paid: {payment * months:.2f}")
print(f"interest: {payment * months - principal:.2f}")
''', '''
balance, paid = principal, 0.0
for month in range(1, months + 1):
    interest = balance * rate
    balance -= payment - interest
    paid += interest
    if month % 60 == 0:
        print(f"after {month // 12} years: balance {balance:.2f}, interest so far {paid:.2f}")
''', '''
yearly = 0.033
rate = yearly / 12
payment = principal * rate / (1 - (1 + rate) ** -months)
print(f"with 3.3 %: monthly payment: {payment:.2f}")
print(f"with 3.3 %: interest: {payment * months - principal:.2f}")
'''],
    "answers": [
        ("plain", "You would pay 1,053.20 a month and 72,768.15 in interest altogether.", [
            ("digit", "1,053.20", "1,035.20"),
            ("scale", "72,768.15", "7,276.82"),
            ("question number given as result", "72,768.15 in interest", "180,000 in interest", "180,000")]),
        ("constants of a method", "For 180,000 over 20 years at 3.6 % that makes 240 instalments of 1,053.20.", [
            ("miscomputed derivation", "240 instalments", "260 instalments"),
            ("invented", "1,053.20", "1,118.40")]),
        ("derived", "At 3.3 % you would save 27.68 a month, and 6,642.49 of interest in all.", [
            ("miscomputed derivation", "27.68", "28.67"),
            ("miscomputed derivation", "6,642.49", "6,462.49"),
            ("sign or direction", "you would save 27.68 a month", "you would pay 27.68 more a month", "27.68")]),
        ("plain", "After 10 years you still owe 106,003.79.", [
            ("swapped entity", "After 10 years", "After 5 years", "106,003.79"),
            ("wrong column", "106,003.79", "52,387.87"),
            ("digit", "106,003.79", "106,030.79")]),
        ("percent", "Interest adds 40.4 % to what you borrow.", [
            ("miscomputed derivation", "40.4 %", "44.0 %")]),
        ("list or table", "| after | balance | interest |\n|---|---|---|\n| 5 years | 146,317.82 | 29,509.86 |\n| 10 years | 106,003.79 | 52,387.87 |\n| 15 years | 57,752.15 | 67,328.26 |", [
            ("wrong column", "| 15 years | 57,752.15 | 67,328.26 |", "| 15 years | 67,328.26 | 57,752.15 |", ["67,328.26", "57,752.15"]),
            ("digit", "29,509.86", "29,590.86")]),
        ("units or currency", "All in all: €252,768.15.", [
            ("wrong statistic", "€252,768.15", "€72,768.15"),
            ("rounding", "€252,768.15", "€252,770.50")]),
    ],
}
