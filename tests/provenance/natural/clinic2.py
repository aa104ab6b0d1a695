{
    "domain": 'clinic2',
    "question": 'Summarise the blood pressure study.',
    "cells": [
        r"""
import pandas as pd, numpy as np
rng = np.random.default_rng(42)
n = 120
df = pd.DataFrame({"arm": np.repeat(["drug", "placebo"], n // 2), "age": rng.integers(35, 80, n), "sex": rng.choice(["F", "M"], n),
                   "sbp_before": rng.normal(152, 9, n).round(1)})
df["sbp_after"] = (df["sbp_before"] - np.where(df["arm"] == "drug", 12.5, 3.0) + rng.normal(0, 6, n)).round(1)
df["change"] = (df["sbp_after"] - df["sbp_before"]).round(1)
print(df.groupby("arm")[["sbp_before", "sbp_after", "change"]].mean().round(2))
""",
        r"""
resp = df.assign(responder=df["change"] <= -10).groupby("arm")["responder"].agg(["sum", "count", "mean"])
resp["mean"] = (resp["mean"] * 100).round(1)
resp.columns = ["responders", "patients", "percent"]
print(resp)
print("youngest:", df["age"].min(), "oldest:", df["age"].max(), "mean age:", round(df["age"].mean(), 1))
print(df["sex"].value_counts().to_dict())
""",
    ],
    "answers": [
        ('plain', 'Systolic pressure fell by 12.62 mmHg under the drug but only by 2.14 under placebo.', [
            ('swapped entity', '12.62 mmHg under the drug but only by 2.14', '2.14 mmHg under the drug but only by 12.62', ['2.14', '12.62']),
            ('sign or direction', 'fell', 'rose', ['12.62', '2.14']),
            ('digit', '12.62', '12.26'),
        ]),
        ('plain', '45 of the 60 patients on the drug (75 %) responded, compared with 9 of 60 (15 %) on placebo.', [
            ('swapped entity', '9 of 60 (15 %)', '45 of 60 (15 %)', '45 of 60 (15'),
            ('digit', '75 %', '57 %'),
            ('miscomputed derivation', '(15 %)', '(18 %)', '18 %'),
        ]),
        ('derived', 'The drug lowers blood pressure by 10.48 mmHg more than placebo.', [
            ('miscomputed derivation', '10.48', '10.84'),
            ('sign or direction', 'more', 'less', '10.48'),
        ]),
        ('plain', 'Patients were between 35 and 78 years old (mean 57.9).', [
            ('digit', '57.9', '59.7'),
            ('wrong statistic', '78', '57', '57 years'),
        ]),
        ('derived', '120 patients took part: 63 women and 57 men.', [
            ('swapped entity', '63 women and 57 men', '57 women and 63 men', ['57 women', '63 men']),
            ('digit', '120', '102'),
        ]),
        ('derived', 'The response rate was five times as high in the drug group.', []),
        ('plain', 'Before treatment the two groups were practically equal (151.73 vs. 152.10 mmHg).', [
            ('wrong column', '151.73', '139.11'),
            ('digit', '152.10', '151.20'),
        ]),
    ],
}
