{
    "domain": 'queueing simulation',
    "question": 'How long would customers wait at our counter with one clerk, and would a second clerk be worth it? About 11 people arrive per hour and it takes 4.5 minutes each.',
    "cells": [
r"""import random, statistics as st
def sim(clerks, per_hour=11, service=4.5, hours=400, seed=5):
    rng = random.Random(seed)
    free = [0.0] * clerks
    t, waits = 0.0, []
    while t < hours * 60:
        t += rng.expovariate(per_hour / 60)
        i = min(range(clerks), key=lambda k: free[k])
        start = max(t, free[i])
        waits.append(start - t)
        free[i] = start + rng.expovariate(1 / service)
    return waits
w = sim(1)
print("customers:", len(w))
print(f"mean wait {st.mean(w):.2f} min, median {st.median(w):.2f}, longest {max(w):.1f}")
print(f"waited more than 10 min: {sum(x > 10 for x in w) / len(w):.1%}")""",
r"""w2 = sim(2)
print("customers:", len(w2))
print(f"mean wait {st.mean(w2):.2f} min, median {st.median(w2):.2f}, longest {max(w2):.1f}")
print(f"waited more than 10 min: {sum(x > 10 for x in w2) / len(w2):.1%}; no wait at all: {sum(x == 0 for x in w2) / len(w2):.1%}")""",
r"""print("arrivals/h  clerks  mean wait  >10 min")
for lam in (8, 10, 12, 13):
    for c in (1, 2):
        x = sim(c, per_hour=lam, seed=6)
        print(f"{lam:>9} {c:>7} {st.mean(x):>10.2f} {sum(v > 10 for v in x) / len(x):>8.1%}")""",
r"""saved = st.mean(w) - st.mean(w2)
print(f"minutes saved per customer: {saved:.2f}; per 8-hour day: {saved * 11 * 8:.0f} minutes")""",
    ],
    "answers": [
        ('summary of an analysis', 'With one clerk the 4,334 simulated customers wait almost 20 minutes on average (19.78; the median is 11.81), and 53.6 % of them wait longer than ten minutes. A second clerk cuts the mean to 0.9 minutes: 76.9 % are served at once and only 1.8 % wait over ten minutes. That is a saving of 18.88 minutes per customer.', [
            ('digit', 'only 1.8 %', 'only 8.1 %', '8.1'),
            ('wrong statistic', '(19.78; the', '(148.2; the', '148.2'),
            ('digit', '4,334', '3,443'),
            ('digit', '18.88', '18.18'),
        ]),
        ('plain', 'The longest wait drops from 148.2 to 20.2 minutes when you add a clerk.', [
            ('digit', '148.2', '184.2'),
            ('stale value', 'to 20.2', 'to 19.8', '19.8'),
            ('scale', 'drops from 148.2', 'drops from 14.82', '14.82'),
        ]),
        ('list or table', 'Mean wait in minutes:\n\n| Arrivals per hour | 1 clerk | 2 clerks |\n|---|---|---|\n| 8 | 6.96 | 0.39 |\n| 10 | 17.24 | 0.72 |\n| 12 | 63.12 | 1.22 |\n| 13 | 141.99 | 1.49 |', [
            ('wrong column', '17.24', '45.5'),
            ('digit', '| 0.72 |', '| 0.27 |', '0.27'),
            ('scale', '141.99', '14.199'),
            ('digit', '63.12', '36.12'),
        ]),
        ('derived', 'At 12 customers an hour a single clerk is overwhelmed: the mean wait is 63.12 minutes, more than three and a half times the 17.24 at 10 an hour.', [
            ('swapped entity', '63.12', '141.99'),
            ('stale value', 'the 17.24', 'the 19.78', '19.78'),
            ('wrong column', '63.12', '75.9'),
        ]),
        ('derived', 'Over an 8-hour day that adds up to about 1,661 customer minutes, nearly 28 hours.', [
            ('digit', '1,661', '1,616'),
            ('miscomputed derivation', 'nearly 28 hours', 'nearly 38 hours', '38'),
            ('scale', '1,661', '16,610'),
        ]),
        ('percent', "Even at 13 arrivals an hour, two clerks keep 96.2 % of customers below ten minutes; with one it's just 10.7 %.", [
            ('miscomputed derivation', '96.2', '93.2'),
            ('wrong statistic', '10.7', '89.3'),
            ('wrong statistic', '96.2 %', '3.8 %', '3.8'),
        ]),
    ],
}
