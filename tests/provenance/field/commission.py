{
    "domain": 'sales commission',
    "question": 'Work out the commissions (4% up to 50k, 6% up to 100k, 9% above) and compare with a flat 5.8%.',
    "cells": [
r"""tiers = [(0, 0.04), (50_000, 0.06), (100_000, 0.09)]
def commission(x):
    c = 0
    for (lo, r), hi in zip(tiers, [t[0] for t in tiers[1:]] + [float("inf")]):
        if x > lo:
            c += (min(x, hi) - lo) * r
    return c
sales = {"Maya": 134_200, "Tom": 88_750, "Ines": 47_300, "Rafael": 152_900, "Beth": 61_480}
for n, s in sales.items():
    print(f"{n:7} {s:>8} {commission(s):>10.2f} {commission(s)/s:.2%}")
""",
r"""tot_s, tot_c = sum(sales.values()), sum(commission(s) for s in sales.values())
print(tot_s, tot_c, round(tot_c / tot_s * 100, 2))
flat = 0.058
print({n: round(flat * s - commission(s), 2) for n, s in sales.items()})
print("flat plan total", round(flat * tot_s, 2))
""",
    ],
    "answers": [('plain',
  'Total commission is 26,744.80 on sales of 484,630, an effective 5.52%.',
  [('digit', '26,744.80', '27,644.80'), ('typed literal', '5.52%', '5.8%', '5.8'), ('wrong column', '26,744.80', '28,108.54')]),
 ('plain',
  'Rafael earns the most, 9,761, and Ines the least, 1,892.',
  [('swapped entity', '9,761', '8,078'), ('digit', '1,892', '1,982'), ('wrong column', '1,892', '47,300')]),
 ('derived',
  'A flat 5.8% would cost you 1,364 more in total (28,109 instead of 26,745).',
  [('miscomputed derivation', '1,364', '1,634'), ('sign or direction', '1,364 more', '1,364 less', '1,364'), ('digit', '28,109', '21,809')]),
 ('list or table',
  '**Commission per person**\n'
  '- Rafael: 9,761.00 (6.38% of sales)\n'
  '- Maya: 8,078.00 (6.02%)\n'
  '- Tom: 4,325.00 (4.87%)\n'
  '- Beth: 2,688.80 (4.37%)\n'
  '- Ines: 1,892.00 (4.00%)',
  [('digit', '6.38%', '6.83%', '6.83'),
   ('digit', '2,688.80', '2,868.80'),
   ('swapped entity', '(4.87%)', '(5.52%)', '5.52'),
   ('scale', '8,078.00', '80,780')]),
 ('summary of an analysis',
  'Under the flat plan three people win and two lose: Beth gets 877 more, Ines 851 and Tom 823, whereas Maya would be down 294 and Rafael 893. Your '
  'two top sellers bring in 59% of sales and get two thirds of the commission today, so a flat rate would punish exactly them.',
  [('sign or direction', 'Beth gets 877 more', 'Beth gets 877 less', '877'),
   ('miscomputed derivation', '59%', '69%', '69'),
   ('digit', 'down 294', 'down 249', '249'),
   ('sign or direction', 'would be down 294', 'would be up 294', '294')]),
 ('percent',
  'Effective rates range from 4.0% for Ines to 6.38% for Rafael. He sold 32% of the total volume and takes 36.5% of the commissions.',
  [('miscomputed derivation', '32%', '28%', '28'), ('miscomputed derivation', '36.5%', '46.5%', '46.5'), ('typed literal', '6.38%', '9.0%', '9.0')])],
}
