{
    "domain": 'employee survey',
    "question": "We asked everyone whether they'd rather work from the office, hybrid or remote. Does the preference depend on the department? Please do it properly (crosstab + test).",
    "cells": [
r'''import pandas as pd, numpy as np
counts = {  # department -> (office, hybrid, remote, no answer)
    "Engineering": (9, 41, 38, 4),
    "Sales": (27, 30, 8, 6),
    "Support": (14, 22, 19, 3),
    "Finance": (16, 17, 2, 1),
}
rows = []
for dep, ns in counts.items():
    for pref, n in zip(["office", "hybrid", "remote", None], ns):
        rows += [(dep, pref)] * n
pd.DataFrame(rows, columns=["dept", "pref"]).to_csv("survey.csv", index=False)
s = pd.read_csv("survey.csv")
print(s.info(memory_usage=False))
s.pref.value_counts(dropna=False)''',
r'''valid = s.dropna()
tab = pd.crosstab(valid.dept, valid.pref, margins=True)
print(tab)
(pd.crosstab(valid.dept, valid.pref, normalize="index") * 100).round(1)''',
r'''obs = tab.iloc[:-1, :-1].to_numpy()
exp = np.outer(obs.sum(1), obs.sum(0)) / obs.sum()
chi2 = ((obs - exp) ** 2 / exp).sum()
dof = (obs.shape[0] - 1) * (obs.shape[1] - 1)
rng = np.random.default_rng(11)
p = valid.pref.to_numpy(); d = valid.dept.to_numpy()
di = pd.factorize(d, sort=True)[0]; pi = pd.factorize(p, sort=True)[0]
hits = 0
for _ in range(2000):
    o = np.zeros_like(obs); np.add.at(o, (di, rng.permutation(pi)), 1)
    hits += (((o - exp) ** 2 / exp).sum() >= chi2)
print(f"chi2 = {chi2:.2f}, dof = {dof}, Cramér's V = {np.sqrt(chi2/(obs.sum()*2)):.3f}")
print(f"permutation p = {(hits+1)/2001:.4f}")''',
    ],
    "answers": [
        ('summary of an analysis', "Yes, preference depends strongly on the department (χ² = 39.5, df = 6, permutation p = 0.0005, Cramér's V = 0.285).\n\n- **Engineering** wants out of the office: 43.2% remote, only 10.2% office.\n- **Finance** and **Sales** are the opposite: 45.7% and 41.5% prefer the office.\n- **Support** is mixed, with 34.5% remote and 25.5% office.", [
            ('digit', 'χ² = 39.5', 'χ² = 35.9', '35.9'),
            ('swapped entity', '43.2% remote, only 10.2% office', '10.2% remote, only 43.2% office', ['10.2%', '43.2%']),
            ('swapped entity', '34.5% remote', '12.3% remote', '12.3%'),
            ('scale', 'p = 0.0005', 'p = 0.05', '0.05'),
        ]),
        ('counted', 'Of 257 employees surveyed, 243 gave a usable answer; 14 left the question blank (5.4%).', [
            ('miscomputed derivation', '(5.4%)', '(5.8%)', '5.8%'),
            ('digit', '243 gave', '234 gave', '234'),
            ('number of something else', '14 left', '16 left', '16'),
        ]),
        ('plain', 'Hybrid is the favourite everywhere: 110 of 243 respondents (45%) chose it, and it ranges only from 40.0% in Support to 48.6% in Finance.', [
            ('swapped entity', '48.6% in Finance', '46.6% in Finance', '46.6%'),
            ('miscomputed derivation', '(45%)', '(54%)', '54%'),
            ('wrong column', '110 of 243', '67 of 243', '67'),
        ]),
        ('fractions in words', 'Remote (67) and office (66) are practically tied overall, with a bit more than a quarter each. But more than half of the remote fans (38 of 67) sit in Engineering.', [
            ('wrong column', '(38 of 67)', '(41 of 67)', '41'),
            ('digit', 'office (66)', 'office (76)', '76'),
        ]),
        ('derived', "Nine in ten engineers (79 of 88) prefer hybrid or remote work. In Finance it's 19 of 35, a bit over half, and in Sales 38 of 65.", [
            ('miscomputed derivation', '79 of 88', '69 of 88', '69 of 88'),
            ('wrong column', '19 of 35', '33 of 35', '33'),
            ('number of something else', '38 of 65', '38 of 56', '56'),
        ]),
        ('constants of a method', 'I tested independence with a chi-squared statistic (39.50 on 6 degrees of freedom) and 2,000 random permutations instead of the asymptotic distribution; p came out at 0.0005, far below the usual 5% level.', [
            ('digit', 'on 6 degrees', 'on 12 degrees', '12'),
            ('typed literal', 'p came out at 0.0005', 'p came out at 0.011', '0.011'),
            ('scale', '2,000 random', '20,000 random', '20,000'),
        ]),
    ],
}
