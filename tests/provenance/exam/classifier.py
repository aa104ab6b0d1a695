{
    "domain": "model evaluation",
    "question": "Evaluate the churn classifier on the holdout set: confusion counts and precision/recall/F1 at several thresholds, plus AUC with a bootstrap CI. Marketing wants precision of at least 0.7.",
    "cells": [
r"""import numpy as np
rng = np.random.default_rng(7)
n = 2400
y = (rng.random(n) < 0.12).astype(int)
score = np.clip(rng.normal(0.30 + 0.33 * y, 0.16), 0, 1)

def report(th):
    p = (score >= th).astype(int)
    tp = int(((p == 1) & (y == 1)).sum()); fp = int(((p == 1) & (y == 0)).sum())
    fn = int(((p == 0) & (y == 1)).sum()); tn = int(((p == 0) & (y == 0)).sum())
    prec, rec = tp / (tp + fp), tp / (tp + fn)
    return tp, fp, fn, tn, prec, rec, 2 * prec * rec / (prec + rec), (tp + tn) / n

print("positives:", y.sum(), "of", n)
print("thr   TP   FP   FN    TN   prec  recall    F1    acc")
for th in (0.3, 0.4, 0.5, 0.6, 0.7):
    tp, fp, fn, tn, pr, rc, f1, acc = report(th)
    print(f"{th:.1f} {tp:4d} {fp:4d} {fn:4d} {tn:5d}  {pr:.3f}   {rc:.3f} {f1:.3f}  {acc:.3f}")""",
r"""order = np.argsort(score)
rank = np.empty(n); rank[order] = np.arange(1, n + 1)
npos = y.sum()
auc = (rank[y == 1].sum() - npos * (npos + 1) / 2) / (npos * (n - npos))
boots = []
for _ in range(200):
    i = rng.integers(0, n, n)
    yy, ss = y[i], score[i]
    r = np.empty(n); r[np.argsort(ss)] = np.arange(1, n + 1)
    k = yy.sum()
    boots.append((r[yy == 1].sum() - k * (k + 1) / 2) / (k * (n - k)))
print("AUC", auc.round(4), "95% CI", np.percentile(boots, [2.5, 97.5]).round(4))"""],
    "answers": [
        ("plain", "AUC on the holdout set is 0.9316 (95% CI 0.9175–0.9456, 200 bootstrap resamples).", [
            ("digit", "0.9316", "0.9361"),
            ("digit", "0.9175–0.9456", "0.9075–0.9456", "0.9075"),
            ("invented", "200 bootstrap", "1,000 bootstrap", "1,000"),
        ]),
        ("summary of an analysis", "A threshold of 0.6 meets marketing's requirement: precision 0.712 at a recall of 0.548, and it also has the best F1 (0.619) and accuracy (0.922). You'd flag 215 customers, 153 of them correctly, and miss 126 churners.", [
            ("wrong column", "recall of 0.548", "recall of 0.619", "recall of 0.619"),
            ("swapped entity", "precision 0.712", "precision 0.885", "0.885"),
            ("question number given as result", "precision 0.712", "precision 0.700", "0.700"),
            ("number of something else", "flag 215 customers", "flag 279 customers", "279"),
            ("wrong column", "miss 126 churners", "miss 62 churners", "62"),
        ]),
        ("list or table", "| Threshold | Precision | Recall | F1 |\n|---|---|---|---|\n| 0.3 | 0.204 | 0.986 | 0.338 |\n| 0.5 | 0.511 | 0.771 | 0.614 |\n| 0.7 | 0.885 | 0.305 | 0.453 |", [
            ("digit", "0.771", "0.717"),
            ("swapped entity", "| 0.204 | 0.986 |", "| 0.986 | 0.204 |", ["0.986", "0.204"]),
            ("swapped entity", "0.453", "0.477"),
        ]),
        ("derived", "Moving the threshold from 0.5 to 0.6 removes 144 false positives (206 → 62, a cut of 70%) at the price of 62 additional missed churners (64 → 126).", [
            ("miscomputed derivation", "a cut of 70%", "a cut of 30%", "30%"),
            ("miscomputed derivation", "removes 144", "removes 154", "154"),
            ("sign or direction", "62 additional missed", "62 fewer missed", "62 fewer"),
        ]),
        ("percent", "279 of the 2,400 customers churned, so the base rate is 11.6%; always predicting “no churn” would already be right in 88.4% of cases.", [
            ("typed literal", "is 11.6%", "is 12.0%", "12.0%"),
            ("miscomputed derivation", "in 88.4%", "in 86.4%", "86.4%"),
        ]),
        ("inequalities", "Only the thresholds 0.6 and 0.7 reach a precision of at least 0.7; at 0.5 barely more than half of the alarms are real (51.1%), and at 0.3 just one in five.", [
            ("wrong column", "(51.1%)", "(77.1%)", "77.1%"),
        ]),
        ("small integers", "At 0.7 the model raises just 96 alarms, 11 of them false; at 0.3 it misses only 4 churners but raises 1,075 false alarms.", [
            ("miscomputed derivation", "just 96 alarms", "just 85 alarms", "85"),
            ("digit", "1,075 false", "1,057 false", "1,057"),
            ("swapped entity", "misses only 4", "misses only 15", "15"),
        ]),
    ],
}
