{
    "domain": "classifier evaluation",
    "question": "Evaluate the spam filter on the 600 held-out mails at threshold 0.5. Then try 0.7, I want precision of at least 95%.",
    "cells": [
r"""
import numpy as np
rng = np.random.default_rng(31)
y = (rng.random(600) < 0.27).astype(int)
score = np.clip(np.where(y == 1, rng.normal(0.74, 0.17, 600), rng.normal(0.31, 0.16, 600)), 0, 1).round(3)

def evaluate(th):
    p = (score >= th).astype(int)
    tp, fp = int(((p == 1) & (y == 1)).sum()), int(((p == 1) & (y == 0)).sum())
    fn, tn = int(((p == 0) & (y == 1)).sum()), int(((p == 0) & (y == 0)).sum())
    prec, rec = tp / (tp + fp), tp / (tp + fn)
    print(f"threshold {th}")
    print(f"  TP {tp}  FP {fp}  FN {fn}  TN {tn}")
    print(f"  accuracy {(tp + tn) / len(y):.4f}  precision {prec:.4f}  recall {rec:.4f}  F1 {2 * prec * rec / (prec + rec):.4f}")
    return prec, rec
precision, recall = evaluate(0.5)
""",
r"""
precision, recall = evaluate(0.7)
order = np.argsort(score)
rank = np.empty(600); rank[order] = np.arange(1, 601)
n1 = y.sum(); n0 = 600 - n1
auc = (rank[y == 1].sum() - n1 * (n1 + 1) / 2) / (n1 * n0)
print("AUC", round(auc, 4), "spam", n1, "ham", n0)
print("Previous model: AUC 0.9412, accuracy 0.93")
"""],
    "answers": [
        ("percent", "At 0.7 precision is 97.7%, so the goal is met, but recall drops to 53.8%.", [
            ("stale value", "97.7%", "72.6%"),
            ("stale value", "53.8%", "86.5%"),
            ("question number given as result", "97.7%", "95.0%"),
        ]),
        ("counted", "Only 2 of the 444 legit mails get flagged now, against 51 before. The price: 72 spam mails slip through.", [
            ("stale value", "72", "21"),
            ("digit", "51", "15"),
        ]),
        ("plain", "An AUC of 0.955 says that the scores separate spam from ham well.", [
            ("typed literal", "0.955", "0.9412"),
            ("digit", "0.955", "0.595"),
        ]),
        ("percent", "Accuracy hardly moves: 88.0% at threshold 0.5, 87.7% at 0.7.", [
            ("typed literal", "87.7%", "93%"),
            ("swapped entity", "88.0% at threshold 0.5, 87.7% at 0.7", "87.7% at threshold 0.5, 88.0% at 0.7", ["87.7%", "88.0%"]),
        ]),
        ("derived", "Going from 0.5 to 0.7 gets rid of 49 false alarms but also loses 51 true hits.", [
            ("miscomputed derivation", "49", "47"),
            ("miscomputed derivation", "loses 51", "loses 61", "61"),
            ("sign or direction", "gets rid of 49 false alarms but also loses 51 true hits", "adds 49 false alarms but also brings 51 more true hits", ["49", "51"]),
        ]),
        ("fractions in words", "With 0.7 you catch a little more than half of the 156 spam mails, 84 to be exact.", [
            ("stale value", "84", "135"),
            ("question number given as result", "156", "600"),
        ]),
        ("summary of an analysis", "F1 falls from 0.79 to 0.69, since the gain in precision (25 points) is smaller than the loss in recall (33 points). Of the 600 mails 26% are spam. If false positives are what hurts, 0.7 is fine: its 86 alarms contain just 2 mistakes.", [
            ("sign or direction", "falls from 0.79 to 0.69", "rises from 0.69 to 0.79", ["0.69", "0.79"]),
            ("miscomputed derivation", "33 points", "23 points", "23"),
            ("number of something else", "26%", "27%"),
        ]),
    ],
}
