{
    "domain": 'epidemic model',
    "question": 'Simulate a flu outbreak in a school of 900 with R0 of 1.8, then see what vaccinating 30% or closing at weekends (lower contact) would do.',
    "cells": [
r"""def sir(N=900, r0=1.8, infectious=4.0, vacc=0.0, i0=3, days=160):
    S, I, R = N * (1 - vacc) - i0, float(i0), N * vacc
    beta, gamma = r0 / infectious, 1 / infectious
    hist = []
    for d in range(days):
        new = beta * S * I / N
        rec = gamma * I
        S, I, R = S - new, I + new - rec, R + rec
        hist.append((d + 1, S, I, new))
    peak = max(hist, key=lambda h: h[2])
    attacked = N * (1 - vacc) - hist[-1][1]
    return peak[0], peak[2], attacked
day, top, att = sir()
print(f"peak on day {day} with {top:.0f} ill, {att:.0f} infected in total ({att / 900:.1%})")""",
r"""for v in (0.1, 0.2, 0.3, 0.4):
    day, top, att = sir(vacc=v)
    print(f"vaccinated {v:.0%}: peak day {day}, {top:.0f} ill at peak, {att:.0f} infected")""",
r"""print("r0   peakday  peak  infected")
for r0 in (1.4, 1.6, 1.8, 2.2):
    day, top, att = sir(r0=r0)
    print(f"{r0:.1f} {day:>7} {top:>7.0f} {att:>8.0f}")
day, top, att = sir(r0=1.6, vacc=0.2)
print("both (r0 1.6, 20% vaccinated):", day, round(top), round(att))""",
    ],
    "answers": [
        ('summary of an analysis', 'Without measures the outbreak peaks on day 28 with 113 pupils ill at once, and 672 of 900 (74.7 %) catch it. Vaccinating 30 % lowers the peak to 17 and the total to 251. Reducing contacts to an R0 of 1.6 alone is less effective: 589 infections and a peak of 78 on day 33.', [
            ('swapped entity', 'total to 251', 'total to 399', '399'),
            ('swapped entity', 'peak of 78', 'peak of 44', '44'),
            ('wrong column', 'peak to 17', 'peak to 45', '45'),
            ('digit', '672 of', '627 of', '627'),
        ]),
        ('plain', 'With 30 % vaccinated, 251 pupils get infected in total.', [
            ('stale value', '251', '672'),
            ('swapped entity', '251', '101'),
            ('wrong column', '251 pupils', '17 pupils', '17'),
        ]),
        ('derived', 'Vaccinating 30 % prevents 421 infections, a cut of roughly 63 %.', [
            ('miscomputed derivation', '421', '521'),
            ('miscomputed derivation', '63 %', '37 %', '37'),
            ('swapped entity', '421', '273'),
        ]),
        ('derived', 'Combining both measures (R0 1.6 and 20 % vaccinated) leaves 300 infections, 99 fewer than the vaccination alone and 289 fewer than the contact reduction alone.', [
            ('miscomputed derivation', '99 fewer', '109 fewer', '109'),
            ('stale value', 'leaves 300', 'leaves 251', '251'),
            ('sign or direction', '289 fewer', '289 more', '289'),
            ('wrong column', 'leaves 300', 'leaves 46', '46'),
        ]),
        ('list or table', '| Vaccinated | Peak day | Ill at peak | Infected |\n|---|---|---|---|\n| 10 % | 32 | 74 | 539 |\n| 20 % | 38 | 41 | 399 |\n| 30 % | 45 | 17 | 251 |', [
            ('wrong column', '| 38 | 41 |', '| 41 | 38 |', ['41', '38']),
            ('digit', '539', '593'),
            ('swapped entity', '| 74 |', '| 78 |', '78'),
        ]),
        ('plain', 'If the virus were more contagious (R0 2.2), the peak would come earlier, on day 21, with 182 ill.', [
            ('sign or direction', 'would come earlier, on day 21', 'would come later, on day 21', '21'),
            ('wrong column', '182 ill', '775 ill', '775'),
            ('stale value', 'day 21', 'day 28', '28'),
        ]),
        ('plain', 'In the R0 sweep, 1.6 leads to 589 infections, compared with 672 at 1.8 and 775 at 2.2.', [
            ('swapped entity', '589', '470'),
            ('stale value', '589', '539'),
            ('digit', '775', '757'),
            ('wrong column', '775', '182'),
        ]),
    ],
}
