{
    "domain": "conf",
    "question": "How good is the fraud classifier?",
    "cells": ['''
import numpy as np
tp, fp, fn, tn = 184, 41, 29, 3746
acc = (tp+tn)/(tp+fp+fn+tn); prec = tp/(tp+fp); rec = tp/(tp+fn)
f1 = 2*prec*rec/(prec+rec)
cm = np.array([[tn, fp],[fn, tp]])
print("confusion matrix:"); print(cm)
print(f"accuracy={acc:.4f} precision={prec:.4f} recall={rec:.4f} f1={f1:.4f}")
print("cases:", cm.sum(), "frauds:", tp+fn)
'''],
    "answers": [
        ("summary of an analysis", "The classifier is right in 98.25 % of the 4,000 cases. It finds 184 of the 213 frauds (recall 86.38 %) and raises 41 false alarms, which gives a precision of 81.78 % and an F1 score of 0.8402.", [
            ("swapped entity", "recall 86.38 %) and raises 41 false alarms, which gives a precision of 81.78 %", "recall 81.78 %) and raises 41 false alarms, which gives a precision of 86.38 %", ["81.78 %", "86.38 %"]),
            ("number of something else", "41 false alarms", "29 false alarms", "29"),
            ("digit", "98.25 %", "98.52 %"),
            ("wrong column", "0.8402", "0.8638")]),
        ("plain", "29 frauds were missed.", [
            ("number of something else", "29", "41")]),
        ("percent", "5.3 % of the cases are fraudulent.", [
            ("miscomputed derivation", "5.3 %", "3.5 %")]),
        ("derived", "It misses 13.6 % of the frauds.", [
            ("miscomputed derivation", "13.6 %", "16.3 %")]),
        ("derived", "In total 70 cases were misclassified.", [
            ("miscomputed derivation", "70", "80")]),
    ],
}
