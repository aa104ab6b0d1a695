{
    "domain": 'exams',
    "question": 'Summarise the exam results by class.',
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(3)
df = pd.DataFrame({"class": rng.choice(["10A","10B","10C"], 90), "score": np.clip(rng.normal(64, 14, 90), 5, 100).round(0).astype(int), "hours": rng.gamma(3, 2, 90).round(1)})
df["passed"] = df.score >= 50
summary = df.groupby("class").agg(students=("score","size"), mean_score=("score","mean"), median_score=("score","median"), best=("score","max"), worst=("score","min"), pass_rate=("passed","mean")).round(3)
print(summary.to_string())
''', '''
print("overall mean", round(df.score.mean(),2))
print("overall median", df.score.median())
print("std", round(df.score.std(),2))
print("passed", int(df.passed.sum()), "of", len(df))
print("correlation hours/score", round(df.hours.corr(df.score),3))
q1, q3 = df.score.quantile([.25,.75])
print("quartiles", q1, q3, "IQR", q3-q1)
out = df[(df.score < q1-1.5*(q3-q1)) | (df.score > q3+1.5*(q3-q1))]
print("outliers", len(out))
'''],
    "answers": [
        ('plain', '10A did best with a mean of 66.4 points, followed by 10C with 64.5 and 10B with 61.8.', [
            ('swapped entity', '10C with 64.5 and 10B with 61.8', '10C with 61.8 and 10B with 64.5', ['61.8', '64.5']),
            ('wrong statistic', 'mean of 66.4', 'mean of 67', '67')]),
        ('percent', '94.1% of 10A passed, but only 77.8% of 10C.', [
            ('swapped entity', '94.1% of 10A', '79.3% of 10A', '79.3%'),
            ('digit', '77.8%', '78.7%')]),
        ('plain', '76 of the 90 students passed, i.e. 84.4 %; the median score was 65.5.', [
            ('wrong statistic', '65.5', '64.32'),
            ('miscomputed derivation', '84.4', '88.4'),
            ('invented', '76 of', '79 of', '79')]),
        ('constants of a method', 'Using the 1.5 × IQR rule (IQR = 21.75) no outliers were found.', [
            ('wrong statistic', 'IQR = 21.75', 'IQR = 14.83', '14.83')]),
        ('plain', 'The best result, 100, and the worst, 29, both come from class 10B.', [
            ('swapped entity', 'worst, 29', 'worst, 32', '32'),
            ('wrong column', 'best result, 100', 'best result, 89', '89')]),
        ('plain', 'Study time hardly matters: the correlation between hours and score is -0.078.', [
            ('sign or direction', '-0.078', '0.078'),
            ('digit', '-0.078', '-0.780')]),
        ('inequalities', 'In every class more than three quarters of the students passed.', []),
    ],
}
