{
    "domain": 'classifier',
    "question": 'Evaluate the spam classifier on the test set.',
    "cells": ['''
tp, fp, fn, tn = 318, 27, 41, 1114
n = tp+fp+fn+tn
metrics = {"accuracy": (tp+tn)/n, "precision": tp/(tp+fp), "recall": tp/(tp+fn), "specificity": tn/(tn+fp)}
metrics["f1"] = 2*metrics["precision"]*metrics["recall"]/(metrics["precision"]+metrics["recall"])
{k: round(v, 4) for k, v in metrics.items()}
''', '''
import numpy as np
cm = np.array([[tn, fp],[fn, tp]])
print("confusion matrix [[tn fp] [fn tp]]")
print(cm)
print("test messages:", n)
folds = [0.951, 0.957, 0.948, 0.962, 0.955]
print("5-fold accuracy: mean %.4f, std %.4f" % (np.mean(folds), np.std(folds)))
'''],
    "answers": [
        ('plain', 'The classifier reaches an accuracy of 95.5%, a precision of 92.2% and a recall of 88.6% (F1 0.903).', [
            ('wrong statistic', 'precision of 92.2%', 'precision of 97.6%', '97.6%'),
            ('swapped entity', 'precision of 92.2% and a recall of 88.6%', 'precision of 88.6% and a recall of 92.2%', ['88.6%', '92.2%']),
            ('digit', '0.903', '0.930')]),
        ('small integers', 'It missed 41 spam messages and wrongly flagged 27 legitimate ones out of 1,500.', [
            ('digit', '1,500', '1,550'),
            ('invented', '41 spam', '47 spam', '47')]),
        ('constants of a method', '5-fold cross-validation gives a mean accuracy of 0.9546 (standard deviation 0.0048), so the result is stable.', [
            ('wrong statistic', 'deviation 0.0048', 'deviation 0.9546', 'deviation 0.9546'),
            ('digit', '0.9546', '0.9645')]),
        ('derived', '68 of the 1,500 messages (4.5%) were classified wrongly.', [
            ('miscomputed derivation', '68', '86'),
            ('miscomputed derivation', '4.5%', '5.4%')]),
        ('fractions in words', 'More than nine in ten messages flagged as spam really are spam.', []),
    ],
}
