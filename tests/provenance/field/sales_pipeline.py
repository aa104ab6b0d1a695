{
    "domain": 'sales pipeline',
    "question": 'How is the team closing, and will the open deals get us to the 250k quota?',
    "cells": [
r"""deals = [
    ("D-101", "Ortega", "won", 42000, 38), ("D-102", "Ortega", "lost", 15500, 51), ("D-103", "Singh", "won", 88000, 74),
    ("D-104", "Singh", "open", 61000, 20), ("D-105", "Weber", "won", 12500, 22), ("D-106", "Weber", "won", 9800, 17),
    ("D-107", "Ortega", "open", 33000, 44), ("D-108", "Singh", "lost", 120000, 96), ("D-109", "Weber", "lost", 7600, 30),
    ("D-110", "Weber", "won", 14200, 26), ("D-111", "Ortega", "won", 27500, 45), ("D-112", "Singh", "lost", 54000, 63),
    ("D-113", "Weber", "open", 18900, 12), ("D-114", "Ortega", "lost", 21000, 58),
]
from collections import defaultdict
st = defaultdict(lambda: [0, 0])
for _, rep, s, v, d in deals:
    st[s][0] += 1
    st[s][1] += v
dict(st)
""",
r"""from statistics import mean, median
for rep in ("Ortega", "Singh", "Weber"):
    mine = [d for d in deals if d[1] == rep]
    won = [d for d in mine if d[2] == "won"]
    closed = [d for d in mine if d[2] != "open"]
    print(rep, "| won", len(won), "of", len(closed), "| value", sum(d[3] for d in won), "| win rate %.0f%%" % (100 * len(won) / len(closed)),
          "| open", sum(d[3] for d in mine if d[2] == "open"))
won = [d for d in deals if d[2] == "won"]
print("cycle won:", mean(d[4] for d in won), "lost:", mean(d[4] for d in deals if d[2] == "lost"))
print("deal size won: mean", round(mean(d[3] for d in won)), "median", median(d[3] for d in won))
""",
r"""prob = {"Ortega": 0.4, "Singh": 0.3, "Weber": 0.6}
fc = sum(v * prob[r] for _, r, s, v, d in deals if s == "open")
print("weighted forecast", fc, " quota gap", 250_000 - st["won"][1])
""",
    ],
    "answers": [('plain',
  "You've won 6 deals worth 194,000 so far, which leaves a gap of 56,000 to quota.",
  [('swapped entity', '194,000', '218,100'), ('wrong column', '56,000', '112,900'), ('scale', '194,000', '19,400')]),
 ('derived',
  "No. The weighted forecast for the open deals is 42,840, so you'd still fall about 13,000 short.",
  [('wrong statistic', '42,840', '112,900'), ('miscomputed derivation', '13,000', '23,000'), ('digit', '42,840', '48,240')]),
 ('percent',
  "Weber closes best with a 75% win rate, ahead of Ortega (50%) and Singh (33%). Overall it's 6 out of 11, or 55%.",
  [('swapped entity', '(50%)', '(40%)', '40'),
   ('miscomputed derivation', 'or 55%', 'or 43%', '43'),
   ('number of something else', 'out of 11', 'out of 14', '14')]),
 ('list or table',
  '| Rep | Won / closed | Won value | Still open |\n'
  '|---|---|---|---|\n'
  '| Singh | 1 / 3 | 88,000 | 61,000 |\n'
  '| Ortega | 2 / 4 | 69,500 | 33,000 |\n'
  '| Weber | 3 / 4 | 36,500 | 18,900 |\n'
  '\n'
  'The typical won deal is 20,850 (median).',
  [('wrong statistic', '20,850', '32,333'),
   ('digit', '36,500', '35,600'),
   ('digit', '69,500', '65,900'),
   ('wrong column', '| 61,000', '| 120,000', '120,000')]),
 ('summary of an analysis',
  'In value you actually lost more than you won: 218,100 went away in five deals, against 194,000 in six. Deals you win close in 37 days on average, '
  "those you lose drag on for about 60. Singh's single win of 88,000 is 45% of everything booked, so the picture depends a lot on one deal.",
  [('swapped entity', '218,100', '112,900'),
   ('wrong statistic', '37 days', '32 days', '32'),
   ('miscomputed derivation', '45% of', '36% of', '36'),
   ('digit', '88,000 is', '80,800 is', '80,800')]),
 ('small integers',
  'Three deals are still open, 5 were lost. Won deals took roughly 23 days less than lost ones.',
  [('number of something else', '5 were lost', '6 were lost', '6'),
   ('miscomputed derivation', '23 days', '33 days', '33'),
   ('sign or direction', '23 days less', '23 days more', '23')])],
}
