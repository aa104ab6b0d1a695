{
    "domain": 'cohort',
    "question": 'How do our monthly cohorts retain?',
    "cells": [
        r"""
import pandas as pd
ret = pd.DataFrame({"month_0": [412, 388, 455, 501], "month_1": [231, 198, 260, 311], "month_2": [170, 141, 201, 236], "month_3": [139, 118, 166, 190]},
                   index=["2024-01", "2024-02", "2024-03", "2024-04"])
rate = (ret.div(ret["month_0"], axis=0) * 100).round(1)
print(ret)
print(rate)
""",
        r"""
print("Average retention after 3 months: %.1f%%" % rate["month_3"].mean())
print("Users acquired:", int(ret["month_0"].sum()))
""",
    ],
    "answers": [
        ('plain', 'Of the 412 users who joined in January, 139 were still active three months later, i.e. 33.7 %.', [
            ('digit', '139', '193'),
            ('swapped entity', '33.7 %', '30.4 %'),
            ('swapped entity', '412', '388'),
        ]),
        ('plain', 'Retention after one month climbed from 51.0% for the February cohort to 62.1% for the April cohort.', [
            ('swapped entity', '51.0%', '56.1%'),
            ('sign or direction', 'climbed from 51.0% for the February cohort to 62.1% for the April cohort', 'fell from 51.0% for the February cohort to 62.1% for the April cohort', ['51.0%', '62.1%']),
            ('wrong column', '62.1%', '47.1%'),
        ]),
        ('summary of an analysis', '**Key findings**\n- 1,756 users were acquired over the four cohorts.\n- On average 34.6% remain after 3 months.\n- The best cohort is April 2024 (37.9%), the weakest February (30.4%).', [
            ('digit', '1,756', '1,765'),
            ('swapped entity', '(37.9%)', '(36.5%)', '36.5%'),
            ('swapped entity', '(30.4%)', '(33.7%)', '33.7%'),
        ]),
        ('derived', 'The April cohort started with 89 more users than the January one, a 21.6 % increase.', [
            ('miscomputed derivation', '89', '98'),
            ('miscomputed derivation', '21.6 %', '17.8 %'),
        ]),
        ('derived', 'In month 1 the January cohort lost 181 users, about 44 % of them.', [
            ('miscomputed derivation', '181', '171'),
            ('miscomputed derivation', '44 %', '54 %'),
        ]),
        ('fractions in words', 'Roughly a third of all users are still there after three months.', [
            ('scale', 'a third', '1/30', '1/30'),
        ]),
        ('list or table', '| Cohort | Start | Month 3 | Retention |\n|---|---:|---:|---:|\n| 2024-01 | 412 | 139 | 33.7 % |\n| 2024-02 | 388 | 118 | 30.4 % |\n| 2024-03 | 455 | 166 | 36.5 % |\n| 2024-04 | 501 | 190 | 37.9 % |', [
            ('swapped entity', '| 455 |', '| 545 |', '545'),
            ('wrong column', '| 166 |', '| 201 |', '201'),
            ('swapped entity', '36.5 %', '41.3 %'),
        ]),
        ('derived', 'All in all 613 of the 1,756 users were left after three months (34.9 %).', [
            ('miscomputed derivation', '613', '631'),
            ('miscomputed derivation', '34.9 %', '39.4 %'),
        ]),
    ],
}
