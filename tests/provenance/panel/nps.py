{
    "domain": "customer survey",
    "question": "Compute the NPS from these 0-10 ratings, and compare Q1 with Q2. Our board wants 40.",
    "cells": [
r"""
q1 = {0: 4, 1: 2, 2: 3, 3: 5, 4: 7, 5: 14, 6: 19, 7: 41, 8: 63, 9: 58, 10: 72}
q2 = {0: 3, 1: 1, 2: 2, 3: 4, 4: 6, 5: 11, 6: 17, 7: 36, 8: 71, 9: 77, 10: 94}

def nps(d):
    n = sum(d.values())
    det = sum(v for k, v in d.items() if k <= 6)
    pro = sum(v for k, v in d.items() if k >= 9)
    return {"n": n, "detractors": det, "passives": n - det - pro, "promoters": pro,
            "mean": round(sum(k * v for k, v in d.items()) / n, 2), "nps": round(100 * (pro - det) / n, 1)}
import json
print(json.dumps({"Q1": nps(q1), "Q2": nps(q2)}, indent=2))
"""],
    "answers": [
        ("plain", "NPS rose from 26.4 in Q1 to 39.4 in Q2.", [
            ("sign or direction", "rose", "fell", ["26.4", "39.4"]),
            ("invented", "in Q2.", "in Q2; the industry average is 31.", "31"),
            ("question number given as result", "39.4", "40"),
        ]),
        ("derived", "That's a gain of about 13 points, and it leaves you 0.6 short of what the board wants.", [
            ("miscomputed derivation", "13 points", "15 points", "15"),
            ("scale", "0.6 short", "6 short", "6"),
        ]),
        ("percent", "In Q2, 53.1% of respondents were promoters and 13.7% detractors.", [
            ("swapped entity", "53.1%", "45.1%"),
            ("digit", "13.7%", "17.3%"),
            ("number of something else", "13.7%", "33.2%"),
        ]),
        ("counted", "322 people answered in Q2, 34 more than in Q1.", [
            ("miscomputed derivation", "34", "44"),
            ("sign or direction", "34 more", "34 fewer", "34"),
        ]),
        ("constants of a method", "Promoters are the 9s and 10s, detractors 0 to 6, as usual. The mean rating went from 7.88 to 8.23.", [
            ("digit", "8.23", "8.32"),
            ("rounding", "7.88 to 8.23", "7.8 to 8.2", "7.8"),
        ]),
        ("list or table", "Q1: 130 promoters / 104 passives / 54 detractors\nQ2: 171 promoters / 107 passives / 44 detractors", [
            ("digit", "171", "117"),
            ("swapped entity", "104 passives / 54 detractors", "54 passives / 104 detractors", ["54", "104"]),
        ]),
        ("derived", "Across both quarters you had 610 ratings, 301 of them from promoters, so just under half.", [
            ("miscomputed derivation", "610", "620"),
            ("miscomputed derivation", "301", "311"),
        ]),
    ],
}
