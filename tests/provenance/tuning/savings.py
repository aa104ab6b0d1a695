{
    "domain": "savings plan",
    "question": "If I save 250 a month at 4 % for 15 years, what do I have in the end? And at 5 %?",
    "cells": ['''
monthly, rate, years = 250, 0.04, 15
balance = 0.0
history = {}
for month in range(1, years * 12 + 1):
    balance = balance * (1 + rate / 12) + monthly
    if month % 60 == 0:
        history[month // 12] = round(balance, 2)
print(history)
print("paid in:", monthly * years * 12)
print("interest earned:", round(balance - monthly * years * 12, 2))
''', '''
rate = 0.05
balance = 0.0
for month in range(1, years * 12 + 1):
    balance = balance * (1 + rate / 12) + monthly
print("final balance at 5 %:", round(balance, 2))
'''],
    "answers": [
        ("plain", "After 15 years at 4 % you have 61,522.62, of which 16,522.62 is interest.", [
            ("digit", "61,522.62", "65,122.62"),
            ("swapped entity", "After 15 years", "After 10 years", "61,522.62"),
            ("number of something else", "you have 61,522.62", "you have 66,822.24", "66,822.24")]),
        ("derived", "At 5 % you would have 66,822.24, i.e. 5,299.62 more.", [
            ("miscomputed derivation", "5,299.62", "5,929.62"),
            ("sign or direction", "5,299.62 more", "5,299.62 less", "5,299.62")]),
        ("plain", "You pay in 45,000 yourself.", [
            ("digit", "45,000", "54,000"),
            ("question number given as result", "You pay in 45,000 yourself", "You pay in 250 in all", "250")]),
        ("percent", "Interest makes up 26.9 % of the final balance.", [
            ("miscomputed derivation", "26.9 %", "29.6 %")]),
        ("list or table", "| years | balance |\n|---|---|\n| 5 | 16,574.74 |\n| 10 | 36,812.45 |\n| 15 | 61,522.62 |", [
            ("swapped entity", "| 10 | 36,812.45 |", "| 10 | 16,574.74 |", "10 | 16,574.74"),
            ("digit", "36,812.45", "38,612.45")]),
        ("scale words", "Roughly 61.5 thousand.", [
            ("scale", "61.5 thousand", "61.5 million")]),
    ],
}
