{
    "domain": "defect classifier",
    "question": "Here are the counts from our weld inspection model on the hold-out set (rows = true class ok / porosity / crack, columns = predicted). How good is it, per class and overall? We care mostly about cracks.",
    "cells": [r"""
import json
import numpy as np

labels = ["ok", "porosity", "crack"]
cm = np.array([[812, 31, 7],
               [24, 143, 13],
               [5, 9, 56]])
print(cm)
print("samples:", cm.sum(), "correct:", np.trace(cm))
print("per class:", dict(zip(labels, cm.sum(axis=1).tolist())))
""", r"""
report = {}
for i, name in enumerate(labels):
    tp = cm[i, i]
    fn = cm[i].sum() - tp
    fp = cm[:, i].sum() - tp
    p, r = tp / (tp + fp), tp / (tp + fn)
    report[name] = {"precision": round(float(p), 4), "recall": round(float(r), 4),
                    "f1": round(float(2 * p * r / (p + r)), 4), "support": int(cm[i].sum())}
print(json.dumps(report, indent=2))
""", r"""
n = cm.sum()
acc = np.trace(cm) / n
macro = np.mean([report[k]["f1"] for k in labels])
expected = (cm.sum(axis=0) * cm.sum(axis=1)).sum() / n**2
kappa = (acc - expected) / (1 - expected)
half = 1.96 * np.sqrt(acc * (1 - acc) / n)
print(f"accuracy {acc:.4f}  (95% CI {acc - half:.4f} to {acc + half:.4f})")
print(f"macro F1 {macro:.4f}  kappa {kappa:.4f}  majority baseline {cm[0].sum() / n:.4f}")
"""],
    "answers": [
        ("summary of an analysis", "Overall accuracy is 91.9% (95% CI 90.3–93.5%), but that is flattered by the many good welds: always answering \"ok\" would already score 77.3%. For cracks, recall is 80.0% and precision 73.7%, so the F1 is 0.767.", [
            ("wrong statistic", "recall is 80.0%", "recall is 76.7%", "76.7%"),
            ("swapped entity", "precision 73.7%", "precision 78.1%", "78.1%"),
            ("digit", "77.3%", "72.7%"),
        ]),
        ("counted", "The model found 56 of the 70 cracks. Of the 14 it missed, 9 were called porosity and 5 were passed as ok.", [
            ("swapped entity", "9 were called porosity and 5 were passed as ok", "5 were called porosity and 9 were passed as ok", ["5 were called porosity", "9 were passed as ok"]),
            ("miscomputed derivation", "Of the 14 it", "Of the 20 it", "20"),
            ("swapped entity", "56 of the 70", "56 of the 180", "180"),
        ]),
        ("fractions in words", "One crack in five slips through, and about a quarter of the crack alarms are false (20 of 76).", [
            ("miscomputed derivation", "20 of 76", "20 of 70"),
            ("digit", "(20 of 76)", "(13 of 76)", "13"),
        ]),
        ("derived", "89 of the 1,100 welds were misclassified, an error rate of 8.1%. Accuracy beats the majority baseline by 14.6 percentage points, and Cohen's kappa of 0.79 says the agreement isn't just chance.", [
            ("miscomputed derivation", "8.1%", "9.2%"),
            ("miscomputed derivation", "14.6 percentage points", "16.4 percentage points", "16.4"),
            ("number of something else", "kappa of 0.79", "kappa of 0.84", "0.84"),
        ]),
        ("list or table", "- **ok**: precision 0.966, recall 0.955, F1 0.960 (850 samples)\n- **porosity**: precision 0.781, recall 0.794, F1 0.788 (180 samples)\n- **crack**: precision 0.737, recall 0.800, F1 0.767 (70 samples)\n\nMacro F1: 0.8385", [
            ("wrong column", "recall 0.794", "recall 0.781", "recall 0.781"),
            ("digit", "F1 0.788", "F1 0.878", "0.878"),
            ("invented", "0.8385", "0.8612"),
        ]),
        ("small integers", "Only 7 good welds were flagged as cracked and 31 as porous, so 38 of the 850 good ones would go to rework for nothing.", [
            ("swapped entity", "Only 7 good", "Only 9 good", "9"),
            ("miscomputed derivation", "38 of the", "48 of the", "48"),
            ("wrong column", "31 as porous", "24 as porous", "24"),
        ]),
        ("inequalities", "Accuracy is above 90% even at the lower end of the 95% interval, yet both defect classes stay below 0.8 in F1, with cracks the weakest at 0.77.", [
            ("digit", "above 90%", "above 92%", "92%"),
            ("sign or direction", "stay below 0.8 in", "stay above 0.8 in", "0.8"),
        ]),
    ],
}
