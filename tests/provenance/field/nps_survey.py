{
    "domain": 'customer survey',
    "question": "What's our NPS from the 412 exported answers, with a confidence interval?",
    "cells": [
r"""import numpy as np
rng = np.random.default_rng(99)
p = np.array([1, 1, 1, 2, 2, 5, 6, 14, 24, 22, 22]) / 100
scores = rng.choice(11, size=412, p=p)
scores[::59] = 99       # 'no answer' code in the export
print(len(scores), scores.mean().round(2))
""",
r"""s = scores[scores != 99]
pro, pas, det = (s >= 9).sum(), ((s >= 7) & (s <= 8)).sum(), (s <= 6).sum()
print(len(s), s.mean().round(2), np.median(s))
print(pro, pas, det)
nps = 100 * (pro - det) / len(s)
print("NPS", round(nps, 1))
""",
r"""boot = []
for _ in range(1000):
    b = rng.choice(s, len(s))
    boot.append(100 * ((b >= 9).mean() - (b <= 6).mean()))
print(np.percentile(boot, [2.5, 97.5]).round(1))
print({int(k): int((s == k).sum()) for k in range(11)})
""",
    ],
    "answers": [('plain',
  'Your NPS is 34.3, based on 405 valid answers.',
  [('digit', '34.3', '43.3'), ('stale value', '405', '412'), ('wrong statistic', '34.3', '47.9')]),
 ('constants of a method',
  'The bootstrap 95% interval (1,000 resamples) runs from 27.2 to 41.5 around a score of 34.3.',
  [('digit', '27.2', '22.7'), ('digit', '41.5', '45.1'), ('invented', '34.3', '38.3')]),
 ('derived',
  'There are 194 promoters (48%), 156 passives (39%) and 55 detractors (14%).',
  [('miscomputed derivation', '(48%)', '(38%)', '38'),
   ('swapped entity', '194', '102'),
   ('miscomputed derivation', '(14%)', '(24%)', '24'),
   ('digit', '156', '165')]),
 ('plain',
  'The average rating is 8.07 with a median of 8. (The 9.62 I got at first still contained the code 99 for "no answer".)',
  [('invented', '8.07', '8.52'), ('digit', '8.07', '8.70'), ('typed literal', 'code 99', 'code 59', '59')]),
 ('list or table',
  'How people answered at the top end:\n'
  '\n'
  '1. Score 9: 102\n'
  '2. Score 8: 97\n'
  '3. Score 10: 92\n'
  '4. Score 7: 59\n'
  '\n'
  'Everything from 0 to 6 adds up to 55 answers, with only 2 zeros.',
  [('digit', '59', '95'), ('miscomputed derivation', '55 answers', '65 answers', '65'), ('digit', 'Score 8: 97', 'Score 8: 79', '79')]),
 ('summary of an analysis',
  'I removed 7 rows that held a missing-value code, leaving 405 of 412. Nearly half of the respondents gave a 9 or 10, and fewer than one in seven '
  'scored you 6 or lower, so the NPS comes out at about +34. Sampling error is roughly plus or minus 7 points.',
  [('miscomputed derivation', 'removed 7 rows', 'removed 17 rows', '17'),
   ('sign or direction', '+34', '-34'),
   ('miscomputed derivation', 'leaving 405 of', 'leaving 395 of', '395')])],
}
