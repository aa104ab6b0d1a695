{
    "domain": 'spam',
    "question": 'How good is the spam filter?',
    "cells": [
        r"""
import numpy as np
y_true = np.array([1] * 180 + [0] * 820)
rng = np.random.default_rng(8)
y_pred = np.where(y_true == 1, rng.random(1000) < 0.87, rng.random(1000) < 0.04).astype(int)
tp = int(((y_true == 1) & (y_pred == 1)).sum()); fn = int(((y_true == 1) & (y_pred == 0)).sum())
fp = int(((y_true == 0) & (y_pred == 1)).sum()); tn = int(((y_true == 0) & (y_pred == 0)).sum())
print("confusion matrix:")
print(np.array([[tn, fp], [fn, tp]]))
print("accuracy", (tp + tn) / 1000)
print("precision", round(tp / (tp + fp), 4))
print("recall", round(tp / (tp + fn), 4))
""",
        r"""
print("TP", tp, "FP", fp, "FN", fn, "TN", tn)
print("false positive rate: {:.2%}".format(fp / (fp + tn)))
print("F1 = %.3f" % (2 * tp / (2 * tp + fp + fn)))
""",
    ],
    "answers": [
        ('plain', 'The filter is right in 95.9 % of cases. Its precision is 88.8 % and its recall 88.3 %.', [
            ('digit', '95.9 %', '99.5 %'),
            ('swapped entity', 'precision is 88.8 % and its recall 88.3 %', 'precision is 88.3 % and its recall 88.8 %', ['88.3 %', '88.8 %']),
        ]),
        ('plain', 'It caught 159 of the 180 spam mails and missed 21.', [
            ('swapped entity', '159 of', '800 of', '800'),
            ('swapped entity', 'missed 21', 'missed 20', 'missed 20'),
            ('digit', '159', '195'),
        ]),
        ('plain', '20 legitimate mails were wrongly blocked, a false positive rate of 2.44 %.', [
            ('swapped entity', '20 legitimate', '21 legitimate'),
            ('scale', '2.44 %', '24.4 %'),
            ('digit', '2.44 %', '4.24 %'),
        ]),
        ('derived', 'In total 41 of 1,000 mails were misclassified (4.1 %).', [
            ('miscomputed derivation', '41 of', '42 of', '42'),
            ('miscomputed derivation', '4.1 %', '5.1 %'),
        ]),
        ('plain', 'F1 comes out at 0.886.', [
            ('digit', '0.886', '0.868'),
            ('number of something else', '0.886', '0.959'),
        ]),
        ('derived', '820 mails were legitimate, of which 800 got through.', [
            ('digit', '820', '280'),
            ('swapped entity', '800', '159'),
        ]),
    ],
}
