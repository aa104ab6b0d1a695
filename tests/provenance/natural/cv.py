{
    "domain": 'cv',
    "question": 'Which model should we deploy?',
    "cells": [
        r"""
scores = {"logistic": [0.812, 0.798, 0.825, 0.807, 0.819], "forest": [0.861, 0.842, 0.870, 0.855, 0.848], "boosting": [0.868, 0.859, 0.881, 0.846, 0.873]}
import statistics as st
for m, s in scores.items():
    print(f"{m:10s} mean AUC {st.mean(s):.4f} +/- {st.stdev(s):.4f}  (best fold {max(s)}, worst fold {min(s)})")
fit = {"logistic": 0.4, "forest": 12.8, "boosting": 31.5}
for m, s in fit.items():
    print(f"{m}: {s} s to train")
""",
        r"""
cm = [[1712, 88], [141, 559]]
tn, fp, fn, tp = cm[0][0], cm[0][1], cm[1][0], cm[1][1]
print("confusion matrix:", cm)
print("precision", round(tp / (tp + fp), 3), "recall", round(tp / (tp + fn), 3), "accuracy", round((tp + tn) / 2500, 4))
""",
    ],
    "answers": [
        ('plain', 'Boosting achieves the best mean AUC (0.8654 ± 0.0135), slightly ahead of the random forest (0.8552 ± 0.0109).', [
            ('swapped entity', '0.8654', '0.8122'),
            ('digit', '0.8552', '0.8525'),
            ('swapped entity', '0.0135', '0.0105'),
        ]),
        ('plain', 'However, it takes 31.5 s to train, 2.5 times as long as the forest (12.8 s).', [
            ('miscomputed derivation', '2.5 times', '3.5 times', '3.5'),
            ('digit', '31.5', '35.1'),
        ]),
        ('plain', 'On the test set precision is 86.4 %, recall 79.9 % and accuracy 90.8 %.', [
            ('swapped entity', '86.4 %, recall 79.9 %', '79.9 %, recall 86.4 %', ['79.9 %', '86.4 %']),
            ('digit', '90.8 %', '98.0 %'),
        ]),
        ('derived', 'It missed 141 of the 700 positives and raised 88 false alarms.', [
            ('swapped entity', '141 of', '88 of', '88 of'),
            ('miscomputed derivation', '700', '800'),
        ]),
        ('derived', 'In total 229 of 2,500 cases were misclassified.', [
            ('miscomputed derivation', '229', '292'),
            ('digit', '2,500', '5,200'),
        ]),
        ('derived', 'Compared with logistic regression the AUC improves by 0.0532.', [
            ('miscomputed derivation', '0.0532', '0.0352'),
        ]),
        ('plain', "The forest's folds lie between 0.842 and 0.87.", [
            ('swapped entity', '0.842', '0.798'),
            ('digit', '0.87', '0.78'),
        ]),
        ('inequalities', 'Training logistic regression takes less than half a second (0.4 s), and its AUC never falls below 0.79.', [
            ('digit', '0.4 s', '0.8 s', '0.8'),
            ('invented', '0.79', '0.85'),
        ]),
    ],
}
