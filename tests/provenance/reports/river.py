{
    "domain": 'river nitrate monitoring',
    "question": 'Nitrate readings from three stations, March–July. -99 is our code for a broken sensor. How do the stations compare and what happens over the season?',
    "cells": [
r'''import numpy as np, pandas as pd
from io import StringIO
raw = StringIO("""date,station,no3_mg_l,temp_c,flow_m3s
2024-03-04,Upper,6.2,7.1,18.4
2024-03-04,Mill,11.8,7.4,19.9
2024-03-04,Delta,14.9,7.9,23.5
2024-04-08,Upper,5.9,9.6,15.1
2024-04-08,Mill,,9.9,16.0
2024-04-08,Delta,16.3,10.2,19.2
2024-05-06,Upper,5.1,12.8,11.7
2024-05-06,Mill,10.4,13.1,12.4
2024-05-06,Delta,13.2,13.9,14.8
2024-06-03,Upper,4.4,16.5,8.2
2024-06-03,Mill,8.7,17.0,8.9
2024-06-03,Delta,-99,17.6,10.6
2024-07-01,Upper,3.8,19.2,6.1
2024-07-01,Mill,7.5,19.8,6.5
2024-07-01,Delta,9.6,20.5,7.9
""")
d = pd.read_csv(raw, parse_dates=["date"])
d["no3_mg_l"].describe()''',
r'''d.loc[d.no3_mg_l < 0, "no3_mg_l"] = np.nan
print("missing:", int(d.no3_mg_l.isna().sum()), "of", len(d))
d["no3_mg_l"].describe().round(2)''',
r'''st = d.groupby("station", sort=False).no3_mg_l.agg(["count", "mean", "std", "max"]).round(2)
print(st)
ok = d.dropna().copy()
ok["load_g_s"] = ok.no3_mg_l * ok.flow_m3s
print(ok.pivot(index="date", columns="station", values="load_g_s").round(1)[["Upper", "Mill", "Delta"]])
print("r(temp, NO3) by station:", {s: round(g.temp_c.corr(g.no3_mg_l), 2) for s, g in ok.groupby("station", sort=False)})''',
    ],
    "answers": [
        ('summary of an analysis', 'Nitrate rises downstream: the mean is 5.08 mg/l at Upper, 9.60 at Mill and 13.50 at Delta, about 2.7 times the upstream level. At each station it falls as the water warms up (r between −0.93 and −1.0).', [
            ('swapped entity', '9.60 at Mill and 13.50 at Delta', '13.50 at Mill and 9.60 at Delta', ['13.50', '9.60']),
            ('miscomputed derivation', 'about 2.7 times', 'about 3.7 times', '3.7'),
            ('sign or direction', 'between −0.93', 'between +0.93', '0.93'),
            ('wrong statistic', 'is 5.08 mg/l', 'is 6.2 mg/l', '6.2'),
        ]),
        ('plain', 'Treating −99 as missing matters: the overall mean goes from 1.34 to 9.06 mg/l and the standard deviation from 29.14 to 4.07.', [
            ('digit', 'to 9.06 mg/l', 'to 9.60 mg/l', '9.60'),
            ('stale value', 'from 29.14 to 4.07', 'from 29.14 to 8.70', '8.70'),
            ('scale', 'from 1.34', 'from 13.4', '13.4'),
        ]),
        ('counted', 'Two of the 15 readings are unusable (Mill in April, Delta in June), which leaves 13: five for Upper and four each for the other two.', [
            ('stale value', 'leaves 13', 'leaves 14', '14'),
            ('number of something else', 'the 15 readings', 'the 18 readings', '18'),
        ]),
        ('derived', 'The nitrate load at Delta dropped from 350.2 g/s in March to 75.8 g/s in July, a decline of 78%. At Upper it went from 114.1 to 23.2 g/s.', [
            ('sign or direction', 'dropped from 350.2 g/s in March to 75.8 g/s in July', 'climbed from 75.8 g/s in March to 350.2 g/s in July', ['75.8', '350.2']),
            ('miscomputed derivation', 'decline of 78%', 'decline of 87%', '87%'),
            ('swapped entity', 'to 23.2 g/s', 'to 48.8 g/s', '48.8'),
        ]),
        ('inequalities', 'The highest reading was 16.3 mg/l (Delta, 8 April), the lowest 3.8 mg/l (Upper, 1 July). All valid values stay below 17 mg/l.', [
            ('swapped entity', 'was 16.3 mg/l', 'was 14.9 mg/l', '14.9'),
            ('digit', 'lowest 3.8 mg/l', 'lowest 8.3 mg/l', '8.3'),
            ('wrong column', 'lowest 3.8 mg/l', 'lowest 6.1 mg/l', '6.1'),
        ]),
        ('dates, versions, ordinals', 'Between 4 March and 1 July 2024 the river warmed from 7.9 °C to 20.5 °C at Delta while its flow fell from 23.5 to 7.9 m³/s.', [
            ('swapped entity', 'to 20.5 °C', 'to 19.2 °C', '19.2'),
            ('digit', 'from 23.5', 'from 25.3', '25.3'),
            ('sign or direction', 'fell from 23.5 to 7.9 m³/s', 'rose from 7.9 to 23.5 m³/s', '7.9 to 23.5'),
        ]),
    ],
}
