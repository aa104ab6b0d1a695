{
    "domain": "emails",
    "question": "Evaluate our newsletter experiment; the goal was an open rate of 30 percent.",
    "cells": ['''
import pandas as pd
camp = pd.DataFrame({
    "variant": ["A", "B", "C"],
    "sent": [12000, 12000, 6000],
    "opened": [3324, 3912, 1686],
    "clicked": [418, 611, 203],
    "unsubscribed": [36, 41, 33],
})
camp["open_rate"] = (camp.opened / camp.sent * 100).round(2)
camp["ctr"] = (camp.clicked / camp.opened * 100).round(2)
print(camp.to_string())
''', '''
tot = camp[["sent", "opened", "clicked", "unsubscribed"]].sum()
print(tot)
from math import sqrt
p1, p2 = 3912 / 12000, 3324 / 12000
pool = (3912 + 3324) / 24000
z = (p1 - p2) / sqrt(pool * (1 - pool) * 2 / 12000)
print(f"z = {z:.2f}")
'''],
    "answers": [
        ("plain", "Variant B has the best open rate: 32.6 %, against 27.7 % for A and 28.1 % for C.", [
            ("swapped entity", "27.7 % for A and 28.1 % for C", "28.1 % for A and 27.7 % for C", ["28.1 %", "27.7 %"]),
            ("wrong column", "32.6 %", "15.62 %"),
            ("digit", "32.6 %", "36.2 %")]),
        ("small integers", "41 recipients of B unsubscribed, 36 of A and 33 of C.", [
            ("swapped entity", "41 recipients of B unsubscribed, 36 of A", "36 recipients of B unsubscribed, 41 of A", ["36 recipients", "41 of"])]),
        ("plain", "In total 30,000 mails were sent and 8,922 opened.", [
            ("number of something else", "8,922", "1,232"),
            ("digit", "8,922", "8,292")]),
        ("percent", "Overall 29.7 % were opened, just short of the goal of 30 %.", [
            ("question number given as result", "Overall 29.7 % were opened, just short", "Overall 30 % were opened, just short", "Overall 30 %"),
            ("miscomputed derivation", "29.7 %", "27.9 %")]),
        ("derived", "B was opened 588 times more often than A.", [
            ("miscomputed derivation", "588", "558"),
            ("sign or direction", "B was opened 588 times more often than A", "A was opened 588 times more often than B", "588")]),
        ("derived", "The open rate of B is 4.9 percentage points above A's (z = 8.27).", [
            ("miscomputed derivation", "4.9 percentage points", "9.4 percentage points", "9.4"),
            ("digit", "8.27", "8.72")]),
        ("fractions in words", "Almost a third of B's recipients opened the mail.", []),
        ("scale words", "We sent 30 thousand mails.", [
            ("scale", "30 thousand", "3 thousand")]),
        ("constants of a method", "With z = 8.27 the difference is far beyond the 1.96 needed for 5 % significance.", [
            ("digit", "8.27", "7.28")]),
        ("German", "Variante B erreichte 32,6 % Öffnungen, Variante A nur 27,7 %.", [
            ("swapped entity", "B erreichte 32,6 % Öffnungen, Variante A nur 27,7 %", "B erreichte 27,7 % Öffnungen, Variante A nur 32,6 %", ["27,7", "32,6"])]),
    ],
}
