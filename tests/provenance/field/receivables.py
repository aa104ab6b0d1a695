{
    "domain": 'accounts receivable',
    "question": 'Make an ageing of the unpaid invoices as of 10 June 2024. Who owes us most?',
    "cells": [
r"""import pandas as pd
inv = pd.DataFrame({
    "invoice": [f"R{n}" for n in range(2301, 2313)],
    "customer": ["Bolt AG", "Nordic", "Bolt AG", "Cask Ltd", "Nordic", "Delphi", "Cask Ltd", "Bolt AG", "Delphi", "Nordic", "Cask Ltd", "Delphi"],
    "due": pd.to_datetime(["2024-01-15", "2024-02-10", "2024-03-20", "2024-03-31", "2024-04-12", "2024-04-20", "2024-05-05", "2024-05-18", "2024-05-30", "2024-06-04", "2024-06-15", "2024-06-28"]),
    "amount": [4120.50, 980.00, 7350.00, 2215.75, 1460.00, 3890.20, 640.00, 5125.00, 2780.00, 1995.40, 3310.00, 870.00]})
today = pd.Timestamp("2024-06-10")
inv["days"] = (today - inv.due).dt.days
inv["bucket"] = pd.cut(inv.days, [-999, 0, 30, 60, 90, 999], labels=["not due", "1-30", "31-60", "61-90", ">90"])
print(inv.to_string(index=False))
""",
r"""a = inv.groupby("bucket").amount.agg(["count", "sum"])
a["share"] = (a["sum"] / a["sum"].sum()).round(3)
print(a)
print("open", inv.amount.sum().round(2), "overdue", inv[inv.days > 0].amount.sum().round(2))
""",
r"""od = inv[inv.days > 0]
print(od.groupby("customer").amount.sum().sort_values(ascending=False))
print("weighted days overdue", round((od.days * od.amount).sum() / od.amount.sum(), 1), "plain", round(od.days.mean(), 1))
""",
    ],
    "answers": [('plain',
  '€34,736.85 is outstanding, of which €30,556.85 is past due.',
  [('digit', '34,736.85', '34,763.85'), ('swapped entity', '30,556.85', '16,595.50'), ('scale', '34,736.85', '347,368.50')]),
 ('percent',
  '88% of the open amount is overdue, and more than half of that (54%) is owed by Bolt AG.',
  [('miscomputed derivation', '88%', '78%', '78'), ('miscomputed derivation', '(54%)', '(64%)', '64'), ('swapped entity', '88%', '12%', '12')]),
 ('list or table',
  'Ageing on 10 June 2024:\n'
  '\n'
  '| Bucket | Invoices | Amount |\n'
  '|---|---|---|\n'
  '| Not due | 2 | 4,180.00 |\n'
  '| 1–30 days | 3 | 9,900.40 |\n'
  '| 31–60 days | 3 | 5,990.20 |\n'
  '| 61–90 days | 2 | 9,565.75 |\n'
  '| over 90 days | 2 | 5,100.50 |',
  [('digit', '9,565.75', '9,656.75'),
   ('swapped entity', '5,990.20', '5,125.00'),
   ('scale', '9,900.40', '99,004'),
   ('invented', '5,100.50', '6,100.50')]),
 ('derived',
  'Two invoices are older than 90 days, together 5,100.50; the oldest, R2301 for 4,120.50, was due on 15 January and is 147 days late.',
  [('swapped entity', '147 days', '121 days', '121'), ('wrong column', '4,120.50', '7,350.00'), ('digit', '5,100.50', '5,010.50')]),
 ('counted',
  '10 of the 12 invoices are late, on average by about 61 days, or 64 days if you weight them by amount.',
  [('wrong statistic', 'about 61 days', 'about 51 days', '51'),
   ('miscomputed derivation', '10 of', '8 of', '8'),
   ('digit', '64 days', '46 days', '46')]),
 ('summary of an analysis',
  'Start with Bolt AG: they owe 16,595.50 of the overdue total across three invoices. Delphi follows with 6,670.20 and Nordic with 4,435.40; Cask is '
  'last at 2,855.75. Altogether 14,666.25, i.e. 42% of all receivables, has been overdue for more than two months.',
  [('invented', '6,670.20', '6,980.20'),
   ('miscomputed derivation', '14,666.25', '15,556.95'),
   ('miscomputed derivation', '42%', '48%', '48'),
   ('wrong column', '2,855.75', '3,310.00')])],
}
