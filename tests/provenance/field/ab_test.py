{
    "domain": 'A/B test',
    "question": 'Variant A had 14,820 visitors and 1,037 signups, B had 14,765 and 1,162. Is B really better?',
    "cells": [
r"""import math
data = {"A": {"visitors": 14820, "signups": 1037}, "B": {"visitors": 14765, "signups": 1162}}
for k, d in data.items():
    d["rate"] = d["signups"] / d["visitors"]
    print(k, d["visitors"], d["signups"], f"{d['rate']:.4f}")
""",
r"""a, b = data["A"], data["B"]
diff = b["rate"] - a["rate"]
pool = (a["signups"] + b["signups"]) / (a["visitors"] + b["visitors"])
se = math.sqrt(pool * (1 - pool) * (1 / a["visitors"] + 1 / b["visitors"]))
z = diff / se
p = math.erfc(abs(z) / math.sqrt(2))
se_u = math.sqrt(a["rate"] * (1 - a["rate"]) / a["visitors"] + b["rate"] * (1 - b["rate"]) / b["visitors"])
lo, hi = diff - 1.96 * se_u, diff + 1.96 * se_u
print(f"diff = {diff*100:.2f} pp, relative lift = {diff/a['rate']*100:.1f}%")
print(f"z = {z:.2f}, p = {p:.4f}")
print(f"95% CI: [{lo*100:.2f}, {hi*100:.2f}] pp")
""",
    ],
    "answers": [('percent',
  'Yes. B converts at 7.87% versus 7.00% for A, and the difference is significant (p = 0.0042).',
  [('wrong statistic', '7.87%', '7.43%', '7.43'), ('digit', 'p = 0.0042', 'p = 0.0024', '0.0024'), ('scale', 'p = 0.0042', 'p = 0.042', '0.042')]),
 ('constants of a method',
  'The 95% confidence interval for the uplift runs from 0.27 to 1.47 percentage points, so it excludes zero. At the 5% level you can call this one.',
  [('digit', '1.47', '1.74'), ('sign or direction', 'from 0.27', 'from -0.27', '-0.27'), ('wrong statistic', 'to 1.47', 'to 2.86', '2.86')]),
 ('derived',
  'B brought in 125 more signups than A from slightly fewer visitors, a relative lift of 12.5%.',
  [('miscomputed derivation', '125 more', '135 more', '135'),
   ('wrong statistic', '12.5%', '0.87%', '0.87'),
   ('sign or direction', '125 more', '125 fewer', '125')]),
 ('scale words',
  'The lift is about 0.9 points, i.e. roughly 9 extra signups per 1,000 visitors.',
  [('scale', '9 extra', '90 extra', '90'), ('wrong statistic', '0.9 points', '2.9 points', '2.9')]),
 ('summary of an analysis',
  '**Result: ship B.**\n'
  '\n'
  '- A: 1,037 of 14,820 signed up (7.0%)\n'
  '- B: 1,162 of 14,765 signed up (7.9%)\n'
  '- Difference: +0.87 points (95% CI 0.27 to 1.47), z = 2.86\n'
  '\n'
  'With 29,585 visitors in total the test is reasonably large, but the lower end of the interval means the true gain could be as small as a quarter '
  'of a point.',
  [('sign or direction', '+0.87', '-0.87'),
   ('miscomputed derivation', '29,585', '28,585'),
   ('digit', 'z = 2.86', 'z = 2.68', '2.68'),
   ('digit', '1,162 of', '1,612 of', '1,612')]),
 ('inequalities', 'p is below 0.01, and z is nearly 3.', [('scale', '0.01', '0.001'), ('invented', 'nearly 3', 'nearly 4', '4')])],
}
