{
    "domain": 'homebrewing',
    "question": "Here's my batch log (14 batches). Some entries look off. Fix what you can and tell me whether US-05 really attenuates better than S-04.",
    "cells": [
r'''import pandas as pd

raw = """batch,style,yeast,pitch_temp_c,og,fg,days
101,Pale Ale,US-05,18.5,1.052,1.011,9
102,Pale Ale,US-05,19.0,1.054,1.012,8
103,Pale Ale,S-04,18.0,1.053,1.014,7
104,Stout,S-04,19.5,1.068,1.019,10
105,Stout,S-04,19.0,1.071,1.021,11
106,Stout,US-05,20.0,1.069,1.016,12
107,Saison,BE-134,24.0,1.056,1.004,14
108,Saison,BE-134,25.5,1.055,1.003,13
109,Saison,BE-134,26.0,,1.004,13
110,Pale Ale,S-04,18.5,1.052,1.013,7
111,Stout,US-05,19.5,1.070,1.015,11
112,Pale Ale,US-05,19.5,1.053,1.010,9
113,Saison,BE-134,25.0,1.057,1.005,15
114,Stout,S-04,20.0,10.69,1.020,10
"""
with open("batches.csv", "w") as fh:
    fh.write(raw)
df = pd.read_csv("batches.csv")
print(df.shape)
df.describe().loc[["count", "min", "max"]]''',
r'''# 114: decimal point slipped (10.69 -> 1.069); 109 has no OG -> drop
df.loc[df.og > 2, "og"] /= 10
df.loc[df.batch == 114, "og"] = df.loc[df.batch == 114, "og"].round(3)
clean = df.dropna(subset=["og"]).copy()
clean["abv"] = ((clean.og - clean.fg) * 131.25).round(2)
clean["attenuation"] = ((clean.og - clean.fg) / (clean.og - 1) * 100).round(1)
print(len(df), "->", len(clean))
print(clean[["batch", "style", "yeast", "og", "abv", "attenuation"]].to_string(index=False))''',
r'''by = clean.groupby("yeast")[["abv", "attenuation", "days"]].mean().round(2)
print(by)
ales = clean[clean.yeast.isin(["US-05", "S-04"])]
ales.pivot_table(index="style", columns="yeast", values="attenuation", aggfunc="mean").round(1)''',
    ],
    "answers": [
        ('summary of an analysis', 'Yes. Across the five batches each, US-05 reached 78.6% apparent attenuation on average versus 72.4% for S-04, a gap of 6.2 percentage points. The gap holds within both styles: 4.9 points in the pale ales (79.2 vs 74.3) and 6.5 in the stouts (77.7 vs 71.2).', [
            ('swapped entity', '(79.2 vs 74.3)', '(77.7 vs 74.3)', '77.7 vs 74.3'),
            ('miscomputed derivation', 'a gap of 6.2', 'a gap of 7.2', '7.2'),
            ('digit', '78.6%', '76.8%'),
        ]),
        ('counted', 'Two entries needed attention: batch 109 has no original gravity, so I dropped it, and batch 114 had 10.69 where 1.069 was meant. That leaves 13 of the 14 batches.', [
            ('number of something else', 'batch 109', 'batch 113', '113'),
            ('stale value', 'leaves 13 of the 14', 'leaves 14 of the 14', '14 of the 14'),
            ('scale', 'where 1.069 was', 'where 106.9 was', '106.9'),
        ]),
        ('list or table', '| Yeast | ABV (%) | Attenuation (%) | Days |\n|---|---:|---:|---:|\n| BE-134 | 6.83 | 92.87 | 14.0 |\n| US-05 | 6.14 | 78.62 | 9.8 |\n| S-04 | 5.93 | 72.42 | 9.0 |', [
            ('wrong statistic', '92.87', '91.20'),
            ('swapped entity', '| US-05 | 6.14 |', '| US-05 | 5.39 |', '5.39'),
            ('digit', '72.42', '74.22'),
        ]),
        ('plain', 'The saison yeast is in a league of its own: BE-134 attenuates almost 93% on average (range 91.2% to 94.5%), but takes 14 days, 5 days longer than S-04.', [
            ('wrong statistic', 'almost 93% on average', 'almost 95% on average', '95%'),
            ('miscomputed derivation', '5 days longer', '6 days longer', '6 days'),
            ('sign or direction', '5 days longer', '5 days shorter', '5 days'),
        ]),
        ('derived', "Your strongest beer was batch 111, a US-05 stout at 7.22% ABV; the weakest were batches 103 and 110, both S-04 pale ales with 5.12%. That's a spread of 2.1 percentage points. Note that US-05 takes slightly longer: 9.8 days against 9.0.", [
            ('swapped entity', 'at 7.22% ABV', 'at 6.96% ABV', '6.96%'),
            ('miscomputed derivation', 'a spread of 2.1', 'a spread of 1.2', '1.2'),
            ('number of something else', '9.8 days', '9.3 days', '9.3'),
        ]),
        ('inequalities', "Every US-05 batch stayed above 76% attenuation, while no S-04 batch got past 75%. So the two groups don't overlap at all, although with 10 batches in total I'd call it strong evidence rather than proof.", [
            ('digit', 'above 76%', 'above 78%', '78%'),
            ('miscomputed derivation', 'with 10 batches', 'with 11 batches', '11'),
            ('wrong statistic', 'got past 75%', 'got past 72.4%', '72.4%'),
        ]),
    ],
}
