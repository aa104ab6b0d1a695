{
    "domain": 'k-NN sweep',
    "question": 'Which k should I use for nearest neighbours on my two-class data, and does scaling the features matter?',
    "cells": [
r"""import numpy as np
rng = np.random.default_rng(15)
n = 300
y = rng.integers(0, 2, n)
x1 = rng.normal(0, 1, n) + 1.3 * y
x2 = (rng.normal(0, 1, n) + 0.9 * y) * 0.02
x3 = rng.normal(0, 6, n)
X = np.column_stack([x1, x2, x3])
tr, te = np.arange(200), np.arange(200, 300)
def acc(X, k):
    d = ((X[te][:, None] - X[tr][None]) ** 2).sum(-1)
    idx = np.argsort(d, axis=1)[:, :k]
    pred = (y[tr][idx].mean(1) > 0.5).astype(int)
    return int((pred == y[te]).sum()), pred
print("class 1 in train:", y[tr].sum(), "of 200; in test:", y[te].sum(), "of 100")
for k in (1, 3, 5, 9, 15, 25, 41):
    print("k", k, "correct", acc(X, k)[0])""",
r"""Z = (X - X[tr].mean(0)) / X[tr].std(0)
print("scaled")
for k in (1, 3, 5, 9, 15, 25, 41):
    print("k", k, "correct", acc(Z, k)[0])""",
r"""W = Z[:, :2]
print("scaled, without x3")
res = {k: acc(W, k)[0] for k in (1, 3, 5, 9, 15, 25, 41)}
print(res)
best = max(res, key=res.get)
pred = acc(W, best)[1]
print("best k", best, "tp", ((pred == 1) & (y[te] == 1)).sum(), "fp", ((pred == 1) & (y[te] == 0)).sum(), "fn", ((pred == 0) & (y[te] == 1)).sum(), "tn", ((pred == 0) & (y[te] == 0)).sum())""",
    ],
    "answers": [
        ('summary of an analysis', 'Scaling matters. On the raw data the best result is 70 of 100 test points correct at k = 25; after standardising it is 78, reached at both k = 25 and k = 41. Dropping the noisy third feature does not help further: the best is then 76, with k = 41.', [
            ('stale value', 'it is 78', 'it is 68', '68'),
            ('swapped entity', 'then 76', 'then 74', '74'),
            ('swapped entity', 'is 70 of', 'is 65 of', '65'),
        ]),
        ('plain', 'With scaling and all three features, k = 9 gets 77 right.', [
            ('stale value', '77', '67'),
            ('swapped entity', '77', '76'),
            ('stale value', '77', '73'),
        ]),
        ('derived', 'At k = 3 scaling brings 11 more correct predictions (76 instead of 65).', [
            ('miscomputed derivation', '11 more', '21 more', '21'),
            ('sign or direction', '11 more correct', '11 fewer correct', '11'),
            ('swapped entity', '(76 instead', '(75 instead', '75'),
        ]),
        ('percent', 'For the final model precision and recall are both 79.3 %: 46 true positives against 12 false positives and 12 false negatives.', [
            ('miscomputed derivation', '79.3 %', '76.0 %', '76.0'),
            ('wrong column', '46 true positives', '30 true positives', '30'),
            ('digit', '79.3', '73.9'),
        ]),
        ('list or table', '| k | Raw | Scaled | Scaled, no x3 |\n|---|---|---|---|\n| 1 | 65 | 67 | 74 |\n| 5 | 68 | 75 | 74 |\n| 15 | 68 | 76 | 75 |\n| 41 | 61 | 78 | 76 |', [
            ('wrong column', '| 61 | 78 |', '| 61 | 70 |', '70'),
            ('digit', '| 61 |', '| 16 |', '16'),
            ('digit', '| 65 | 67 |', '| 56 | 67 |', '56'),
        ]),
        ('plain', 'The test set contains 58 points of class 1, so always guessing that class would already give 58 % - the model adds 18 points.', [
            ('miscomputed derivation', '18 points', '28 points', '28'),
            ('number of something else', 'contains 58 points', 'contains 46 points', '46'),
            ('wrong column', 'give 58 %', 'give 50 %', '50'),
        ]),
    ],
}
