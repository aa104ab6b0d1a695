{
    "domain": 'public statistics, road accidents',
    "question": 'Road accidents by month in our county, 2022 vs 2023. Did things get better, and how much per 100,000 inhabitants?',
    "cells": [
r"""import pandas as pd
mon = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
a = pd.DataFrame({
  "acc22": [212, 187, 194, 203, 241, 256, 248, 233, 239, 251, 262, 244],
  "inj22": [61, 52, 58, 66, 83, 91, 88, 80, 79, 77, 74, 68],
  "acc23": [198, 171, 189, 210, 229, 247, 251, 218, 226, 233, 240, 219],
  "inj23": [55, 44, 57, 70, 81, 85, 92, 71, 72, 69, 63, 57],
  "fatal23": [1, 0, 2, 1, 3, 2, 4, 2, 1, 2, 1, 0]}, index=mon)
a.sum()""",
r"""a["diff"] = a.acc23 - a.acc22
print(a["diff"].to_dict())
tot = a.sum()
print(f"accidents {100*(tot.acc23/tot.acc22-1):+.1f} %, injured {100*(tot.inj23/tot.inj22-1):+.1f} %")
print("injured per 100 accidents:", round(100*tot.inj22/tot.acc22, 1), "->", round(100*tot.inj23/tot.acc23, 1))""",
r"""pop = 318_400
print("per 100k:", {k: round(tot[k]/pop*1e5, 1) for k in ["acc22", "acc23", "inj22", "inj23", "fatal23"]})
q = a.groupby([i//3 + 1 for i in range(12)])[["acc22", "acc23"]].sum()
q""",
    ],
    "answers": [
        ('plain', 'Yes: accidents fell by 5.0% and injuries by 7.0% compared with 2022.', [
            ('sign or direction', 'accidents fell by 5.0%', 'accidents rose by 5.0%', '5.0'),
            ('swapped entity', 'fell by 5.0% and injuries by 7.0%', 'fell by 7.0% and injuries by 5.0%', ['7.0', '5.0']),
            ('digit', '7.0%', '9.0%', '9.0'),
        ]),
        ('derived', 'There were 139 fewer crashes in 2023 (2,631 instead of 2,770) and 61 fewer people were hurt.', [
            ('miscomputed derivation', '139 fewer', '149 fewer', '149'),
            ('digit', '2,631 instead', '2,613 instead', '2,613'),
            ('sign or direction', '61 fewer', '61 more', '61'),
        ]),
        ('plain', "Per 100,000 inhabitants that's 826 accidents and 6 deaths in 2023.", [
            ('stale value', '826 accidents', '870 accidents', '870'),
            ('number of something else', '6 deaths', '19 deaths', '19'),
            ('scale', '826 accidents', '82.6 accidents', '82.6'),
        ]),
        ('list or table', '| Quarter | 2022 | 2023 | Change |\n|---|---|---|---|\n| Q1 | 593 | 558 | -35 |\n| Q2 | 700 | 686 | -14 |\n| Q3 | 720 | 695 | -25 |\n| Q4 | 757 | 692 | -65 |', [
            ('miscomputed derivation', '-65', '-55'),
            ('digit', '| 686 |', '| 668 |', '668'),
            ('sign or direction', '-25', '+25', '25'),
            ('digit', '| 593 |', '| 539 |', '539'),
        ]),
        ('summary of an analysis', 'Ten of the twelve months improved on the previous year; only April (+7) and July (+3) got worse. The biggest drop came in December with 25 fewer accidents. 816 people were injured, 31 per 100 accidents, and 19 died, four of them in July. Per 100,000 residents the injury rate went down from 275 to 256.', [
            ('number of something else', '816 people', '877 people', '877'),
            ('swapped entity', '25 fewer', '22 fewer', '22'),
            ('sign or direction', 'July (+3)', 'July (-3)', '-3'),
            ('swapped entity', 'down from 275', 'down from 826', '826'),
        ]),
        ('percent', 'The fourth quarter improved most, by 8.6%.', [
            ('miscomputed derivation', '8.6%', '9.4%', '9.4'),
            ('digit', '8.6%', '6.8%', '6.8'),
            ('scale', '8.6%', '0.86%', '0.86'),
        ]),
    ],
}
