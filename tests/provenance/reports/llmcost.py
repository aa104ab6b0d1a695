{
    "domain": 'LLM API costs',
    "question": 'where does our LLM budget go? usage export below, prices: large 5/15, small 0.30/1.20, embed 0.02 $ per 1M in/out. also: what if support moved entirely to the small model',
    "cells": [
r'''import csv, io
from collections import Counter, defaultdict
usage = """model,team,calls,in_tok,out_tok,failed
large,search,1200,2640000,420000,18
large,support,860,1505000,387000,9
large,legal,310,2945000,186000,14
small,search,15400,9240000,1232000,77
small,support,22100,11050000,2873000,133
small,legal,450,1035000,58500,2
embed,search,88000,35200000,0,44
"""
price = {"large": (5.00, 15.00), "small": (0.30, 1.20), "embed": (0.02, 0)}   # USD per million tokens
cost = defaultdict(float); by_team = Counter(); calls = Counter(); fails = Counter()
for r in csv.DictReader(io.StringIO(usage)):
    pi, po = price[r["model"]]
    c = int(r["in_tok"]) / 1e6 * pi + int(r["out_tok"]) / 1e6 * po
    cost[r["model"]] += c; by_team[r["team"]] += c
    calls[r["model"]] += int(r["calls"]); fails[r["model"]] += int(r["failed"])
    print(r["model"], r["team"], round(c, 3), round(c / int(r["calls"]) * 1000, 3))''',
r'''total = sum(cost.values())
print("total", round(total, 2))
for m, c in cost.items():
    print(m, calls[m], round(c, 2), f"{c/total:.1%}", f"fail {fails[m]/calls[m]:.2%}", sep=" | ")
by_team.most_common()''',
r'''# what if all 'support' calls of the large model went to the small one?
now = 1505000 / 1e6 * 5 + 387000 / 1e6 * 15
then = 1505000 / 1e6 * .3 + 387000 / 1e6 * 1.2
now, then, now - then''',
    ],
    "answers": [
        ('summary of an analysis', "You spent $62.44 in total, and 80.6% of it ($50.34) went to the large model although it handled only 2,370 calls. Moving support's large-model calls to the small model would cut $13.33 to $0.92, a saving of $12.41 or about 20% of the bill.", [
            ('digit', '$62.44', '$64.24'),
            ('wrong column', 'only 2,370 calls', 'only 37,950 calls', '37,950'),
            ('miscomputed derivation', 'about 20%', 'about 93%', '93%'),
            ('miscomputed derivation', 'saving of $12.41', 'saving of $14.25', '$14.25'),
        ]),
        ('plain', 'By team: search $24.45, support $20.09, legal $17.90.', [
            ('swapped entity', 'search $24.45, support $20.09', 'search $20.09, support $24.45', ['$20.09', '$24.45']),
            ('rounding', '$17.90', '$17.89'),
        ]),
        ('derived', "Per 1,000 calls, legal's use of the large model is by far the most expensive at $56.50, 3.5 times what search pays ($16.25). Their prompts are simply longer: 9,500 input tokens per call.", [
            ('miscomputed derivation', '3.5 times', '5.3 times', '5.3'),
            ('scale', '9,500 input', '950 input', '950'),
            ('swapped entity', '($16.25)', '($15.50)', '$15.50'),
        ]),
        ('percent', 'Failure rates are low everywhere: 1.73% for large, 0.56% for small and 0.05% for embeddings, 297 failed calls altogether.', [
            ('swapped entity', '0.56% for small', '0.65% for small', '0.65%'),
            ('scale', '0.05% for', '0.5% for', '0.5%'),
            ('miscomputed derivation', '297 failed', '279 failed', '279'),
        ]),
        ('scale words', 'Embeddings processed 35.2 million tokens in 88,000 calls for just 70 cents, 1.1% of the budget.', [
            ('scale', '35.2 million', '3.52 million', '3.52'),
            ('wrong column', '1.1% of', '18.2% of', '18.2%'),
            ('digit', '70 cents', '90 cents', '90'),
        ]),
        ('units or currency', 'The small model took 37,950 calls for $11.39, i.e. about 30 cents per thousand; most of that ($6.76) was support, followed by search ($4.25).', [
            ('miscomputed derivation', 'about 30 cents', 'about 3 cents', '3 cents'),
            ('swapped entity', '($6.76)', '($13.33)', '$13.33'),
            ('digit', '$11.39', '$13.19'),
        ]),
    ],
}
