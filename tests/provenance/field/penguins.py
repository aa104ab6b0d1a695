{
    "domain": 'biology, penguin morphometrics',
    "question": 'I measured some penguins this season. Which species is heaviest, and how big is the difference between males and females? Any outliers?',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(11)
rows = []
for sp, mu, fl, n in [("Adelie", 3700, 190, 44), ("Chinstrap", 3730, 196, 21), ("Gentoo", 5080, 217, 36)]:
    for i in range(n):
        sex = "F" if rng.random() < 0.5 else "M"
        d = 340 if sex == "M" else -340
        rows.append((sp, sex, round(rng.normal(mu + d, 250), -1), round(rng.normal(fl + d / 90, 5))))
df = pd.DataFrame(rows, columns=["species", "sex", "mass_g", "flipper_mm"])
df.loc[17, "mass_g"] = 9990   # scale error in field notes
print(len(df))
print(df.groupby("species")["mass_g"].describe().round(1).to_string())""",
r"""clean = df[df.mass_g < 8000]
print("rows kept:", len(clean))
clean.groupby("species").agg(n=("mass_g", "size"), mean_g=("mass_g", "mean"), median_g=("mass_g", "median"), sd=("mass_g", "std"), flipper=("flipper_mm", "mean")).round(1)""",
r"""p = clean.pivot_table(index="species", columns="sex", values="mass_g", aggfunc="mean").round(0)
print(p)
print(clean.sex.value_counts().to_dict())
print(round(clean["mass_g"].corr(clean["flipper_mm"]), 3))""",
    ],
    "answers": [
        ('plain', 'Gentoo is clearly the heaviest, averaging about 5,060 g.', [
            ('swapped entity', '5,060', '3,890'),
            ('digit', '5,060', '5,600'),
            ('wrong column', '5,060 g', '217 g', '217'),
        ]),
        ('derived', 'After dropping the 9,990 g entry (obviously a slip in the field notes), the Adelie mean falls by about 145 g to 3,593 g.', [
            ('stale value', '3,593', '3,738'),
            ('wrong statistic', '3,593', '3,520'),
            ('miscomputed derivation', '145', '245'),
            ('sign or direction', 'falls by about 145', 'rises by about 145', '145'),
        ]),
        ('derived', 'Males outweigh females by roughly 700 g in Adelie and Chinstrap and by 761 g in Gentoo.', [
            ('miscomputed derivation', '761', '661'),
            ('scale', '761 g', '761 kg', '761'),
            ('sign or direction', 'Males outweigh females by roughly 700 g in Adelie and Chinstrap and by 761 g in Gentoo.', 'Females outweigh males by roughly 700 g in Adelie and Chinstrap and by 761 g in Gentoo.', ['700', '761']),
        ]),
        ('list or table', '| Species | n | Mean mass (g) | SD | Flipper (mm) |\n|---|---|---|---|---|\n| Adelie | 43 | 3593 | 440 | 190 |\n| Chinstrap | 21 | 3890 | 379 | 198 |\n| Gentoo | 36 | 5060 | 456 | 217 |\n\nOne bird was excluded as an outlier.', [
            ('stale value', '| 440 |', '| 1058 |', '1058'),
            ('rounding', '| 198 |', '| 199 |', '199'),
            ('wrong statistic', '3890', '3930'),
            ('swapped entity', '| 43 |', '| 51 |', '51'),
        ]),
        ('summary of an analysis', 'I had 101 birds and kept 100 of them: one Adelie was recorded at 9,990 g, far beyond even the heaviest Gentoo at 5,850 g, so I treated it as a typo. With it gone the ranking is Gentoo (5.06 kg), Chinstrap (3.89 kg), Adelie (3.59 kg). The sexes are nearly balanced, 51 males and 49 females, and mass tracks flipper length closely (r = 0.88).', [
            ('number of something else', '51 males', '43 males', '43'),
            ('digit', '0.88', '0.83'),
            ('swapped entity', 'Chinstrap (3.89 kg)', 'Chinstrap (5.46 kg)', '5.46'),
            ('stale value', '3.59 kg', '3.74 kg', '3.74'),
        ]),
        ('percent', 'A Gentoo weighs on average about 41% more than an Adelie once the bad record is out.', [
            ('sign or direction', '41% more', '41% less', '41'),
            ('stale value', '41%', '35%', '35'),
            ('miscomputed derivation', '41%', '29%', '29'),
        ]),
    ],
}
