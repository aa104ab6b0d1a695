{
    "domain": 'web analytics',
    "question": 'Which channel converts best, and what do we pay per order?',
    "cells": [
r"""import sqlite3
con = sqlite3.connect(":memory:")
con.execute("create table s(channel text, week int, sessions int, bounces int, orders int, spend real)")
con.executemany("insert into s values(?,?,?,?,?,?)", [
 ("organic",1,8420,3705,168,0),("organic",2,8915,3834,187,0),("organic",3,9240,3881,201,0),
 ("paid",1,5130,2873,113,2840),("paid",2,5460,3112,109,3015),("paid",3,4985,2742,118,2790),
 ("email",1,1870,580,94,210),("email",2,2240,650,121,210),("email",3,1635,523,72,210),
 ("social",1,3310,2284,26,640),("social",2,4105,2955,29,780),("social",3,3720,2604,31,700)])
for r in con.execute('''select channel, sum(sessions), sum(orders), round(100.0*sum(orders)/sum(sessions),2),
                        round(100.0*sum(bounces)/sum(sessions),1) from s group by channel order by 2 desc'''):
    print(r)
""",
r"""print(con.execute("select sum(sessions), sum(orders), sum(spend) from s").fetchone())
for r in con.execute('''select channel, sum(spend), round(sum(spend)/sum(orders),2) from s where spend>0
                        group by channel order by 3'''):
    print(*r)
for r in con.execute("select week, sum(sessions), sum(orders) from s group by week"):
    print("week", *r)
""",
    ],
    "answers": [('plain',
  "Email converts best, at 5.0%, and it's also the cheapest at 2.20 per order.",
  [('swapped entity', '5.0%', '2.1%', '2.1'), ('swapped entity', '2.20 per order', '24.65 per order', '24.65'), ('scale', '5.0%', '0.05%', '0.05')]),
 ('derived',
  'Over the three weeks you had about 59,000 sessions and 1,269 orders, so roughly 2.1% of visits ended in a purchase. Each order cost just under 9 '
  'in ad spend.',
  [('miscomputed derivation', '2.1%', '4.6%', '4.6'),
   ('digit', '1,269', '1,296'),
   ('miscomputed derivation', 'under 9', 'under 11', '11'),
   ('scale', '59,000', '590,000')]),
 ('percent',
  'Email accounts for less than 10% of traffic yet almost 23% of orders. Organic is the opposite case of sheer volume: 45% of sessions and 44% of '
  'orders.',
  [('miscomputed derivation', '23% of', '27% of', '27'),
   ('wrong statistic', '45% of', '43% of', '43'),
   ('miscomputed derivation', '44% of', '34% of', '34')]),
 ('list or table',
  '| Channel | Sessions | Orders | Conversion | Bounce rate |\n'
  '|---|---|---|---|---|\n'
  '| Organic | 26,575 | 556 | 2.09% | 43.0% |\n'
  '| Paid | 15,575 | 340 | 2.18% | 56.0% |\n'
  '| Social | 11,135 | 86 | 0.77% | 70.4% |\n'
  '| Email | 5,745 | 287 | 5.00% | 30.5% |',
  [('digit', '15,575', '15,755'),
   ('digit', '| 86 |', '| 68 |', '68'),
   ('swapped entity', '70.4%', '56.6%', '56.6'),
   ('digit', '30.5%', '35.0%', '35.0')]),
 ('summary of an analysis',
  'Paid search swallows 8,645 of the 11,395 you spend, around three quarters, at 25.43 per order. Social is barely cheaper per order (24.65) and has '
  "the worst bounce rate, 70.4%. If I were to move budget, it'd be from those two to email, which delivered 287 orders for only 630.",
  [('swapped entity', '25.43', '22.40'),
   ('wrong column', '287 orders', '580 orders', '580'),
   ('swapped entity', 'only 630', 'only 2,120', '2,120'),
   ('swapped entity', '70.4%', '43.0%', '43.0')]),
 ('dates, versions, ordinals',
  'Week 2 was the best, with 20,720 sessions and 446 orders. In week 3 traffic dropped 5.5% again.',
  [('swapped entity', '446 orders', '422 orders', '422'),
   ('sign or direction', 'dropped 5.5%', 'climbed 5.5%', '5.5'),
   ('miscomputed derivation', '5.5%', '10.6%', '10.6')])],
}
