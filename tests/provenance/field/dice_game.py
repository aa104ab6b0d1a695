{
    "domain": 'board game simulation',
    "question": 'In our house rule you keep rolling a die and adding up until you stop at a threshold; a 1 loses everything. Which threshold is best?',
    "cells": [
r"""import random
def play(threshold, rng):
    total = rolls = 0
    while total < threshold:
        r = rng.randint(1, 6)
        rolls += 1
        if r == 1:
            return 0, rolls
        total += r
    return total, rolls

def simulate(threshold, n=4000, seed=1):
    rng = random.Random(seed)
    res = [play(threshold, rng) for _ in range(n)]
    mean = sum(x for x, _ in res) / n
    bust = sum(x == 0 for x, _ in res) / n
    rolls = sum(k for _, k in res) / n
    return mean, bust, rolls

m, b, r = simulate(15)
print(f"threshold 15: mean score {m:.2f}, bust rate {b:.1%}, rolls per turn {r:.2f}")""",
r"""print("thr   mean   bust  rolls")
table = {}
for t in (5, 10, 15, 20, 25, 30, 40):
    table[t] = simulate(t, n=4000, seed=2)
    m, b, r = table[t]
    print(f"{t:>3}  {m:5.2f}  {b:5.1%}  {r:5.2f}")""",
r"""fine = {t: simulate(t, n=12000, seed=3) for t in range(17, 24)}
for t, (m, b, r) in fine.items():
    print(t, round(m, 3), round(b, 3))
best = max(fine, key=lambda t: fine[t][0])
print("best threshold:", best, "mean:", round(fine[best][0], 3))""",
    ],
    "answers": [
        ('summary of an analysis', 'In the fine sweep (12,000 turns per threshold) stopping at 21 gives the highest average score, 8.19 points. It is a very flat optimum, though: 19 and 20 score 8.17 and 8.18. At 21 you go bust in about 64 % of turns, so most turns score nothing.', [
            ('stale value', '8.19 points', '8.02 points', '8.02'),
            ('swapped entity', '64 %', '57 %', '57'),
            ('digit', '8.17', '8.71'),
            ('scale', '12,000', '120,000'),
        ]),
        ('plain', 'Best threshold: 21, with a mean of 8.192.', [
            ('stale value', '21,', '20,', '20'),
            ('digit', '8.192', '8.129'),
            ('swapped entity', '8.192', '8.143'),
        ]),
        ('list or table', 'Coarse sweep, 4,000 turns each:\n\n| Stop at | Mean score | Bust |\n|---|---|---|\n| 10 | 6.84 | 41.2 % |\n| 15 | 7.78 | 53.3 % |\n| 20 | 8.02 | 62.8 % |\n| 25 | 7.88 | 70.5 % |\n| 30 | 7.50 | 76.3 % |', [
            ('stale value', '7.78', '7.97'),
            ('stale value', '53.3 %', '52.2 %', '52.2'),
            ('wrong column', '| 8.02 |', '| 3.72 |', '3.72'),
            ('swapped entity', '76.3 %', '85.1 %', '85.1'),
        ]),
        ('derived', 'Going from a threshold of 5 to 20 raises the average by 3.15 points, but the bust rate goes up from a quarter to 62.8 %.', [
            ('miscomputed derivation', '3.15', '2.15'),
            ('sign or direction', 'raises the average by 3.15', 'lowers the average by 3.15', '3.15'),
            ('stale value', '62.8', '52.2'),
        ]),
        ('plain', 'At a threshold of 40 you bust in 85.1 % of turns and roll about five times per turn.', [
            ('digit', '85.1', '81.5'),
            ('wrong column', 'about five times', 'about 6.21 times', '6.21'),
            ('swapped entity', '85.1', '76.3'),
        ]),
        ('derived', 'The first run at 15 gave a mean of 7.97; repeating it with another seed gave 7.78, so noise of roughly 0.2 points is to be expected with 4,000 turns.', [
            ('miscomputed derivation', 'roughly 0.2 points', 'roughly 0.4 points', '0.4'),
            ('wrong column', 'gave 7.78', 'gave 3.17', '3.17'),
            ('digit', '7.97', '9.77'),
        ]),
        ('plain', 'In the last, larger run a threshold of 20 gives 8.18, hardly any worse than the 8.19 at 21.', [
            ('stale value', '8.18,', '8.02,', '8.02'),
            ('swapped entity', '8.18,', '8.07,', '8.07'),
            ('wrong column', '8.18,', '0.623,', '0.623'),
        ]),
    ],
}
