{
    "domain": 'email marketing',
    "question": 'Compare our four email campaigns, please. Which one was most worth it?',
    "cells": [
r"""import pandas as pd
from io import StringIO
raw = '''campaign;sent;delivered;opens;clicks;orders;revenue;unsub
Spring;24800;24130;6032;796;91;6279.00;58
Flash48;25150;24390;7805;1366;204;11016.00;131
Newsletter;25400;24740;5319;445;27;1944.00;37
Winback;9600;8810;1145;141;19;1539.00;102
'''
c = pd.read_csv(StringIO(raw), sep=";", index_col="campaign")
c["open_rate"] = c.opens / c.delivered
c["ctr"] = c.clicks / c.delivered
c["cto"] = c.clicks / c.opens
c["conv"] = c.orders / c.clicks
c["aov"] = c.revenue / c.orders
print((c[["open_rate", "ctr", "cto", "conv"]] * 100).round(1))
c[["orders", "revenue", "aov"]]
""",
r"""t = c[["sent", "delivered", "opens", "clicks", "orders", "revenue", "unsub"]].sum()
print(t.astype(int).to_string())
print("bounce %", round(100 * (1 - t.delivered / t.sent), 2))
print("revenue per 1000 delivered")
print((c.revenue / c.delivered * 1000).round(1).to_dict())
print("unsub %", (c.unsub / c.delivered * 100).round(2).to_dict())
""",
    ],
    "answers": [('plain',
  'Flash48 by a wide margin: 204 orders and 11,016 in revenue.',
  [('swapped entity', '204 orders', '91 orders', '91'), ('digit', '11,016', '11,061'), ('scale', '11,016', '110,160')]),
 ('percent',
  'Flash48 was opened by 32% of recipients, Spring by 25%, the newsletter by 21.5% and Winback by only 13%.',
  [('digit', '32%', '23%', '23'), ('swapped entity', '21.5%', '17.5%', '17.5'), ('wrong column', '13%', '12.3%', '12.3')]),
 ('derived',
  "Overall 82,070 mails got through, 2,880 bounced, and 341 people ordered for a total of 20,778. That's an average basket of about 61.",
  [('miscomputed derivation', '2,880', '2,780'),
   ('miscomputed derivation', 'about 61', 'about 69', '69'),
   ('wrong column', '341 people', '328 people', '328'),
   ('wrong column', '82,070', '84,950')]),
 ('list or table',
  '| Campaign | Click rate | Orders | Revenue / 1000 delivered |\n'
  '|---|---|---|---|\n'
  '| Flash48 | 5.6% | 204 | 451.70 |\n'
  '| Spring | 3.3% | 91 | 260.20 |\n'
  '| Winback | 1.6% | 19 | 174.70 |\n'
  '| Newsletter | 1.8% | 27 | 78.60 |',
  [('digit', '260.20', '206.20'), ('wrong column', '5.6%', '17.5%', '17.5'), ('digit', '3.3%', '3.8%', '3.8'), ('wrong column', '174.70', '81.00')]),
 ('summary of an analysis',
  'Flash48 made 53% of all campaign revenue and 60% of the orders, although its average order (54) was the smallest of the four. Winback has the '
  "largest basket at 81 and converts 13.5% of clicks, but it's costly in goodwill: 102 people unsubscribed, 1.16% of those reached and nearly a "
  'third of all opt-outs.',
  [('miscomputed derivation', '53% of', '63% of', '63'),
   ('swapped entity', '102 people', '131 people', '131'),
   ('swapped entity', 'at 81', 'at 69', '69'),
   ('scale', '1.16%', '11.6%', '11.6')]),
 ('plain',
  'Bounce rate was 3.39% and the newsletter had the lowest opt-out rate, 0.15%.',
  [('digit', '3.39%', '3.93%', '3.93'), ('swapped entity', '0.15%', '0.54%', '0.54'), ('scale', '0.15%', '15%', '15')])],
}
