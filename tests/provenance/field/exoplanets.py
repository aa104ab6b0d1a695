{
    "domain": 'astronomy, exoplanet catalogue',
    "question": 'How many planets per discovery method are in this small catalogue, and which ones are in the habitable zone?',
    "cells": [
r"""import pandas as pd, io
csv = '''name,method,year,period_d,radius_re,teq_k,dist_pc
Kessa b,Transit,2014,3.52,11.2,1310,182
Kessa c,Transit,2016,19.24,2.6,702,182
Orun b,Radial Velocity,2009,412.5,12.9,244,31
Orun c,Radial Velocity,2011,88.1,4.1,371,31
Talv b,Transit,2018,24.7,1.3,268,12.4
Talv c,Transit,2018,37.4,1.6,231,12.4
Talv d,Transit,2019,8.9,1.1,377,12.4
Mirre b,Imaging,2010,61200,13.4,905,39.6
Zeph b,Microlensing,2017,1460,3.8,74,2150
Zeph c,Microlensing,2021,2010,2.2,66,2150
Ylva b,Transit,2020,129.9,1.2,251,301
Ylva c,Transit,2020,5.1,2.9,1022,301
Fen b,Radial Velocity,2016,11.2,1.2,234,1.3
'''
cat = pd.read_csv(io.StringIO(csv))
cat.shape""",
r"""print(cat.method.value_counts())
print(cat.groupby("method")[["period_d", "radius_re"]].median())""",
r"""hz = cat[(cat.teq_k.between(200, 300)) & (cat.radius_re < 1.8)]
print(hz[["name", "period_d", "radius_re", "teq_k", "dist_pc"]].to_string(index=False))
print("light years:", (hz.dist_pc * 3.2616).round(1).tolist())
print(cat.groupby("year").size().to_dict())""",
    ],
    "answers": [
        ('counted', '13 planets: 7 by transit, 3 by radial velocity, 2 by microlensing and 1 by imaging.', [
            ('invented', '3 by radial velocity', '5 by radial velocity', '5'),
            ('number of something else', '13 planets', '14 planets', '14'),
            ('number of something else', '7 by transit', '8 by transit', '8'),
        ]),
        ('fractions in words', 'A bit more than half of the planets (54%) were found with the transit method.', [
            ('miscomputed derivation', '54%', '64%', '64'),
            ('scale', '54%', '0.54%', '0.54'),
            ('swapped entity', '54%', '23%', '23'),
        ]),
        ('list or table', 'Four planets are in the habitable zone by your criteria:\n\n| Planet | Period (d) | Radius (R⊕) | T_eq (K) | Distance (ly) |\n|---|---|---|---|---|\n| Talv b | 24.7 | 1.3 | 268 | 40.4 |\n| Talv c | 37.4 | 1.6 | 231 | 40.4 |\n| Ylva b | 129.9 | 1.2 | 251 | 982 |\n| Fen b | 11.2 | 1.2 | 234 | 4.2 |', [
            ('wrong column', '982', '301'),
            ('swapped entity', '| 37.4 |', '| 8.9 |', '8.9'),
            ('digit', '| 268 |', '| 286 |', '286'),
            ('scale', '| 4.2 |', '| 42 |', '42'),
        ]),
        ('plain', 'Fen b is the nearest candidate, only 4.2 light years away; it orbits in 11.2 days.', [
            ('wrong column', '4.2 light years', '1.3 light years', '1.3'),
            ('swapped entity', '11.2 days', '24.7 days', '24.7'),
            ('scale', '4.2 light years', '42 light years', '42'),
        ]),
        ('summary of an analysis', 'Transit detections dominate the table, and they favour short orbits: the median period is 19 days, against 88 days for radial velocity and more than 1,700 for microlensing. The directly imaged Mirre b is the extreme case at 61,200 days. Of the 4 potentially habitable worlds, 3 transit and one (Fen b) comes from radial velocity; their equilibrium temperatures span 231 to 268 K.', [
            ('swapped entity', 'against 88 days', 'against 412 days', '412'),
            ('scale', '61,200', '6,120'),
            ('wrong column', '231 to 268 K', '231 to 251 K', '251'),
            ('digit', '19 days', '91 days', '91'),
        ]),
        ('dates, versions, ordinals', 'The first planet in the list was discovered in 2009 and the latest in 2021; 2016, 2018 and 2020 each had two discoveries.', [
            ('wrong statistic', 'latest in 2021', 'latest in 2019', '2019'),
            ('number of something else', '2009', '2010'),
            ('swapped entity', '2016, 2018 and', '2017, 2018 and', '2017'),
        ]),
    ],
}
