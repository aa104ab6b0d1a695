{
    "domain": 'lab assay',
    "question": 'Quick EDA on the fermentation runs please (OD600, temperature, pH, yield in mg). I suspect a few typos in yield, drop outliers with the usual 1.5 IQR rule, and tell me whether yield depends on OD.',
    "cells": [r"""import numpy as np
import pandas as pd

rng = np.random.default_rng(31)
d = pd.DataFrame({
    "od600": rng.normal(0.84, 0.09, 60),
    "temp_c": rng.normal(37.1, 0.4, 60),
    "ph": rng.normal(6.92, 0.12, 60),
    "yield_mg": rng.normal(212, 18, 60),
})
d.loc[[7, 23, 41], "yield_mg"] = [2130.0, 1984.5, 21.2]
d.loc[12, "temp_c"] = 371.0
d.describe().round(3)""",
r"""q1, q3 = d["yield_mg"].quantile([0.25, 0.75])
iqr = q3 - q1
keep = d["yield_mg"].between(q1 - 1.5 * iqr, q3 + 1.5 * iqr) & d["temp_c"].between(30, 45)
d2 = d[keep]
print(d2.shape, round(q1, 2), round(q3, 2), round(iqr, 2))
d2.describe().round(3)""",
r"""print(round(d["yield_mg"].corr(d["od600"]), 3), round(d2["yield_mg"].corr(d2["od600"]), 3))
d2.corr().round(3)"""],
    "answers": [
        ('summary of an analysis', 'I started with 60 runs and dropped 4: three with an implausible yield (outside 1.5 × IQR) and one with a temperature of 371 °C, which is surely 37.1. In the remaining 56 runs the yield averages 213.6 mg (SD 16.6, median 212.9), ranging from 176.9 to 247.7 mg. Temperature is tightly controlled at 37.12 ± 0.35 °C and pH at 6.93 ± 0.12. Yield is practically unrelated to OD600 (r = −0.11).', [
            ('stale value', '213.6 mg', '271.3 mg', '271.3'),
            ('stale value', '37.12 ±', '42.70 ±', '42.70'),
            ('sign or direction', 'r = −0.11', 'r = 0.11', '0.11'),
            ('stale value', '247.7 mg', '2130.0 mg', '2130.0'),
        ]),
        ('plain', 'No, the correlation between yield and OD600 is only -0.112 after cleaning.', [
            ('wrong column', '-0.112', '0.166'),
            ('stale value', '-0.112 after', '-0.101 after', '-0.101'),
            ('scale', '-0.112', '-0.0112'),
        ]),
        ('constants of a method', 'With the 1.5 IQR rule (Q1 = 198.13, Q3 = 224.45, IQR = 26.32), values below about 159 or above 264 mg count as outliers. That removed the yields of 2130.0, 1984.5 and 21.2 mg.', [
            ('miscomputed derivation', 'about 159', 'about 172', '172'),
            ('miscomputed derivation', 'above 264', 'above 251', '251'),
            ('digit', '26.32', '23.62'),
            ('wrong statistic', 'Q3 = 224.45', 'Q3 = 212.88', '212.88'),
        ]),
        ('derived', 'Dropping the four bad runs lowered the mean yield by almost 58 mg and shrank its standard deviation from 336.0 to 16.6 mg; the median of 212.88 mg did not move at all.', [
            ('sign or direction', 'lowered the mean yield by almost 58', 'raised the mean yield by almost 58', '58'),
            ('miscomputed derivation', 'almost 58 mg', 'almost 85 mg', '85'),
            ('wrong statistic', 'from 336.0 to', 'from 271.3 to', '271.3'),
            ('wrong column', 'to 16.6 mg', 'to 43.1 mg', '43.1'),
        ]),
        ('list or table', 'Cleaned data (56 runs):\n\n| | mean | SD | min | max |\n|---|---|---|---|---|\n| OD600 | 0.828 | 0.078 | 0.648 | 1.000 |\n| temperature (°C) | 37.123 | 0.354 | 36.347 | 37.912 |\n| pH | 6.930 | 0.120 | 6.709 | 7.179 |\n| yield (mg) | 213.558 | 16.591 | 176.931 | 247.663 |', [
            ('stale value', '7.179', '7.202'),
            ('stale value', '176.931', '21.200'),
            ('wrong statistic', '| 0.828 |', '| 0.836 |', '0.836'),
            ('digit', '0.354', '0.345'),
        ]),
        ('inequalities', 'None of the correlations exceeds 0.2 in absolute value; the strongest is between OD600 and pH at 0.166. Three quarters of the cleaned runs yielded more than 203 mg.', [
            ('swapped entity', 'at 0.166', 'at 0.074', '0.074'),
            ('wrong statistic', 'more than 203 mg', 'more than 224 mg', '224'),
            ('invented', 'exceeds 0.2', 'exceeds 0.15', '0.15'),
        ]),
    ],
}
