{
    "domain": 'biology, qPCR expression',
    "question": 'Ct values for three genes, control vs. treated, reference ACTB. What are the fold changes?',
    "cells": [
r"""import pandas as pd, io, numpy as np
txt = '''sample,group,ACTB,IL6,TNF,SOD2
c1,control,17.12,28.41,26.05,22.31
c2,control,17.30,28.77,26.31,22.40
c3,control,16.95,28.20,25.88,22.02
t1,treated,17.08,24.95,24.72,22.45
t2,treated,17.25,25.31,24.66,22.71
t3,treated,17.41,25.02,25.10,22.80
'''
ct = pd.read_csv(io.StringIO(txt)).set_index("sample")
genes = ["IL6", "TNF", "SOD2"]
d = ct[genes].sub(ct["ACTB"], axis=0)
d["group"] = ct["group"]
print(d.round(2))""",
r"""m = d.groupby("group")[genes].mean()
dd = m.loc["treated"] - m.loc["control"]
res = pd.DataFrame({"ddCt": dd.round(2), "fold": (2 ** -dd).round(2)})
res""",
r"""for g in genes:
    a, b = d.loc[d.group == "control", g], d.loc[d.group == "treated", g]
    t = (b.mean() - a.mean()) / np.sqrt(a.var()/3 + b.var()/3)
    print(f"{g}: t = {t:.2f}, sd control {a.std():.2f}, sd treated {b.std():.2f}")""",
    ],
    "answers": [
        ('plain', 'IL6 is up about 11-fold, TNF 2.6-fold, and SOD2 is slightly down (0.82).', [
            ('swapped entity', 'about 11-fold, TNF 2.6-fold', 'about 2.6-fold, TNF 11-fold', ['2.6', '11']),
            ('wrong column', '0.82', '0.29'),
            ('sign or direction', 'slightly down (0.82)', 'slightly up (0.82)', '0.82'),
        ]),
        ('derived', 'SOD2 dropped by 18%; the IL6 response was more than four times that of TNF (11.24 vs. 2.60).', [
            ('sign or direction', 'dropped by 18%', 'rose by 18%', '18'),
            ('miscomputed derivation', '18%', '82%', '82'),
            ('digit', '11.24', '12.14'),
        ]),
        ('list or table', '| Gene | ΔΔCt | Fold change |\n|---|---|---|\n| IL6 | -3.49 | 11.24 |\n| TNF | -1.38 | 2.60 |\n| SOD2 | 0.29 | 0.82 |', [
            ('sign or direction', '-1.38', '1.38'),
            ('digit', '-3.49', '-3.94'),
            ('scale', '11.24', '1.124'),
        ]),
        ('summary of an analysis', 'Normalised to ACTB, the IL6 ΔCt falls from about 11.3 in controls to 7.8 in treated samples, a ΔΔCt of -3.49 and hence an 11.2-fold induction (t = -23.75). TNF goes up 2.6-fold (t = -15.25). The SOD2 effect is small but consistent: a ΔΔCt of +0.29 with standard deviations of only 0.06 and 0.05.', [
            ('swapped entity', '(t = -15.25)', '(t = 6.34)', '6.34'),
            ('swapped entity', '0.06 and 0.05', '0.06 and 0.15', '0.15'),
            ('digit', 'to 7.8 in', 'to 8.7 in', '8.7'),
            ('sign or direction', 'of +0.29', 'of -0.29', '0.29'),
        ]),
        ('small integers', 'Three samples per group. Sample t2 has the highest IL6 ΔCt of the treated ones, 8.06, and t3 the lowest at 7.61.', [
            ('swapped entity', '8.06', '7.87'),
            ('wrong column', 'at 7.61', 'at 7.69', '7.69'),
        ]),
        ('German', 'IL6 ist nach der Behandlung rund 11,2-fach hochreguliert, TNF nur 2,6-fach.', [
            ('digit', '11,2-fach', '12,1-fach', '12,1'),
            ('wrong column', '2,6-fach', '1,38-fach', '1,38'),
        ]),
    ],
}
