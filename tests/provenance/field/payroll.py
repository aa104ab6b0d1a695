{
    "domain": 'HR salaries',
    "question": 'Give me an overview of our salaries: average, by department, men vs. women, and what a 3.5% raise would cost.',
    "cells": [
r"""import pandas as pd
staff = pd.DataFrame([
    ("Akers", "Engineering", 92000, 2016, "F"), ("Bellini", "Engineering", 78500, 2020, "M"),
    ("Cho", "Engineering", 104000, 2013, "M"), ("Dunne", "Engineering", 81200, 2019, "F"),
    ("Eze", "Sales", 61000, 2021, "M"), ("Falk", "Sales", 67400, 2018, "F"),
    ("Gupta", "Sales", 58900, 2022, "F"), ("Hale", "Support", 43100, 2021, "M"),
    ("Ivanov", "Support", 45800, 2017, "M"), ("Jansen", "Support", 41900, 2023, "F"),
    ("Kim", "Support", 44600, 2020, "F"), ("Lopez", "Finance", 73300, 2015, "F"),
    ("Moss", "Finance", 69700, 2019, "M"), ("Nwosu", "Management", 158000, 2011, "F"),
], columns=["name", "dept", "salary", "hired", "sex"])
staff.salary.describe()
""",
r"""d = staff.groupby("dept").salary.agg(["count", "mean", "median", "min", "max", "sum"]).round(0).astype(int)
print(d)
print("payroll:", staff.salary.sum())
""",
r"""staff["tenure"] = 2024 - staff.hired
print(staff.tenure.mean(), staff.tenure.median())
print(staff.groupby("sex").salary.agg(["count", "mean", "median"]).round(1))
raise_ = staff.assign(new=staff.salary * 1.035)
print("after 3.5% raise:", round(raise_.new.sum()), "extra:", round(raise_.new.sum() - staff.salary.sum()))
""",
    ],
    "answers": [('plain',
  'The average salary is $72,814 and the median $68,550.',
  [('wrong statistic', '$72,814', '$80,525', '80,525'),
   ('digit', '$68,550', '$65,850', '65,850'),
   ('wrong statistic', '$68,550', '$30,930', '30,930')]),
 ('units or currency',
  'A 3.5% raise for everyone would cost $35,679 a year, taking payroll from about $1.02 million to $1.06 million.',
  [('scale', '$35,679', '$356,790', '356,790'),
   ('digit', '$35,679', '$36,579', '36,579'),
   ('miscomputed derivation', '$1.06 million', '$1.16 million', '1.16')]),
 ('list or table',
  'Average pay by department:\n'
  '\n'
  '1. Management – 158,000 (one person)\n'
  '2. Engineering – 88,925\n'
  '3. Finance – 71,500\n'
  '4. Sales – 62,433\n'
  '5. Support – 43,850\n'
  '\n'
  'Engineers make up 4 of the 14 people but 35% of the payroll.',
  [('wrong statistic', '88,925', '86,600'),
   ('swapped entity', '62,433', '61,000'),
   ('miscomputed derivation', '35%', '29%', '29'),
   ('digit', '43,850', '48,350')]),
 ('derived',
  "Women earn on average about $10,100 more than men, but that's down to one manager on $158,000. The medians are only $5,000 apart.",
  [('sign or direction', '$10,100 more', '$10,100 less', '10,100'),
   ('miscomputed derivation', '$5,000', '$7,000', '7,000'),
   ('swapped entity', '$158,000', '$104,000', '104,000')]),
 ('small integers',
  'There are 14 employees, 8 women and 6 men, with a median tenure of 5 years.',
  [('wrong statistic', '5 years', '7 years', '7'), ('digit', '14 employees', '41 employees', '41'), ('swapped entity', '8 women', '7 women', '7')]),
 ('summary of an analysis',
  'Payroll comes to just over a million ($1,019,400) for 14 people. Pay ranges from $41,900 in Support to $158,000 for the one manager, and the '
  'middle half of the staff sits between roughly $49,000 and $80,500. People have been here 5.8 years on average.',
  [('swapped entity', '$41,900', '$43,100', '43,100'),
   ('wrong statistic', '5.8 years', '5.0 years', '5.0'),
   ('scale', '$1,019,400', '$101,940', '101,940'),
   ('wrong statistic', '$80,500', '$68,500', '68,500')])],
}
