{
    "domain": 'rents',
    "question": 'What determines the rent in these flats?',
    "cells": [
        """
import numpy as np, pandas as pd
size = np.array([28, 35, 41, 47, 52, 58, 63, 70, 76, 84, 95, 110])
district = np.array(["Harbour", "Hill", "Mill"] * 4)
rent = np.round(190 + 11.3 * size + np.where(district == "Harbour", 180, np.where(district == "Hill", 60, 0)) + np.array([5, -12, 8, 20, -6, 3, -15, 9, 1, -4, 12, -9]))
flats = pd.DataFrame({"size": size, "district": district, "rent": rent})
print(flats.rent.describe().round(2))
slope, intercept = np.polyfit(size, rent, 1)
r = np.corrcoef(size, rent)[0, 1]
print(f"rent = {intercept:.1f} + {slope:.2f} * size, r = {r:.4f}, R2 = {r * r:.4f}")
""",
        """
flats["per_m2"] = flats.rent / flats["size"]
print(flats.groupby("district").agg(n=("rent", "size"), rent=("rent", "mean"), per_m2=("per_m2", "mean")).round(2))
print("predicted for 60 m2:", round(float(intercept + slope * 60), 1))
""",
    ],
    "answers": [
        ('plain', 'The average rent of the 12 flats is 985.75, and the median is nearly the same, 985.50.', [
            ('wrong statistic', '985.75', '1129.00'),
            ('digit', '12 flats', '14 flats', '14'),
            ('digit', '985.50', '958.50'),
        ]),
        ('plain', 'Rents range from 634 to 1,424 euros, with a standard deviation of 269.83.', [
            ('wrong statistic', '634', '796.75'),
            ('digit', '1,424', '1,442'),
            ('wrong statistic', '269.83', '985.75'),
        ]),
        ('units or currency', 'Each additional square metre costs €10.42 more.', [
            ('digit', '10.42', '12.40'),
            ('scale', '€10.42', '€104.20'),
        ]),
        ('percent', 'Size explains 92.05 % of the variation (R² = 0.9205; r = 0.9594).', [
            ('wrong statistic', '0.9594', '0.9205', 'r = 0.9205'),
            ('digit', '92.05 %', '95.02 %'),
            ('wrong statistic', '92.05 %', '95.94 %'),
        ]),
        ('plain', 'A 60 m² flat should cost about 951.9 euros.', [
            ('digit', '951.9', '915.9'),
            ('invented', '951.9', '1,020.3'),
        ]),
        ('plain', 'Harbour is the most expensive district per square metre at 19.22, followed by Hill (15.79) and Mill (14.38).', [
            ('swapped entity', 'Hill (15.79) and Mill (14.38)', 'Hill (14.38) and Mill (15.79)', ['14.38', '15.79']),
            ('swapped entity', '19.22', '15.79', 'at 15.79'),
            ('wrong column', '19.22', '998.50'),
        ]),
        ('derived', 'A square metre in Harbour costs 4.84 more than in Mill, a premium of 33.7 %.', [
            ('miscomputed derivation', '4.84', '5.84'),
            ('miscomputed derivation', '33.7 %', '32.7 %'),
            ('sign or direction', 'more than', 'less than', '4.84'),
        ]),
        ('small integers', 'Each of the 3 districts has 4 flats.', [
            ('digit', '4 flats', '5 flats', '5'),
            ('digit', '3 districts', '2 districts', '2'),
        ]),
        ('plain', 'In Hill the mean rent is lowest, 963.00, although Mill is cheaper per square metre.', [
            ('swapped entity', '963.00', '995.75'),
            ('wrong column', '963.00', '15.79'),
        ]),
        ('inequalities', 'Three quarters of the flats cost less than 1,130 euros.', [
        ]),
    ],
}
