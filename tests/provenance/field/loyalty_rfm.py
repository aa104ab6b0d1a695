{
    "domain": 'customer segmentation',
    "question": 'Segment our 600 customers and tell me which group matters most.',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(2024)
n = 600
df = pd.DataFrame({
    "recency": rng.integers(1, 365, n),
    "orders": rng.poisson(3.2, n) + 1,
})
df["spend"] = (df.orders * rng.gamma(4, 11, n)).round(2)
df["segment"] = np.select(
    [(df.recency <= 60) & (df.orders >= 5), (df.recency <= 120), (df.recency > 270)],
    ["champion", "active", "lost"], default="cooling")
df.describe().round(2)
""",
r"""s = df.groupby("segment").agg(customers=("spend", "size"), revenue=("spend", "sum"), avg_orders=("orders", "mean"), avg_spend=("spend", "mean"))
s["cust_share"] = (s.customers / n * 100).round(1)
s["rev_share"] = (s.revenue / s.revenue.sum() * 100).round(1)
s.round(2)
""",
r"""top = df.nlargest(60, "spend")
print("total", round(df.spend.sum(), 2))
print("top decile", round(top.spend.sum(), 2), f"{top.spend.sum()/df.spend.sum():.1%}")
""",
    ],
    "answers": [('plain',
  'The biggest group is "cooling": 237 customers with 47,309 in revenue.',
  [('swapped entity', '237', '178'), ('digit', '47,309', '43,709'), ('scale', '47,309', '4,731')]),
 ('percent',
  'Your champions are just 6% of customers but bring in 8.7% of revenue, and the top decile by spend makes almost a quarter (24.7%).',
  [('wrong column', '8.7%', '5.7%', '5.7'), ('digit', '24.7%', '27.4%', '27.4'), ('scale', '6% of', '60% of', '60')]),
 ('derived',
  'A champion spends 277 on average, which is 86 more than the typical customer and 105 more than one in the active segment.',
  [('swapped entity', '277', '171'), ('miscomputed derivation', '86 more', '96 more', '96'), ('sign or direction', '105 more', '105 less', '105')]),
 ('list or table',
  'Revenue share by segment:\n'
  '\n'
  '* cooling – 41.4% (237 customers)\n'
  '* active – 26.7% (178)\n'
  '* lost – 23.2% (149)\n'
  '* champion – 8.7% (36)\n'
  '\n'
  'In total: 114,356.',
  [('wrong column', '26.7%', '29.7%', '29.7'),
   ('digit', '(149)', '(194)', '194'),
   ('digit', '114,356', '141,356'),
   ('digit', '41.4%', '44.1%', '44.1')]),
 ('summary of an analysis',
  "Total revenue is about 114,000, an average of 190.59 per customer (median 160). A quarter of the base, 149 people, hasn't bought for more than "
  '270 days; together they still stand for 26,583 of past sales. Cooling and active customers combined make up over two thirds of revenue, so '
  'win-back should start with the cooling ones.',
  [('wrong statistic', '190.59', '126.20'),
   ('swapped entity', '26,583', '30,501'),
   ('number of something else', 'more than 270', 'more than 360', '360'),
   ('wrong statistic', 'median 160', 'median 248', '248')]),
 ('plain',
  'Half of your customers have spent between 99 and 248; the largest spender reached 755.50 and the busiest placed 12 orders.',
  [('wrong statistic', '248', '191'),
   ('digit', '755.50', '577.50'),
   ('wrong column', '12 orders', '36 orders', '36'),
   ('wrong statistic', 'between 99', 'between 160', '160')])],
}
