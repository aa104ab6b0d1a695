{
    "domain": 'education, reading programme evaluation',
    "question": 'We tested 64 pupils before and after a reading programme (32 took part). Did it help? Words per minute.',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(2718)
n = 64
g = np.array(["programme"]*32 + ["control"]*32)
pre = rng.normal(88, 17, n).round()
post = (pre + np.where(g == "programme", 13, 6) + rng.normal(0, 8, n)).round()
post[[9, 40, 51]] = np.nan
df = pd.DataFrame({"group": g, "pre": pre, "post": post})
print(df.groupby("group")[["pre", "post"]].agg(["count", "mean", "std"]).round(1))""",
r"""c = df.dropna().assign(gain=lambda x: x.post - x.pre)
s = c.groupby("group").gain.agg(["count", "mean", "median", "std", "min", "max"]).round(2)
print(s)
print("worse than before:", c[c.gain < 0].groupby("group").size().to_dict())""",
r"""a, b = c[c.group == "programme"].gain, c[c.group == "control"].gain
diff = a.mean() - b.mean()
se = np.sqrt(a.var()/len(a) + b.var()/len(b))
d = diff / np.sqrt(((len(a)-1)*a.var() + (len(b)-1)*b.var()) / (len(a)+len(b)-2))
perm = []
x = c.gain.values; k = len(a)
for _ in range(2000):
    y = rng.permutation(x); perm.append(y[:k].mean() - y[k:].mean())
print("difference %.2f +- %.2f, Cohen d %.2f, permutation p %.4f" % (diff, se, d, (np.abs(perm) >= abs(diff)).mean()))""",
    ],
    "answers": [
        ('plain', 'It helped: programme pupils gained 14.2 words per minute, the controls 8.6.', [
            ('swapped entity', 'gained 14.2 words per minute, the controls 8.6', 'gained 8.6 words per minute, the controls 14.2', ['8.6', '14.2']),
            ('wrong statistic', '14.2', '12.0'),
            ('digit', '14.2', '12.4'),
        ]),
        ('derived', 'The extra gain is 5.7 wpm (standard error 2.4), a medium effect with d = 0.61 and p = 0.02.', [
            ('wrong statistic', '5.7 wpm', '14.2 wpm', '14.2'),
            ('miscomputed derivation', '5.7 wpm', '6.7 wpm', '6.7'),
            ('digit', '0.61', '0.16'),
            ('scale', 'p = 0.02', 'p = 0.002', '0.002'),
        ]),
        ('counted', 'Three pupils missed the second test, leaving 31 in the programme and 30 controls.', [
            ('question number given as result', '31 in', '32 in', '32'),
            ('number of something else', '30 controls', '29 controls', '29'),
        ]),
        ('summary of an analysis', 'Before the programme the two groups were at 88.7 (programme) and 83.8 words per minute. Afterwards they averaged 104.3 and 92.9. Among those with both tests the mean gain was 14.23 versus 8.57; everyone in the programme improved, by at least 2 words, whereas 5 control pupils got worse, one of them by 18. The permutation test gives p = 0.0195, below the usual 0.05.', [
            ('swapped entity', '104.3 and 92.9', '92.9 and 104.3', ['92.9', '104.3']),
            ('wrong statistic', 'versus 8.57', 'versus 10.0', '10.0'),
            ('digit', 'p = 0.0195', 'p = 0.0159', '0.0159'),
            ('number of something else', 'by 18.', 'by 24.', '24'),
        ]),
        ('list or table', '| Group | n | Mean gain | Median | SD | Range |\n|---|---|---|---|---|---|\n| Programme | 31 | 14.23 | 12 | 8.57 | 2 to 35 |\n| Control | 30 | 8.57 wpm | 10 | 9.96 | -18 to 24 |', [
            ('wrong column', '14.23', '104.3'),
            ('swapped entity', '9.96', '18.1'),
            ('sign or direction', '-18 to', '18 to', '18'),
            ('digit', '2 to 35', '2 to 53', '53'),
        ]),
        ('plain', 'The biggest individual improvement was 35 wpm; a sixth of the control group (5 pupils) did worse than before.', [
            ('swapped entity', '35 wpm', '24 wpm', '24'),
            ('number of something else', '(5 pupils)', '(8 pupils)', '8'),
        ]),
    ],
}
