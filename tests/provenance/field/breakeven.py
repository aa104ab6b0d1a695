{
    "domain": 'break-even analysis',
    "question": 'My workshop sells at 34 with variable costs of 15.30 per piece. When do I break even, and what if I change the price by 2?',
    "cells": [
r"""fixed = {"rent": 2400, "wages": 6850, "software": 310, "insurance": 265, "loan": 575}
F = sum(fixed.values())
price, var = 34.0, 15.3
cm = price - var
print("fixed", F)
print("contribution", cm, cm / price)
be = F / cm
print("break-even units", be, "revenue", be * price)
""",
r"""def profit(u, p=price):
    return u * (p - var) - F
for u in (400, 500, 600, 700, 800):
    print(u, round(profit(u)))
""",
r"""for p in (32, 34, 36):
    n = F / (p - var)
    print(p, round(n, 1), round(profit(650, p)))
""",
    ],
    "answers": [('plain',
  'You break even at about 556 units a month, or 18,909 in revenue.',
  [('digit', '556 units', '565 units', '565'), ('wrong column', '18,909', '10,400'), ('scale', '18,909', '1,891')]),
 ('units or currency',
  'Every piece contributes €18.70, i.e. 55% of the price, toward fixed costs of €10,400.',
  [('typed literal', '€18.70', '€15.30', '15.30'), ('miscomputed derivation', '55%', '45%', '45'), ('digit', '€10,400', '€14,000', '14,000')]),
 ('derived',
  "At 36 you'd need 54 units fewer to break even; with 650 sold, profit would go up by 1,300 to 3,055.",
  [('miscomputed derivation', '54 units', '64 units', '64'),
   ('sign or direction', '54 units fewer', '54 units more', '54'),
   ('swapped entity', '3,055', '1,755')]),
 ('list or table',
  'Monthly profit by volume (price 34):\n'
  '\n'
  '| Units | Profit |\n'
  '|---:|---:|\n'
  '| 400 | -2,920 |\n'
  '| 500 | -1,050 |\n'
  '| 600 | 820 |\n'
  '| 700 | 2,690 |\n'
  '| 800 | 4,560 |\n'
  '\n'
  'Each additional hundred adds 1,870.',
  [('sign or direction', '-2,920', '+2,920', '2,920'),
   ('miscomputed derivation', '1,870', '1,780'),
   ('digit', '4,560', '4,650'),
   ('scale', '820', '8,200')]),
 ('summary of an analysis',
  'Fixed costs come to 10,400 a month, of which wages alone are nearly two thirds (6,850). That puts the break-even point at 557 pieces; at 500 '
  "you'd lose 1,050, at 700 you'd earn 2,690. Dropping the price to 32 raises the threshold to 623 and would cut your profit at 650 pieces from "
  '1,755 to just 455.',
  [('swapped entity', '(6,850)', '(2,400)', '2,400'),
   ('sign or direction', 'lose 1,050', 'earn 1,050', '1,050'),
   ('swapped entity', '623', '502'),
   ('digit', 'just 455', 'just 545', '545')]),
 ('inequalities',
  'Selling 800 would leave a profit of more than 4,500, and you could lose 30% of that volume before slipping into the red.',
  [('miscomputed derivation', '4,500', '5,500'), ('miscomputed derivation', '30% of', '44% of', '44')])],
}
