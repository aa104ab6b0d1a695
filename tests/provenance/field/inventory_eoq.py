{
    "domain": 'inventory management',
    "question": "Annual demand is 18,600 units, an order costs 85, unit cost 14.20, holding rate 22%. What's the optimal order quantity and when should I reorder?",
    "cells": [
r"""from math import sqrt
demand = 18600        # units per year
order_cost = 85.0
unit_cost = 14.20
hold_rate = 0.22
H = unit_cost * hold_rate
eoq = sqrt(2 * demand * order_cost / H)
print("holding cost/unit/year", H)
print("EOQ", eoq)
print("orders per year", demand / eoq, "days between", 365 / (demand / eoq))
""",
r"""def annual(q): return demand / q * order_cost + q / 2 * H
for q in (500, round(eoq), 1500, 2000):
    print(q, round(annual(q), 2))
""",
r"""sd_day, lead = 14.5, 9
z = 1.645
ss = z * sd_day * sqrt(lead)
rop = demand / 365 * lead + ss
print(f"safety stock {ss:.1f}, reorder point {rop:.1f}")
""",
    ],
    "answers": [('plain',
  'Order about 1,006 units at a time, roughly every 20 days.',
  [('digit', '1,006', '1,060'), ('wrong statistic', '20 days', '18 days', '18')]),
 ('plain',
  'Reorder when stock falls to about 530 units. That includes a safety stock of 72.',
  [('digit', '530 units', '503 units', '503'), ('invented', '72', '67'), ('wrong statistic', '530 units', '459 units', '459')]),
 ('derived',
  'At the optimum you pay 3,143 a year for ordering and holding. Ordering 500 at a time would cost practically 800 more, and 2,000 at a time about '
  '770 more.',
  [('miscomputed derivation', '800 more', '600 more', '600'),
   ('swapped entity', '3,143', '3,397'),
   ('sign or direction', '770 more', '770 less', '770')]),
 ('list or table',
  '| Order size | Annual cost |\n'
  '|---:|---:|\n'
  '| 500 | 3,943.00 |\n'
  '| 1,006 | 3,142.94 |\n'
  '| 1,500 | 3,397.00 |\n'
  '| 2,000 | 3,914.50 |\n'
  '\n'
  'Holding one unit for a year costs 3.12.',
  [('digit', '3,943.00', '3,493.00'), ('swapped entity', '3,397.00', '3,914.00'), ('typed literal', '3.12', '14.20'), ('scale', '3.12', '31.2')]),
 ('constants of a method',
  'Assuming a 9 day lead time and a 95% service level (z = 1.645), safety stock comes to 71.6 units. Expected demand during the lead time is another '
  '459, which gives the reorder point of 530.',
  [('digit', '71.6', '76.1'),
   ('miscomputed derivation', 'another 459', 'another 549', '549'),
   ('stale value', '530', '1,006'),
   ('digit', 'z = 1.645', 'z = 1.465', '1.465')]),
 ('summary of an analysis',
  "The economic order quantity is just over 1,000 units, i.e. 18 or 19 orders a year. The cost curve is flat around it: with 1,500 units you'd pay "
  'only 254 (8%) more annually, while at 500 the bill is a quarter higher. You sell some 51 units a day, so an order lasts just under three weeks.',
  [('miscomputed derivation', '254', '354'),
   ('miscomputed derivation', '51 units', '71 units', '71'),
   ('scale', '1,000 units', '10,000 units', '10,000')])],
}
