{
    "domain": 'HR turnover',
    "question": 'Which site has the highest staff turnover and why do people leave?',
    "cells": [
r"""import pandas as pd
h = pd.DataFrame({
    "site": ["Leeds", "Porto", "Krakow", "Austin"],
    "start": [412, 268, 355, 190],
    "joined": [61, 54, 38, 47],
    "left": [83, 29, 41, 52]}).set_index("site")
h["end"] = h.start + h.joined - h.left
h["avg"] = (h.start + h.end) / 2
h["turnover"] = (h.left / h.avg * 100).round(1)
print(h)
print(h[["start", "joined", "left", "end"]].sum())
""",
r"""reasons = {"pay": 72, "manager": 41, "relocation": 28, "career change": 33, "retirement": 19, "other": 12}
total = sum(reasons.values())
for k, v in sorted(reasons.items(), key=lambda kv: -kv[1]):
    print(f"{k:15s}{v:4d} {v/total:6.1%}")
total
""",
    ],
    "answers": [('plain',
  'Austin, with 27.7%. Leeds is second at 20.7%, while Porto has only 10.3%.',
  [('digit', '27.7%', '22.7%', '22.7'), ('swapped entity', '20.7%', '11.6%', '11.6'), ('scale', '10.3%', '1.03%', '1.03')]),
 ('derived',
  "Headcount is practically flat: 200 people joined and 205 left, so you're down 5 to 1,220.",
  [('swapped entity', '200 people joined and 205 left', '205 people joined and 200 left', ['205', '200']),
   ('stale value', '1,220', '1,225'),
   ('invented', '200 people', '230 people', '230')]),
 ('percent',
  'Pay is the main reason, named by 35.1% of leavers, then the manager with 20%. Taken together those two explain 55% of departures.',
  [('wrong column', '35.1%', '72%', '72'), ('miscomputed derivation', '55% of', '65% of', '65'), ('swapped entity', '20%', '16.1%', '16.1')]),
 ('list or table',
  'Net change per site:\n- Porto: +25 (268 → 293)\n- Krakow: -3 (355 → 352)\n- Austin: -5 (190 → 185)\n- Leeds: -22 (412 → 390)',
  [('miscomputed derivation', '-22', '-32'), ('sign or direction', '+25', '-25'), ('digit', '293', '239'), ('digit', '390)', '309)', '309')]),
 ('summary of an analysis',
  '205 employees left last year, 83 of them in Leeds (40%). Relative to its size Austin does worst: 52 departures on an average headcount of under '
  "190 is 27.7%, well over twice Porto's rate. Only 19 people retired, so more than nine in ten leavers went for other reasons, above all pay (72).",
  [('miscomputed derivation', '(40%)', '(30%)', '30'),
   ('wrong column', '52 departures', '47 departures', '47'),
   ('swapped entity', 'Only 19', 'Only 12', '12'),
   ('swapped entity', '(72)', '(41)', '41')]),
 ('counted',
  'Overall turnover was 16.8% (205 exits on an average staff of about 1,222), and two of the four sites are above that.',
  [('wrong statistic', '16.8%', '17.6%', '17.6'), ('miscomputed derivation', '1,222', '1,322')])],
}
