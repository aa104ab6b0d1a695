{
    "domain": 'personal budget',
    "question": 'Did I stay within my budget this month? Take-home pay is 2985.',
    "cells": [
r"""import pandas as pd
b = pd.DataFrame({
    "category": ["Rent", "Groceries", "Transport", "Utilities", "Dining", "Subscriptions", "Insurance", "Other"],
    "planned": [1150, 420, 140, 165, 120, 45, 98, 150],
    "actual": [1150, 487, 112, 181, 214, 61, 98, 133]})
b["diff"] = b.actual - b.planned
b["pct"] = (b["diff"] / b.planned * 100).round(1)
b
""",
r"""income = 2985
print("planned", b.planned.sum(), "actual", b.actual.sum(), "over by", b.actual.sum() - b.planned.sum())
print("left over:", income - b.actual.sum(), " savings rate:", round((income - b.actual.sum()) / income * 100, 1), "%")
print("over budget:", (b["diff"] > 0).sum(), "under:", (b["diff"] < 0).sum())
print("rent share of income:", round(1150 / income, 3))
""",
    ],
    "answers": [('plain',
  "Not quite: you spent 2,436 against a plan of 2,288, so you're 148 over.",
  [('digit', '2,436', '2,346'), ('sign or direction', '148 over', '148 under', '148'), ('swapped entity', '148 over', '94 over', '94')]),
 ('percent',
  'You overshot by about 6.5%, and still saved 18.4% of your pay.',
  [('miscomputed derivation', '6.5%', '16.5%', '16.5'), ('digit', '18.4%', '14.8%', '14.8'), ('invented', '18.4%', '23.0%', '23.0')]),
 ('derived',
  'The biggest miss is dining out, 94 above plan (+78%). Together with groceries that is 161, more than the whole overrun.',
  [('miscomputed derivation', '161', '151'),
   ('swapped entity', '94 above', '67 above', '67'),
   ('sign or direction', '94 above', '94 below', '94'),
   ('digit', '+78%', '+87%', '87')]),
 ('list or table',
  'Over plan:\n'
  '- Dining: 214 instead of 120\n'
  '- Groceries: 487 instead of 420\n'
  '- Utilities: +16\n'
  '- Subscriptions: 61 instead of 45\n'
  '\n'
  'Under plan: Transport (-28) and Other (-17). Rent (1,150) and insurance (98) were exactly as planned.',
  [('digit', '487', '478'),
   ('sign or direction', '(-28)', '(+28)', '28'),
   ('invented', '61 instead', '65 instead', '65'),
   ('digit', '(1,150)', '(1,510)', '1,510')]),
 ('small integers',
  'Four of the eight categories were over budget, 2 were under and 2 hit the plan exactly. You ended the month with 549 left.',
  [('number of something else', '2 were under', '3 were under', '3'),
   ('miscomputed derivation', '549 left', '697 left', '697'),
   ('digit', '549 left', '594 left', '594')]),
 ('summary of an analysis',
  'Rent alone eats 38.5% of your take-home pay and 47% of what you spent. After all expenses, 549 remain, which is a savings rate of 18.4%. Had you '
  'kept to the plan it would have been 697, or a bit over 23%.',
  [('wrong statistic', '38.5% of', '50.3% of', '50.3'),
   ('miscomputed derivation', '47% of', '37% of', '37'),
   ('miscomputed derivation', 'been 697', 'been 645', '645'),
   ('miscomputed derivation', '23%', '30%', '30')])],
}
