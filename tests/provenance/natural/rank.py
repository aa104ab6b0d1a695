{
    "domain": 'rank',
    "question": 'How did the universities change in the ranking?',
    "cells": [
        r"""
import json
data = {"Aldine": {"score_2023": 71.4, "score_2024": 74.9, "students": 18200, "staff": 1450},
        "Brookfield": {"score_2023": 78.0, "score_2024": 76.2, "students": 25100, "staff": 2310},
        "Cardon": {"score_2023": 66.3, "score_2024": 69.8, "students": 9800, "staff": 610},
        "Dunmore": {"score_2023": 80.5, "score_2024": 81.1, "students": 31400, "staff": 2760}}
print(json.dumps(data, indent=2))
""",
        r"""
out = {k: {"gain": round(v["score_2024"] - v["score_2023"], 1), "students_per_staff": round(v["students"] / v["staff"], 2)} for k, v in data.items()}
out
""",
        r"""
ranking = sorted(data, key=lambda k: -data[k]["score_2024"])
for i, k in enumerate(ranking, 1):
    print(i, k, data[k]["score_2024"])
print("mean score 2024:", sum(v["score_2024"] for v in data.values()) / len(data))
""",
    ],
    "answers": [
        ('plain', 'Dunmore stays first with 81.1 points, ahead of Brookfield (76.2).', [
            ('swapped entity', '76.2', '74.9'),
            ('wrong column', '81.1', '80.5'),
            ('digit', '81.1', '88.1'),
        ]),
        ('plain', 'Brookfield is the only one that lost ground (-1.8), whereas Aldine and Cardon each gained 3.5.', [
            ('sign or direction', '(-1.8)', '(+1.8)', '+1.8'),
            ('swapped entity', 'gained 3.5', 'gained 0.6', '0.6'),
            ('digit', '3.5', '5.3'),
        ]),
        ('plain', 'Cardon has 16.07 students per member of staff, Brookfield just 10.87.', [
            ('swapped entity', '16.07 students per member of staff, Brookfield just 10.87', '10.87 students per member of staff, Brookfield just 16.07', ['10.87', '16.07']),
            ('swapped entity', '10.87', '11.38'),
            ('digit', '16.07', '17.06'),
        ]),
        ('plain', 'The average score in 2024 is 75.5.', [
            ('digit', '75.5', '77.5'),
            ('number of something else', '75.5', '74.9'),
        ]),
        ('derived', 'The four universities have 84,500 students in total, 37.2 % of them at Dunmore.', [
            ('miscomputed derivation', '84,500', '85,400'),
            ('miscomputed derivation', '37.2 %', '32.7 %'),
        ]),
        ('derived', 'The gap between first and last place is 11.3 points.', [
            ('miscomputed derivation', '11.3', '13.1'),
        ]),
    ],
}
