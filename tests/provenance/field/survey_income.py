{
    "domain": 'employee survey',
    "question": "Could you explore this employee survey for me - salary, tenure, satisfaction by department - and check whether there's a pay outlier?",
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(31)
n = 160
df = pd.DataFrame({
    "dept": rng.choice(["Sales", "Engineering", "Support", "Finance"], n, p=[0.3, 0.35, 0.25, 0.1]),
    "tenure": rng.gamma(2, 2.6, n).round(1),
    "remote": rng.random(n) < 0.42,
})
base = df.dept.map({"Sales": 48000, "Engineering": 63000, "Support": 39500, "Finance": 57000})
df["salary"] = (base + 1100 * df.tenure + rng.normal(0, 5200, n)).round(-2)
df["satisfaction"] = (6.1 + 0.9 * df.remote - 0.06 * df.tenure + rng.normal(0, 1.3, n)).clip(1, 10).round(1)
df.loc[57, "salary"] = 512000
df.loc[[12, 88, 130], "satisfaction"] = np.nan
print(df.describe().round(1))
print(df.dept.value_counts())
print(df.isna().sum().sum(), "missing values")""",
r"""print(df.groupby("dept")["salary"].agg(["mean", "median"]).round(0))
print(df.nlargest(3, "salary")[["dept", "tenure", "salary"]])""",
r"""clean = df.drop(57)
print("n =", len(clean), " mean salary", round(clean.salary.mean()), " median", round(clean.salary.median()), " sd", round(clean.salary.std()))
print(clean.groupby("dept")[["salary", "tenure", "satisfaction"]].mean().round(2))""",
r"""print(clean.groupby("remote").satisfaction.agg(["count", "mean"]).round(2))
print(clean[["salary", "tenure", "satisfaction"]].corr().round(3))""",
    ],
    "answers": [
        ('summary of an analysis', 'There is one obvious outlier: an engineer with a salary of 512,000, about six times the next highest (84,300). Without that row the mean salary falls from 61,419 to 58,585 and the standard deviation from 37,727 to 11,801, while the median stays at 59,500. Engineering then leads with about 69,800, followed by Finance at 63,700, Sales at 52,200 and Support at 46,700.', [
            ('stale value', 'about 69,800', 'about 77,300', '77,300'),
            ('digit', 'to 58,585', 'to 55,885', '55,885'),
            ('swapped entity', 'Finance at 63,700, Sales at 52,200', 'Finance at 52,200, Sales at 63,700', ['52,200', '63,700']),
            ('scale', '512,000', '5,120,000'),
        ]),
        ('plain', 'The mean salary after removing the outlier is 58,585.', [
            ('stale value', '58,585', '61,419'),
            ('wrong statistic', '58,585', '59,500'),
            ('wrong statistic', '58,585', '11,801'),
        ]),
        ('derived', 'Dropping that one row lowers the Engineering average by about 7,500.', [
            ('miscomputed derivation', '7,500', '6,400'),
            ('sign or direction', 'lowers the Engineering average by about 7,500', 'raises the Engineering average by about 7,500', '7,500'),
            ('number of something else', '7,500', '2,834'),
        ]),
        ('plain', 'Remote staff are happier: 6.56 on average versus 5.62 for the others, a gap of 0.94 points.', [
            ('swapped entity', '6.56 on average versus 5.62', '5.62 on average versus 6.56', ['5.62', '6.56']),
            ('miscomputed derivation', '0.94', '1.04'),
            ('wrong column', '6.56 on', '5.71 on', '5.71'),
        ]),
        ('plain', 'Satisfaction barely depends on pay (r = -0.047) and falls slightly with tenure (r = -0.211).', [
            ('sign or direction', 'r = -0.211', 'r = 0.211', '0.211'),
            ('wrong column', 'r = -0.047', 'r = 0.354', '0.354'),
            ('digit', '-0.211', '-0.121'),
        ]),
        ('list or table', 'Headcount by department:\n- Engineering: 59 (37 %)\n- Sales: 42\n- Support: 40\n- Finance: 19\n\nThree of the 160 people left the satisfaction question blank.', [
            ('swapped entity', 'Sales: 42\n- Support: 40', 'Sales: 40\n- Support: 42', ['40', '42']),
            ('miscomputed derivation', '37 %', '47 %', '47'),
            ('wrong statistic', 'of the 160', 'of the 157', '157'),
        ]),
        ('plain', 'Apart from the 512,000 entry, the top salary in the data is 84,300 (an engineer with 7.6 years of tenure).', [
            ('swapped entity', '84,300', '83,400'),
            ('swapped entity', '7.6 years', '9.1 years', '9.1'),
            ('scale', '84,300', '843,000'),
        ]),
    ],
}
