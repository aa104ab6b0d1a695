{
    "domain": 'savings plan simulation',
    "question": 'If I put 250 a month into a fund (7% a year, 15% volatility) for 20 years, what can I expect?',
    "cells": [
r"""import numpy as np
rng = np.random.default_rng(7)
months = 240
sims = 5000
r = rng.normal(0.07 / 12, 0.15 / np.sqrt(12), size=(sims, months))
w = np.zeros(sims)
for m in range(months):
    w = (w + 250) * (1 + r[:, m])
print("paid in:", 250 * months)
print("mean:", round(w.mean()), "median:", round(np.median(w)), "std:", round(w.std()))
""",
r"""for q in (5, 25, 75, 95):
    print(f"p{q}: {np.percentile(w, q):,.0f}")
print("share below paid-in:", (w < 60000).mean())
print("share above 200k:", (w > 200000).mean())
print("best", round(w.max()), "worst", round(w.min()))
""",
    ],
    "answers": [('plain',
  'The median outcome is about 118,000, on 60,000 paid in.',
  [('wrong statistic', '118,000', '131,000'), ('wrong statistic', '118,000', '63,000'), ('scale', '60,000', '600,000')]),
 ('percent',
  "There's a 5.5% chance of ending up with less than you put in, and a 12.3% chance of more than 200k.",
  [('scale', '5.5%', '0.055%', '0.055'),
   ('sign or direction', 'of more than 200k', 'of less than 200k', '12.3'),
   ('digit', '12.3%', '13.2%', '13.2')]),
 ('inequalities',
  "In nine out of ten runs you finish between roughly 59,000 and 251,000; half of the time it's between 87,000 and 160,000.",
  [('digit', '251,000', '215,000'), ('digit', '87,000', '78,000'), ('invented', '59,000', '69,000')]),
 ('derived',
  "On average you'd end with 131,324, a gain of some 71,300 over your contributions. The median is lower because a few lucky paths pull the mean up "
  'by almost 14,000.',
  [('miscomputed derivation', '71,300', '73,100'),
   ('miscomputed derivation', '14,000', '24,000'),
   ('sign or direction', 'gain of some 71,300', 'loss of some 71,300', '71,300')]),
 ('list or table',
  'From 5,000 simulated paths over 240 months:\n'
  '\n'
  '| | Final value |\n'
  '|---|---|\n'
  '| Worst | 29,328 |\n'
  '| 5th percentile | 58,753 |\n'
  '| Median | 117,577 |\n'
  '| Mean | 131,324 |\n'
  '| 95th percentile | 251,439 |\n'
  '| Best | 660,698 |',
  [('wrong statistic', '58,753', '87,209'),
   ('scale', '660,698', '66,070'),
   ('digit', '117,577', '115,777'),
   ('wrong statistic', '| 131,324 |', '| 63,090 |', '63,090')]),
 ('fractions in words',
  "In the unluckiest run you'd lose about half of your 60,000, and in the luckiest you'd have 11 times that amount. More realistically, you have a "
  'one-in-eight shot at over 200,000.',
  [('miscomputed derivation', '11 times', '22 times', '22'), ('swapped entity', 'over 200,000', 'over 250,000', '250,000')])],
}
