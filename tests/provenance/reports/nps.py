{
    "domain": 'employee survey',
    "question": "We invited 287 people to the staff survey. I need eNPS overall and by team, the response rate (target was 75 %), and how many say they'll still be here in a year. Which team should I worry about?",
    "cells": [r"""import numpy as np
import pandas as pd

rng = np.random.default_rng(77)
teams = ["Engineering", "Support", "Sales", "Finance", "Operations"]
sizes = [64, 41, 38, 17, 52]
centre = {"Engineering": 7.6, "Support": 6.3, "Sales": 8.1, "Finance": 7.2, "Operations": 6.9}
rows = []
for t, n in zip(teams, sizes):
    for _ in range(n):
        score = int(np.clip(round(rng.normal(centre[t], 2.0)), 0, 10))
        rows.append((t, score, rng.choice(["yes", "no", "unsure"], p=[0.58, 0.24, 0.18]),
                     int(rng.integers(1, 6))))
s = pd.DataFrame(rows, columns=["team", "recommend", "stay_1y", "workload"])
invited = 287
print(len(s), len(s) / invited)
s["recommend"].value_counts().sort_index()""",
r"""def bucket(x):
    return "promoter" if x >= 9 else "passive" if x >= 7 else "detractor"

s["bucket"] = s["recommend"].map(bucket)
tab = pd.crosstab(s["team"], s["bucket"])
tab["n"] = tab.sum(axis=1)
tab["nps"] = ((tab["promoter"] - tab["detractor"]) / tab["n"] * 100).round(1)
print(tab.to_string())
print()
c = s["bucket"].value_counts()
print(c.to_dict(), round((c["promoter"] - c["detractor"]) / len(s) * 100, 1))""",
r"""print(s["stay_1y"].value_counts())
print((s["stay_1y"].value_counts(normalize=True) * 100).round(1))
s.groupby("team")["workload"].agg(["mean", "median", "max"]).round(2)"""],
    "answers": [
        ('summary of an analysis', "**Response rate:** 212 of 287 invited people answered, 73.9 %, so you narrowly missed the 75 % target.\n\n**eNPS:** −6.6 overall (61 promoters, 76 passives, 75 detractors). Sales is the happiest team at +26.3; Support is the one to worry about at −43.9, with 23 detractors and only 5 promoters among its 41 respondents.\n\n**Staying:** 127 people (59.9 %) expect to be here in a year, 45 don't and 40 are unsure.", [
            ('question number given as result', '287 invited people answered, 73.9 %', '287 invited people answered, 75 %', '75 %, so'),
            ('sign or direction', '−6.6 overall', '+6.6 overall', '6.6'),
            ('swapped entity', "45 don't and 40 are unsure", "40 don't and 45 are unsure", ["40 don't", '45 are']),
            ('wrong column', '23 detractors and only 5', '13 detractors and only 5', '13'),
        ]),
        ('plain', 'Your overall eNPS is -6.6: 75 detractors against 61 promoters.', [
            ('wrong column', '75 detractors', '76 detractors', '76'),
            ('digit', '-6.6', '-9.6'),
        ]),
        ('inequalities', "Fewer than three quarters of those invited took part. More than half of Support's respondents are detractors, while under 15 % of them are promoters. Only two of the five teams have a positive score.", [
            ('sign or direction', 'under 15 %', 'over 15 %', '15 %'),
            ('number of something else', 'under 15 % of them', 'under 5 % of them', '5 %'),
        ]),
        ('list or table', 'eNPS by team:\n\n1. Sales: 26.3 (n = 38)\n2. Engineering: 1.6 (n = 64)\n3. Finance: -5.9 (n = 17)\n4. Operations: -11.5 (n = 52)\n5. Support: -43.9 (n = 41)\n\nNote that Finance rests on 17 answers.', [
            ('swapped entity', 'Finance: -5.9', 'Finance: -11.5', 'Finance: -11.5'),
            ('digit', '26.3', '23.6'),
            ('wrong column', '(n = 52)', '(n = 21)', '21'),
            ('sign or direction', 'Engineering: 1.6', 'Engineering: -1.6', '-1.6'),
        ]),
        ('derived', "75 people did not respond, and you'd have needed 216 responses to reach 75 %, i.e. 4 more than you got. The gap between the best team (Sales) and the worst (Support) is 70.2 points.", [
            ('miscomputed derivation', '70.2 points', '17.6 points', '17.6'),
            ('miscomputed derivation', 'i.e. 4 more', 'i.e. 14 more', '14'),
            ('miscomputed derivation', '75 people', '85 people', '85'),
        ]),
        ('fractions in words', 'Around three in five respondents (59.9 %) say they will stay, about a fifth (21.2 %) say no, and the rest (18.9 %) are undecided. The most common recommendation score was 8, given by 45 people; the average is 7.24.', [
            ('wrong statistic', 'score was 8, given', 'score was 10, given', '10'),
            ('miscomputed derivation', '7.24', '7.42'),
            ('digit', '18.9 %', '19.8 %'),
            ('swapped entity', 'by 45 people', 'by 34 people', '34'),
        ]),
        ('small integers', "Workload doesn't explain it: Support's mean rating is 2.95 with a median of 3, the lowest mean of the five teams. Finance is highest with a mean of 3.24 and a median of 4. In every team at least one person gave the maximum of 5.", [
            ('swapped entity', '2.95', '3.11'),
            ('wrong statistic', 'mean of 3.24', 'mean of 4.00', '4.00'),
            ('number of something else', 'the maximum of 5', 'the maximum of 10', '10'),
        ]),
        ('percent', 'Promoters make up 28.8 % of respondents, passives 35.8 % and detractors 35.4 %, hence the slightly negative score.', [
            ('rounding', '28.8 %', '28.7 %'),
            ('swapped entity', 'passives 35.8 % and detractors 35.4 %', 'passives 35.4 % and detractors 35.8 %', ['35.4 %', '35.8 %']),
            ('invented', '28.8 %', '31.5 %'),
        ]),
    ],
}
