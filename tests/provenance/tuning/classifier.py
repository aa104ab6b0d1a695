{
    "domain": "machine learning",
    "question": "How good is the spam filter?",
    "cells": ['''
tp, fp, fn, tn = 412, 23, 57, 1508
n = tp + fp + fn + tn
precision = tp / (tp + fp)
recall = tp / (tp + fn)
print("messages:", n)
print("accuracy:", round((tp + tn) / n, 4))
print("precision:", round(precision, 4))
print("recall:", round(recall, 4))
print("F1:", round(2 * precision * recall / (precision + recall), 4))
print("false positive rate:", round(fp / (fp + tn), 4))
''', '''
import pandas as pd
matrix = pd.DataFrame([[tp, fn], [fp, tn]], index=["is spam", "is ham"], columns=["called spam", "called ham"])
print(matrix)
'''],
    "answers": [
        ("plain", "Precision is 0.9471 and recall 0.8785, giving an F1 of 0.9115.", [
            ("swapped entity", "Precision is 0.9471 and recall 0.8785", "Precision is 0.8785 and recall 0.9471", ["0.8785", "0.9471"]),
            ("wrong statistic", "an F1 of 0.9115", "an F1 of 0.96", "0.96"),
            ("digit", "0.9115", "0.9151")]),
        ("percent", "The filter is right in 96 % of 2,000 cases; 1.5 % of good mail is blocked.", [
            ("wrong statistic", "is right in 96 %", "is right in 94.71 %", "94.71 %"),
            ("scale", "1.5 %", "15 %")]),
        ("small integers", "57 spam messages slipped through and 23 good ones were blocked.", [
            ("swapped entity", "57 spam messages slipped through and 23 good ones", "23 spam messages slipped through and 57 good ones", ["23", "57"]),
            ("digit", "57 spam", "75 spam")]),
        ("derived", "80 messages were misclassified, 4 % of all.", [
            ("miscomputed derivation", "80 messages", "90 messages"),
            ("miscomputed derivation", "4 %", "5 %")]),
        ("derived", "Of 469 spam messages it caught 412.", [
            ("miscomputed derivation", "469", "496"),
            ("number of something else", "it caught 412", "it caught 435", "435")]),
        ("inequalities", "Precision and F1 are both above 0.9.", []),
    ],
}
