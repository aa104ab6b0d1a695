{
    "domain": 'medicine, continuous glucose monitoring',
    "question": 'Can you compute time in range (70-180 mg/dL) and the usual CGM metrics from my two weeks of sensor data?',
    "cells": [
r"""import numpy as np
rng = np.random.default_rng(5)
n = 14 * 288
h = np.arange(n) / 12 % 24
g = 138 + 28*np.sin((h-9)/24*2*np.pi) + 30*np.exp(-((h-8.5)/1.2)**2) + 45*np.exp(-((h-19.5)/1.5)**2)
noise = np.zeros(n)
for i in range(1, n):
    noise[i] = 0.985*noise[i-1] + rng.normal(0, 5.6)
g = np.clip((g + noise).round(), 40, 400)
print(n, "readings over 14 days; missing:", 0)
print("mean %.1f  sd %.1f  cv %.1f%%" % (g.mean(), g.std(), 100*g.std()/g.mean()))""",
r"""lim = [("very low <54", g < 54), ("low 54-69", (g >= 54) & (g < 70)), ("in range 70-180", (g >= 70) & (g <= 180)),
       ("high 181-250", (g > 180) & (g <= 250)), ("very high >250", g > 250)]
for k, m in lim:
    print(f"{k:16s} {m.mean():7.2%} {m.mean()*24*60:7.0f} min/day")
print("GMI %.2f%%" % (3.31 + 0.02392*g.mean()))""",
r"""byh = np.array([g[(h >= k) & (h < k+1)].mean() for k in range(24)])
print("highest hour", int(byh.argmax()), round(byh.max(), 1), "lowest hour", int(byh.argmin()), round(byh.min(), 1))
d = g.reshape(14, 288)
tir = ((d >= 70) & (d <= 180)).mean(axis=1)
print("daily TIR:", (100*tir).round(0).astype(int).tolist())
print("days with TIR >= 70%:", int((tir >= .7).sum()))""",
    ],
    "answers": [
        ('percent', 'Your time in range is 66%, about 15.8 hours a day.', [
            ('swapped entity', '66%', '32%', '32'),
            ('miscomputed derivation', '15.8 hours', '17.8 hours', '17.8'),
            ('scale', '66%', '0.66%', '0.66'),
            ('question number given as result', '66%', '70%', '70'),
        ]),
        ('plain', 'Mean glucose 157 mg/dL, CV 26.8 %, GMI 7.07 %.', [
            ('wrong statistic', 'CV 26.8 %', 'CV 42.1 %', '42.1'),
            ('digit', '157 mg/dL', '175 mg/dL', '175'),
            ('rounding', '7.07 %', '7.08 %', '7.08'),
        ]),
        ('inequalities', "You're below the usual 70% target: only 6 of the 14 days reached it, and on two days you were under 50%.", [
            ('number of something else', 'only 6 of', 'only 8 of', '8'),
            ('typed literal', 'of the 14 days', 'of the 24 days', '24'),
        ]),
        ('list or table', 'Time in ranges:\n\n- Below 54: 0.9% (12 min/day)\n- 54-69: 1.5% (21 min/day)\n- 70-180: 65.8%\n- 181-250: 31.7%, i.e. 456 min/day\n- Above 250: 0.15%\n\nSo about 32% of the time you are too high and 2.3% too low.', [
            ('rounding', '(21 min/day)', '(22 min/day)', '22'),
            ('miscomputed derivation', '2.3% too low', '3.3% too low', '3.3'),
            ('scale', 'Above 250: 0.15%', 'Above 250: 15%', '15'),
            ('swapped entity', '456 min/day', '948 min/day', '948'),
        ]),
        ('summary of an analysis', 'I evaluated all 4,032 readings. The average is 157 mg/dL with a standard deviation of 42, so variability is fine (the CV of 27% is under the usual 36%). The problem is the evening: between 7 and 8 pm you average 212 mg/dL, almost 100 more than at the lowest point of the night (113 at around 2 am). The best day had 95% in range, the worst just 29%.', [
            ('digit', 'deviation of 42', 'deviation of 24', '24'),
            ('swapped entity', 'just 29%', 'just 49%', '49'),
            ('sign or direction', 'almost 100 more than', 'almost 100 less than', '100'),
            ('digit', '4,032', '4,302'),
        ]),
        ('derived', 'Hypos make up about 33 minutes a day, most of it (21 minutes) only mildly low.', [
            ('miscomputed derivation', '33 minutes', '43 minutes', '43'),
            ('swapped entity', '(21 minutes)', '(12 minutes)', '12'),
            ('scale', '33 minutes', '33 hours', '33'),
        ]),
    ],
}
