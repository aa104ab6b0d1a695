{
    "domain": 'subscription churn',
    "question": 'What was our churn last month by plan, and how much MRR did we lose?',
    "cells": [
r"""import numpy as np
import pandas as pd
rng = np.random.default_rng(42)
n = 2400
plan = rng.choice(["Basic", "Pro", "Team"], size=n, p=[0.55, 0.33, 0.12])
base = pd.Series(plan).map({"Basic": 0.092, "Pro": 0.051, "Team": 0.028}).to_numpy()
churned = rng.random(n) < base
price = pd.Series(plan).map({"Basic": 12, "Pro": 29, "Team": 79}).to_numpy()
df = pd.DataFrame({"plan": plan, "churned": churned, "mrr": price})
print(len(df), "customers,", int(df.churned.sum()), "churned")
""",
r"""t = df.groupby("plan").agg(customers=("churned", "size"), churned=("churned", "sum"),
                           rate=("churned", "mean"), mrr=("mrr", "sum"))
t["lost_mrr"] = df[df.churned].groupby("plan")["mrr"].sum()
t["rate"] = (t["rate"] * 100).round(2)
t
""",
r"""print("overall churn %.2f%%" % (df.churned.mean() * 100))
print("MRR before", df.mrr.sum(), "lost", df.loc[df.churned, "mrr"].sum())
print("revenue churn %.2f%%" % (df.loc[df.churned, "mrr"].sum() / df.mrr.sum() * 100))
""",
    ],
    "answers": [('plain',
  'Overall 164 of 2,400 customers left, a churn rate of 6.83%. In money that was $2,798 of monthly recurring revenue.',
  [('digit', '6.83%', '6.38%', '6.38'), ('wrong column', '$2,798', '$1,488', '1,488'), ('wrong statistic', '6.83%', '4.55%', '4.55')]),
 ('percent',
  'Basic is where you lose people: 9.3% cancelled, compared with 4.8% on Pro and just 1% on Team.',
  [('swapped entity', '4.8%', '6.8%', '6.8'), ('scale', '9.3%', '0.093%', '0.093'), ('digit', '9.3%', '3.9%', '3.9')]),
 ('derived',
  'About three out of four churners (124 of 164) were on Basic, but they account for only 53% of the MRR that was lost.',
  [('miscomputed derivation', '53%', '38%', '38'), ('swapped entity', '(124', '(37', '37')]),
 ('list or table',
  '| Plan | Customers | Churned | Rate | Lost MRR |\n'
  '|---|---|---|---|---|\n'
  '| Basic | 1,339 | 124 | 9.26% | 1,488 |\n'
  '| Pro | 769 | 37 | 4.81% | 1,073 |\n'
  '| Team | 292 | 3 | 1.03% | 237 |\n'
  '\n'
  'MRR goes from 61,437 to 58,639.',
  [('wrong column', '| 1,073 |', '| 22,301 |', '22,301'),
   ('miscomputed derivation', '58,639', '59,949'),
   ('digit', '1,339', '1,393'),
   ('sign or direction', 'from 61,437 to 58,639', 'from 61,437 up to 64,235', '64,235')]),
 ('summary of an analysis',
  'Revenue churn (4.55%) is lower than customer churn (6.83%) because the people who leave are mostly on the cheapest plan. Team has just 292 '
  'accounts, 12% of the base, yet brings in 38% of MRR, and only 3 of them cancelled. A Basic customer is roughly nine times as likely to leave as a '
  'Team customer.',
  [('sign or direction', '(4.55%) is lower', '(4.55%) is higher', '4.55'),
   ('miscomputed derivation', '38% of MRR', '27% of MRR', '27'),
   ('swapped entity', '292 accounts', '769 accounts', '769'),
   ('number of something else', 'only 3 of', 'only 37 of', '37')]),
 ('units or currency',
  'Average revenue per customer is $25.60 a month.',
  [('miscomputed derivation', '$25.60', '$28.40', '28.40'), ('typed literal', '$25.60', '$29.00', '29.00'), ('scale', '$25.60', '$256', '256')])],
}
