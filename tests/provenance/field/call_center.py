{
    "domain": 'call centre',
    "question": 'How long do callers wait at our hotline, and does the waiting drive them away?',
    "cells": [
r"""import numpy as np
rng = np.random.default_rng(11)
waits = rng.gamma(1.6, 55, size=850).round().astype(int)   # seconds
handle = rng.normal(312, 84, size=850).clip(45).round().astype(int)
abandoned = rng.random(850) < np.where(waits > 180, 0.28, 0.03)
print("calls:", len(waits), "abandoned:", abandoned.sum())
print("mean wait:", waits.mean().round(1), "median:", np.median(waits), "p90:", np.percentile(waits, 90).round(1), "max:", waits.max())
print("mean handle time of answered:", handle[~abandoned].mean().round(1), "sd:", handle[~abandoned].std(ddof=1).round(1))
""",
r"""within = (waits <= 60).mean()
print(f"answered/waiting <= 60 s: {within:.3f}")
long_ = waits > 180
print("waits over 180 s:", long_.sum(), "of which abandoned:", (abandoned & long_).sum())
print("abandon rate: %.1f%%, long waits %.1f%%, others %.1f%%" % (100*abandoned.mean(), 100*abandoned[long_].mean(), 100*abandoned[~long_].mean()))
""",
    ],
    "answers": [('plain',
  'Callers wait about a minute and a half on average (90.8 s); the median is 77 seconds.',
  [('swapped entity', '77 seconds', '185 seconds', '185'), ('digit', '90.8 s', '98.0 s', '98.0')]),
 ('derived',
  'Of the 850 calls, 795 were answered. The 29 people who gave up after more than 3 minutes make up just over half of all abandoned calls.',
  [('miscomputed derivation', '795', '821'), ('wrong column', 'The 29 people', 'The 91 people', '91')]),
 ('percent',
  '6.5% of calls were abandoned overall, but 31.9% of those with waits above 180 seconds; for the rest it was 3.4%.',
  [('scale', '6.5%', '65%', '65'), ('digit', '31.9%', '39.1%', '39.1'), ('typed literal', '3.4%', '3.0%', '3.0')]),
 ('inequalities',
  'Only 41% of callers got through the queue within a minute, which is far below an 80% target. One in ten waited over 3 minutes.',
  [('digit', '41%', '14%', '14'), ('wrong statistic', 'over 3 minutes', 'over 5 minutes', '5')]),
 ('list or table',
  '- Calls: 850, of which 55 abandoned\n'
  '- Mean wait: 90.8 s (median 77 s, 90th percentile 185 s)\n'
  '- Longest wait: 383 s, more than six minutes\n'
  '- Average handle time: 315 s, sd 84 s',
  [('wrong statistic', 'Longest wait: 383 s', 'Longest wait: 315.2 s', '315.2'),
   ('typed literal', 'time: 315 s', 'time: 312 s', '312'),
   ('number of something else', 'of which 55', 'of which 29', '29'),
   ('swapped entity', 'sd 84 s', 'sd 105 s', '105')]),
 ('summary of an analysis',
  'Yes, waiting matters. 91 calls (11%) waited longer than three minutes and nearly a third of those hung up, while among the other 759 only 26 did. '
  'So the risk of losing someone is about nine times higher once the wait passes 180 s.',
  [('miscomputed derivation', 'other 759', 'other 795', '795'),
   ('miscomputed derivation', '(11%)', '(17%)', '17'),
   ('number of something else', 'only 26', 'only 55', '55')])],
}
