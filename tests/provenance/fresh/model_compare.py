{
    "domain": "model comparison",
    "question": "Which of the three classifiers should we deploy?",
    "cells": ['''
results = {
    "logistic": {"accuracy": 0.842, "precision": 0.811, "recall": 0.774, "auc": 0.903, "seconds": 1.8},
    "forest": {"accuracy": 0.871, "precision": 0.866, "recall": 0.801, "auc": 0.934, "seconds": 24.6},
    "boosting": {"accuracy": 0.883, "precision": 0.859, "recall": 0.838, "auc": 0.947, "seconds": 61.3},
}
for model, m in results.items():
    print(f"{model:10s} acc={m['accuracy']:.3f} prec={m['precision']:.3f} rec={m['recall']:.3f} auc={m['auc']:.3f} time={m['seconds']}s")
''', '''
f1 = {k: round(2 * m["precision"] * m["recall"] / (m["precision"] + m["recall"]), 3) for k, m in results.items()}
print("F1:", f1)
tn, fp, fn, tp = 731, 62, 73, 378
print("confusion", [[tn, fp], [fn, tp]])
print("test size", tn + fp + fn + tp)
'''],
    "answers": [
        ("summary of an analysis", "I would deploy **boosting**: it has the best accuracy (0.883), recall (0.838) and AUC (0.947). Its only drawback is the training time of 61.3 s, compared with 24.6 s for the forest and 1.8 s for logistic regression. The forest is slightly more precise (0.866).", [
            ("wrong column", "recall (0.838)", "recall (0.859)", "0.859"),
            ("swapped entity", "24.6 s for the forest and 1.8 s for logistic", "1.8 s for the forest and 24.6 s for logistic", ["1.8 s", "24.6 s"]),
            ("digit", "0.947", "0.974")]),
        ("plain", "The F1 score is 0.848 for boosting, 0.832 for the forest and 0.792 for logistic regression.", [
            ("swapped entity", "0.832 for the forest and 0.792 for logistic", "0.792 for the forest and 0.832 for logistic", ["0.792", "0.832"]),
            ("digit", "0.848", "0.884")]),
        ("percent", "Logistic regression is right in 84.2 % of cases and finds 77.4 % of the positives.", [
            ("wrong column", "finds 77.4 %", "finds 81.1 %", "81.1 %"),
            ("swapped entity", "84.2 %", "87.1 %")]),
        ("derived", "Boosting takes about 34 times as long as logistic regression.", [
            ("miscomputed derivation", "34 times", "43 times")]),
        ("derived", "Moving from logistic regression to boosting raises accuracy by 4.1 percentage points.", [
            ("miscomputed derivation", "4.1 percentage", "4.7 percentage", "4.7"),
            ("sign or direction", "raises", "lowers", "4.1")]),
        ("plain", "In the test set of 1,244 there were 378 true positives and 73 false negatives.", [
            ("digit", "1,244", "1,424"),
            ("swapped entity", "378 true positives and 73 false negatives", "73 true positives and 378 false negatives", ["73 true", "378 false"])]),
        ("inequalities", "All models reach an accuracy above 0.84.", [
            ("digit", "above 0.84", "above 0.94", "0.94")]),
    ],
}
