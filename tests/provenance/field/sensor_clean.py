{
    "domain": 'indoor air quality',
    "question": "I've got CO2 readings from three meeting rooms and the export seems to contain junk. Can you clean it and tell me which room is worst?",
    "cells": [
r"""import pandas as pd, numpy as np
rng = np.random.default_rng(4)
rows = []
for room, base in [("Aspen", 690), ("Birch", 845), ("Cedar", 610)]:
    for h in range(40):
        rows.append((room, h, round(rng.normal(base, 85))))
df = pd.DataFrame(rows, columns=["room", "reading", "co2"])
df.loc[[5, 44, 71, 99], "co2"] = -1
df.loc[[17, 63], "co2"] = 9999
df = pd.concat([df, df.iloc[[10, 11, 12, 90]]], ignore_index=True)
print("rows:", len(df))
print(df["co2"].describe().round(1))
print(df.groupby("room")["co2"].mean().round(1))""",
r"""n0 = len(df)
df = df.drop_duplicates()
n1 = len(df)
df = df[(df.co2 > 0) & (df.co2 < 5000)]
print(f"duplicates dropped: {n0 - n1}, implausible readings dropped: {n1 - len(df)}, rows left: {len(df)}")
print(df["co2"].describe().round(1))""",
r"""g = df.groupby("room")["co2"].agg(["count", "mean", "median", "std", "max"]).round(1)
g["over_800"] = df[df.co2 > 800].groupby("room").size()
g["over_800"] = g["over_800"].fillna(0).astype(int)
print(g)""",
    ],
    "answers": [
        ('summary of an analysis', 'The export had 124 rows. I removed 4 duplicates and 6 implausible readings (the -1 and 9999 codes), which leaves 114. The mean dropped from 836 to 710 ppm and the standard deviation from about 1,190 to 130, while the median stayed at 702.5. Birch is clearly the worst room with an average of 846 ppm; Aspen follows at 677 and Cedar at 613.', [
            ('stale value', 'with an average of 846', 'with an average of 1,032', '1,032'),
            ('wrong statistic', 'Aspen follows at 677', 'Aspen follows at 881', '881'),
            ('stale value', 'Cedar at 613', 'Cedar at 597', '597'),
            ('digit', 'to 710 ppm', 'to 701 ppm', '701'),
        ]),
        ('plain', 'After cleaning, the overall mean is 709.8 ppm.', [
            ('stale value', '709.8', '836.4'),
            ('wrong statistic', '709.8', '702.5'),
            ('wrong statistic', '709.8 ppm', '129.7 ppm', '129.7'),
        ]),
        ('derived', 'Birch runs about 232 ppm above Cedar, and roughly two thirds of its readings (25 of 37) exceed 800 ppm.', [
            ('stale value', '232', '436'),
            ('swapped entity', 'of 37', 'of 39', '39'),
            ('miscomputed derivation', 'about 232 ppm', 'about 332 ppm', '332'),
            ('swapped entity', '(25 of 37)', '(4 of 37)', '4'),
        ]),
        ('list or table', '| Room | Readings | Mean | Max |\n|---|---|---|---|\n| Birch | 37 | 845.5 | 1,020 |\n| Aspen | 38 | 677.0 | 881 |\n| Cedar | 39 | 613.1 | 816 |\n\nAll figures are in ppm and after cleaning.', [
            ('stale value', '845.5', '1,032.0'),
            ('wrong column', '677.0', '678.0'),
            ('digit', '816', '861'),
            ('stale value', '613.1', '596.5'),
        ]),
        ('counted', 'In all three rooms together, 30 readings were above 800 ppm, about 26 % of the cleaned data.', [
            ('miscomputed derivation', '30 readings', '34 readings', '34'),
            ('wrong column', '30 readings', '25 readings', '25'),
            ('miscomputed derivation', '26 %', '36 %', '36'),
        ]),
        ('small integers', 'Cleaning cost you 10 rows: four exact duplicates and six impossible values, so about 8 % of the export.', [
            ('miscomputed derivation', '10 rows', '14 rows', '14'),
            ('miscomputed derivation', 'about 8 %', 'about 12 %', '12'),
            ('invented', 'six impossible', '16 impossible', '16'),
        ]),
        ('derived', 'The raw group means were badly off: cleaning takes Birch down from 1,032 to 845.5 and Aspen from 883 to 677, whereas Cedar actually rises by 16.6 ppm because its -1 reading is gone.', [
            ('miscomputed derivation', '16.6', '26.6'),
            ('sign or direction', 'rises by 16.6', 'falls by 16.6', '16.6'),
            ('swapped entity', 'from 883 to', 'from 597 to', '597'),
        ]),
    ],
}
