{
    "domain": "blood donation",
    "question": "what share of our donors is O negative and how many came back within the year?",
    "cells": [
r"""import pandas as pd
counts = pd.Series({"O+": 1312, "A+": 1284, "B+": 301, "O-": 248, "A-": 231, "AB+": 112, "B-": 64, "AB-": 28}, name="donors")
counts""",
r"""share = (counts / counts.sum() * 100).round(1)
print(share.to_dict())
counts.sum()""",
r"""returned = {"O+": 702, "A+": 655, "B+": 149, "O-": 171, "A-": 118, "AB+": 50, "B-": 33, "AB-": 12}
back = pd.Series(returned)
print((back / counts).round(3).sort_values(ascending=False))
print("all:", back.sum(), round(back.sum() / counts.sum(), 4))"""],
    "answers": [
        ("percent", "6.9% of your donors are O negative (248 of 3,580).", [
            ("scale", "6.9%", "0.69%"),
            ("swapped entity", "6.9%", "6.5%"),
        ]),
        ("plain", "171 of the 248 O-negative donors came back within the year, 69%.", [
            ("swapped entity", "171 of", "118 of", "118"),
            ("wrong statistic", "69%", "52.8%"),
        ]),
        ("fractions in words", "Just over half of all donors (1,890 of 3,580) returned.", [
            ("number of something else", "1,890", "1,690"),
            ("digit", "1,890", "1,980"),
        ]),
        ("derived", "1,690 donors did not come back; 77 of them were O negative.", [
            ("number of something else", "1,690", "1,890"),
            ("miscomputed derivation", "77 of", "87 of", "87"),
        ]),
        ("inequalities", "Every rhesus-negative group except AB- had a return rate above 50%.", [
            ("sign or direction", "above 50%", "below 50%", "50%"),
            ("digit", "above 50%", "above 60%", "60%"),
        ]),
        ("counted", "There are 8 groups; the rarest, AB-, has 28 donors, the most frequent, O+, 1,312.", [
            ("swapped entity", "28 donors", "64 donors", "64"),
            ("wrong column", "1,312", "702"),
            ("invented", "8 groups", "6 groups", "6 groups"),
        ]),
        ("scale words", "You have close to 3.6 thousand donors, of whom 1.9 thousand came back.", [
            ("scale", "3.6 thousand", "36 thousand", "36"),
            ("invented", "1.9 thousand", "2.4 thousand", "2.4"),
        ]),
    ],
}
