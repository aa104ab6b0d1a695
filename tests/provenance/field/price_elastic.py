{
    "domain": 'retail pricing',
    "question": 'From ten weeks of price tests, how price sensitive is this product and where is profit highest? Unit cost is 1.85.',
    "cells": [
r"""import numpy as np
price = np.array([3.49, 3.29, 3.79, 2.99, 3.99, 3.59, 3.19, 3.89, 2.89, 3.69])
units = np.array([1215, 1342, 1060, 1498, 958, 1150, 1390, 1021, 1601, 1102])
slope, icpt = np.polyfit(np.log(price), np.log(units), 1)
print("elasticity", slope.round(3))
r = np.corrcoef(np.log(price), np.log(units))[0, 1]
print("R2", (r**2).round(3))
print("mean price", price.mean().round(2), "mean units", units.mean())
""",
r"""cost = 1.85
for p in (2.99, 3.49, 3.99, 4.49):
    u = np.exp(icpt + slope * np.log(p))
    print(f"{p:.2f}  units {u:6.0f}  revenue {p*u:8.0f}  profit {(p-cost)*u:8.0f}")
""",
    ],
    "answers": [('plain',
  'The price elasticity is -1.545, so a 1% price increase costs you roughly 1.5% of units.',
  [('sign or direction', '-1.545', '+1.545', '1.545'), ('digit', '-1.545', '-1.454', '-1.454'), ('scale', 'roughly 1.5%', 'roughly 15%', '15')]),
 ('derived',
  'Going from 3.49 to 3.99 would cut volume by 225 units a week (about 19%) but lift profit by 120.',
  [('miscomputed derivation', '225', '275'),
   ('wrong column', 'profit by 120', 'profit by 295', '295'),
   ('sign or direction', 'lift profit by 120', 'reduce profit by 120', '120')]),
 ('percent',
  'The fit is excellent: log price explains 99.5% of the variation in log units.',
  [('scale', '99.5%', '0.995%', '0.995'), ('digit', '99.5%', '95.9%', '95.9')]),
 ('list or table',
  '| Price | Units | Revenue | Profit |\n'
  '|---|---|---|---|\n'
  '| 2.99 | 1,526 | 4,563 | 1,740 |\n'
  '| 3.49 | 1,202 | 4,194 | 1,971 |\n'
  '| 3.99 | 977 | 3,899 | 2,091 |\n'
  '| 4.49 | 814 | 3,655 | 2,149 |',
  [('digit', '4,563', '4,653'), ('typed literal', '1,526', '1,498'), ('digit', '1,971', '1,791'), ('digit', '2,149', '2,194')]),
 ('summary of an analysis',
  'Demand is elastic (-1.5), so revenue falls with every increase, from 4,563 at 2.99 to 3,655 at 4.49, a drop of 20%. Profit does the opposite and '
  "climbs from 1,740 to 2,149. I'd stop at 3.99 though: the next step adds just 58, and 4.49 lies outside the range you tested.",
  [('miscomputed derivation', '20%', '25%', '25'),
   ('miscomputed derivation', 'just 58', 'just 178', '178'),
   ('swapped entity', '2,149', '2,091'),
   ('sign or direction', 'climbs from 1,740 to 2,149', 'falls from 1,740 to 2,149', ['1,740', '2,149'])]),
 ('plain',
  'Across the test weeks the price averaged 3.48 and sales about 1,234 units.',
  [('swapped entity', '1,234', '1,202'), ('invented', '3.48', '3.64'), ('scale', '1,234', '12,340')])],
}
