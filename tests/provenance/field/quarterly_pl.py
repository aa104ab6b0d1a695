{
    "domain": 'quarterly results',
    "question": 'Summarise the four quarters: revenue, margins, growth versus last year (18.74m).',
    "cells": [
r"""q = {"Q1": (4.82, 2.91, 1.17), "Q2": (5.36, 3.18, 1.24), "Q3": (4.95, 3.07, 1.29), "Q4": (6.41, 3.69, 1.46)}
prev = 18.74
tot = [0, 0, 0]
for k, (rev, cogs, opex) in q.items():
    gp = rev - cogs
    ebit = gp - opex
    print(f"{k}: revenue {rev:.2f}m, gross profit {gp:.2f}m ({gp/rev:.1%}), EBIT {ebit:.2f}m ({ebit/rev:.1%})")
    for i, v in enumerate((rev, cogs, opex)):
        tot[i] += v
""",
r"""rev, cogs, opex = tot
print(f"FY revenue {rev:.2f}m  COGS {cogs:.2f}m  opex {opex:.2f}m  EBIT {rev-cogs-opex:.2f}m")
print(f"growth vs last year: {(rev/prev-1):+.1%}")
print(f"EBIT margin: {(rev-cogs-opex)/rev:.1%}")
""",
    ],
    "answers": [('plain',
  'Full-year revenue was 21.54 million, up 14.9% on last year, with EBIT of 3.53 million.',
  [('question number given as result', '21.54', '18.74'),
   ('sign or direction', 'up 14.9%', 'down 14.9%', '14.9'),
   ('scale', '3.53 million', '3.53 billion', '3.53'),
   ('swapped entity', '3.53', '5.16')]),
 ('derived',
  'Revenue grew by €2.8 million. The second half brought in 11.36 million, 1.18 million more than the first.',
  [('miscomputed derivation', '€2.8 million', '€3.8 million', '3.8'),
   ('miscomputed derivation', '11.36', '11.63'),
   ('sign or direction', '1.18 million more', '1.18 million less', '1.18')]),
 ('percent',
  'EBIT margin for the year: 16.4%. The best quarter was Q4 with 19.7%, the weakest Q3 with 11.9%.',
  [('swapped entity', '16.4%', '17.5%', '17.5'), ('wrong column', '19.7%', '42.4%', '42.4'), ('digit', '11.9%', '19.1%', '19.1')]),
 ('list or table',
  '| | Q1 | Q2 | Q3 | Q4 | FY |\n'
  '|---|---|---|---|---|---|\n'
  '| Revenue (m) | 4.82 | 5.36 | 4.95 | 6.41 | 21.54 |\n'
  '| Gross profit (m) | 1.91 | 2.18 | 1.88 | 2.72 | 8.69 |\n'
  '| EBIT (m) | 0.74 | 0.94 | 0.59 | 1.26 | 3.53 |\n'
  '| EBIT margin | 15.4% | 17.5% | 11.9% | 19.7% | 16.4% |',
  [('miscomputed derivation', '8.69', '8.96'),
   ('digit', '| 0.59', '| 0.95', '0.95'),
   ('digit', '6.41', '6.14'),
   ('wrong column', '17.5%', '40.7%', '40.7')]),
 ('summary of an analysis',
  'It was a good year with one dip. Sales slipped 7.6% in the third quarter, and EBIT fell to 0.59m, but Q4 made up for it: revenue jumped by 29% to '
  '6.41m and operating profit more than doubled to 1.26m. The final quarter alone contributed 30% of annual revenue and 36% of EBIT.',
  [('miscomputed derivation', '7.6%', '8.6%', '8.6'),
   ('sign or direction', 'slipped 7.6%', 'gained 7.6%', '7.6'),
   ('miscomputed derivation', '36% of', '46% of', '46'),
   ('wrong column', '1.26m', '1.46m', '1.46')]),
 ('plain',
  'Gross margin was lowest in Q3 at 38.0% and peaked at 42.4% in Q4; for the year as a whole it comes out at 40.3%.',
  [('digit', '42.4%', '44.2%', '44.2'), ('miscomputed derivation', '40.3%', '43.0%', '43.0'), ('wrong column', '38.0%', '11.9%', '11.9')])],
}
