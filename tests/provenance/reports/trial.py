{
    "domain": 'clinical trial',
    "question": 'Two-arm trial, relapse is the primary endpoint, nausea and dropout secondary. Compute risks, RR with 95% CI, NNT, and look at the symptom score over 24 weeks.',
    "cells": [
r'''import math
arms = {"drug": {"n": 412, "relapse": 61, "nausea": 88, "dropout": 29},
        "placebo": {"n": 408, "relapse": 102, "nausea": 41, "dropout": 24}}

def compare(ev):
    a, n1 = arms["drug"][ev], arms["drug"]["n"]
    c, n2 = arms["placebo"][ev], arms["placebo"]["n"]
    rr = (a / n1) / (c / n2)
    se = math.sqrt(1 / a - 1 / n1 + 1 / c - 1 / n2)
    lo, hi = (math.exp(math.log(rr) + k * 1.96 * se) for k in (-1, 1))
    rd = a / n1 - c / n2
    return a / n1, c / n2, rr, lo, hi, rd

for ev in ("relapse", "nausea", "dropout"):
    p1, p2, rr, lo, hi, rd = compare(ev)
    print(f"{ev:8} drug {p1:6.1%}  placebo {p2:6.1%}  RR {rr:.2f} [{lo:.2f}, {hi:.2f}]  RD {100*rd:+.1f} pp")''',
r'''rd = compare("relapse")[-1]
print("NNT", math.ceil(1 / -rd), "| NNH nausea", math.ceil(1 / compare("nausea")[-1]))''',
r'''import pandas as pd
weeks = pd.DataFrame({"week": [0, 4, 8, 12, 24],
                      "drug": [27.9, 21.3, 16.8, 14.2, 13.1],
                      "placebo": [28.1, 24.6, 22.0, 20.9, 21.4]}).set_index("week")
weeks["diff"] = weeks.drug - weeks.placebo
weeks''',
    ],
    "answers": [
        ('summary of an analysis', 'The drug cut relapses from 25.0% to 14.8% (RR 0.59, 95% CI 0.44–0.79), so about 10 patients have to be treated to prevent one relapse. The price is nausea: 21.4% versus 10.0% (RR 2.13, 95% CI 1.51–3.00). Dropout did not differ significantly (RR 1.20, 0.71–2.02).', [
            ('swapped entity', 'from 25.0% to 14.8%', 'from 14.8% to 25.0%', ['14.8%', '25.0%']),
            ('digit', '0.44–0.79', '0.44–0.97', '0.97'),
            ('number of something else', 'about 10 patients', 'about 19 patients', '19'),
            ('digit', 'RR 2.13', 'RR 2.31', '2.31'),
        ]),
        ('derived', 'In relative terms the risk of relapse fell by 41%, in absolute terms by 10.2 percentage points.', [
            ('miscomputed derivation', 'by 41%', 'by 59%', '59%'),
            ('wrong statistic', 'by 10.2 percentage', 'by 11.3 percentage', '11.3'),
            ('sign or direction', 'fell by 41%', 'rose by 41%', '41%'),
        ]),
        ('counted', '820 patients were randomised, 412 to the drug and 408 to placebo. 61 and 102 of them relapsed, respectively.', [
            ('miscomputed derivation', '820 patients', '802 patients', '802'),
            ('wrong column', '61 and 102', '88 and 102', '88'),
            ('swapped entity', '412 to the drug and 408 to placebo', '408 to the drug and 412 to placebo', ['408', '412']),
        ]),
        ('plain', 'The symptom score went from 27.9 at baseline to 13.1 at week 24 on the drug, and from 28.1 to 21.4 on placebo; the difference at the end is 8.3 points.', [
            ('wrong column', 'to 13.1 at week 24', 'to 14.2 at week 24', '14.2'),
            ('swapped entity', 'to 21.4 on placebo', 'to 20.9 on placebo', '20.9'),
            ('digit', 'is 8.3 points', 'is 3.8 points', '3.8'),
        ]),
        ('small integers', 'NNT is 10 and the number needed to harm for nausea is 9, so for roughly every prevented relapse you also cause one additional case of nausea.', [
            ('digit', 'NNT is 10', 'NNT is 12', '12'),
            ('swapped entity', 'for nausea is 9', 'for nausea is 7', '7'),
        ]),
        ('fractions in words', 'On the drug the score more than halved within 24 weeks, and most of the separation from placebo (6.7 of 8.3 points) was reached by week 12. A quarter of placebo patients relapsed.', [
            ('wrong column', '(6.7 of 8.3', '(5.2 of 8.3', '5.2'),
            ('number of something else', 'by week 12', 'by week 4', 'week 4.'),
        ]),
    ],
}
