{
    "domain": 'fraud classifier',
    "question": 'What score threshold should we use for flagging fraud? Catching a fraud saves 180 euro and a false alarm costs 15.',
    "cells": [
r"""import numpy as np
rng = np.random.default_rng(8)
n_fraud, n_ok = 240, 5760
scores = np.concatenate([rng.beta(5, 3, n_fraud), rng.beta(2, 6, n_ok)])
y = np.concatenate([np.ones(n_fraud), np.zeros(n_ok)])
def at(t):
    flag = scores >= t
    tp = int((flag & (y == 1)).sum()); fp = int((flag & (y == 0)).sum())
    return tp, fp, tp / (tp + fp), tp / n_fraud
tp, fp, prec, rec = at(0.5)
print(f"threshold 0.5: tp={tp} fp={fp} precision={prec:.3f} recall={rec:.3f}")""",
r"""print(" thr    tp    fp  prec   rec     net")
for t in (0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8):
    tp, fp, prec, rec = at(t)
    print(f"{t:4.2f} {tp:5d} {fp:5d} {prec:5.3f} {rec:5.3f} {180 * tp - 15 * fp:7d}")""",
r"""grid = np.round(np.arange(0.30, 0.81, 0.01), 2)
net = {t: 180 * at(t)[0] - 15 * at(t)[1] for t in grid}
best = max(net, key=net.get)
tp, fp, prec, rec = at(best)
print("best threshold", best, "net", net[best], "tp", tp, "fp", fp, "precision", round(prec, 3), "recall", round(rec, 3))
net25 = {t: 180 * at(t)[0] - 25 * at(t)[1] for t in grid}
b25 = max(net25, key=net25.get)
print("if a false alarm cost 25: best", b25, "net", net25[b25])""",
    ],
    "answers": [
        ('summary of an analysis', 'With your costs the best threshold is 0.46. It catches 201 of the 240 frauds (recall 83.8 %) at the price of 529 false alarms, and the net benefit is 28,245 euro. That is 1,305 euro more than the usual cut-off of 0.5, which catches 179 frauds with 352 false alarms.', [
            ('stale value', 'catches 201', 'catches 216', '216'),
            ('stale value', '28,245', '26,940'),
            ('miscomputed derivation', '1,305 euro', '2,305 euro', '2,305'),
            ('wrong column', 'recall 83.8 %', 'recall 27.5 %', '27.5'),
        ]),
        ('plain', 'At 0.5 the precision is 33.7 % and the recall 74.6 %.', [
            ('wrong column', 'precision is 33.7 % and the recall 74.6 %', 'precision is 74.6 % and the recall 33.7 %', ['74.6', '33.7']),
            ('digit', '33.7', '37.3'),
            ('swapped entity', '74.6', '65.8'),
        ]),
        ('plain', 'If a false alarm cost you 25 euro, the optimum would move up to 0.52 and the net would fall to 24,960 euro.', [
            ('stale value', 'to 0.52', 'to 0.46', '0.46'),
            ('stale value', '24,960', '28,245'),
            ('sign or direction', 'would fall to 24,960', 'would grow to 24,960', '24,960'),
        ]),
        ('list or table', '| Threshold | Caught | False alarms | Net (EUR) |\n|---|---|---|---|\n| 0.30 | 230 | 1,929 | 12,465 |\n| 0.40 | 216 | 886 | 25,590 |\n| 0.50 | 179 | 352 | 26,940 |\n| 0.60 | 135 | 98 | 22,830 |\n| 0.80 | 40 | 2 | 7,170 |', [
            ('swapped entity', '| 886 |', '| 190 |', '190'),
            ('digit', '26,940', '29,640'),
            ('scale', '7,170', '71,700'),
            ('swapped entity', '| 135 |', '| 112 |', '112'),
        ]),
        ('derived', 'Moving from 0.5 to 0.6 removes 254 false alarms but loses 44 frauds, so the net drops by 4,110 euro.', [
            ('miscomputed derivation', '254', '244'),
            ('miscomputed derivation', '44 frauds', '34 frauds', '34'),
            ('sign or direction', 'the net drops by 4,110', 'the net grows by 4,110', '4,110'),
            ('wrong column', '4,110 euro', '22,830 euro', '22,830'),
        ]),
        ('derived', 'At the best threshold 39 frauds slip through, about 16 % of them.', [
            ('stale value', '39 frauds', '61 frauds', '61'),
            ('miscomputed derivation', '16 %', '19 %', '19'),
            ('wrong column', '16 %', '27.5 %', '27.5'),
        ]),
        ('plain', 'For the best threshold in the fine grid, precision is 27.5 %, lower than the 33.7 % we saw at 0.5.', [
            ('stale value', '27.5', '19.6'),
            ('wrong column', '27.5 %, lower', '83.8 %, lower', '83.8'),
            ('sign or direction', '27.5 %, lower', '27.5 %, higher', ['27.5', '33.7']),
            ('swapped entity', '33.7', '45.4'),
        ]),
    ],
}
