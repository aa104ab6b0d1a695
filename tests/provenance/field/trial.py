{
    "domain": 'medicine, randomised trial',
    "question": 'Here is the 2x2 from our blood pressure trial. Can you give me the relative risk, the absolute reduction and the NNT with confidence intervals?',
    "cells": [
r"""import math
treat_events, treat_n = 41, 612
ctrl_events, ctrl_n = 68, 605
r1, r0 = treat_events / treat_n, ctrl_events / ctrl_n
print(f"risk treatment {r1:.4f}")
print(f"risk control   {r0:.4f}")""",
r"""rr = r1 / r0
se = math.sqrt(1/treat_events - 1/treat_n + 1/ctrl_events - 1/ctrl_n)
lo, hi = math.exp(math.log(rr) - 1.96*se), math.exp(math.log(rr) + 1.96*se)
arr = r0 - r1
odds = (treat_events * (ctrl_n - ctrl_events)) / (ctrl_events * (treat_n - treat_events))
print("RR", round(rr, 3), "95% CI", round(lo, 3), round(hi, 3))
print("OR", round(odds, 3))
print("ARR", round(arr, 4), "NNT", round(1/arr, 1))""",
r"""pool = (treat_events + ctrl_events) / (treat_n + ctrl_n)
z = arr / math.sqrt(pool * (1 - pool) * (1/treat_n + 1/ctrl_n))
p = math.erfc(abs(z) / math.sqrt(2))
z, p""",
r"""side = {"dizziness": (37, 21), "cough": (58, 55), "hypokalaemia": (14, 9), "headache": (62, 79)}
for k, (a, b) in side.items():
    print(f"{k:14s} {a:4d} ({a/treat_n:5.1%})  {b:4d} ({b/ctrl_n:5.1%})")""",
    ],
    "answers": [
        ('plain', 'The relative risk is 0.60 (95% CI 0.41 to 0.86).', [
            ('wrong statistic', '0.60', '0.57'),
            ('digit', '0.86', '0.68'),
            ('swapped entity', '(95% CI 0.41 to 0.86)', '(95% CI 0.41 to 0.96)', '0.96'),
        ]),
        ('percent', 'Events dropped from 11.2% in the control arm to 6.7% on treatment, an absolute reduction of 4.5 percentage points.', [
            ('sign or direction', 'Events dropped from 11.2% in the control arm to 6.7% on treatment', 'Events dropped from 6.7% in the control arm to 11.2% on treatment', ['6.7', '11.2']),
            ('miscomputed derivation', '4.5 percentage points', '5.5 percentage points', '5.5'),
            ('scale', '4.5 percentage points', '0.045 percentage points', '0.045'),
        ]),
        ('small integers', "You'd have to treat 22 patients to prevent one event.", [
            ('number of something else', '22 patients', '41 patients', '41'),
            ('digit', '22 patients', '32 patients', '32'),
            ('scale', '22 patients', '220 patients', '220'),
        ]),
        ('summary of an analysis', "There were 41 events among 612 treated patients and 68 among 605 controls. That corresponds to a relative risk reduction of about 40%, and the difference is significant (z = 2.77, p = 0.006). The confidence interval excludes 1, but it's wide: the true reduction could be anywhere from 14% to 59%.", [
            ('miscomputed derivation', 'about 40%', 'about 30%', '30'),
            ('rounding', 'p = 0.006', 'p = 0.005', '0.005'),
            ('number of something else', '68 among', '79 among', '79'),
            ('miscomputed derivation', 'from 14%', 'from 24%', '24'),
        ]),
        ('list or table', 'Adverse events, treatment vs. control:\n\n- Dizziness: 37 vs. 21 (6.0% vs. 3.5%)\n- Cough: 58 vs. 55, practically the same\n- Hypokalaemia: 14 vs. 9\n- Headache: 62 vs. 79, so less frequent with the drug (10.1% against 13.1%)', [
            ('swapped entity', 'Hypokalaemia: 14 vs. 9', 'Hypokalaemia: 41 vs. 9', '41'),
            ('wrong column', '(6.0% vs. 3.5%)', '(6.0% vs. 9.1%)', '9.1'),
            ('sign or direction', 'less frequent with the drug (10.1% against 13.1%)', 'less frequent with the drug (13.1% against 10.1%)', ['13.1', '10.1']),
        ]),
        ('inequalities', 'The odds ratio, 0.57, is a bit further from 1 than the risk ratio, and p is below 0.01.', [
            ('wrong statistic', '0.57', '0.86'),
            ('number of something else', 'below 0.01', 'below 0.001', '0.001'),
        ]),
        ('derived', 'Dizziness was about 1.7 times as common on the drug, 2.6 points more than in the control arm.', [
            ('miscomputed derivation', '1.7 times', '2.7 times', '2.7'),
            ('sign or direction', '2.6 points more', '2.6 points less', '2.6'),
            ('swapped entity', '1.7 times', '1.1 times', '1.1'),
        ]),
    ],
}
