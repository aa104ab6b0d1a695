{
    "domain": 'order data cleaning',
    "question": 'Can you clean up our March order export and tell me the revenue and the average order value?',
    "cells": [
r"""import pandas as pd
rows = [(1001,"2024-03-01","Lamp",2,39.9),(1002,"2024-03-01","Desk",1,249.0),(1003,"2024-03-02","Chair",4,89.5),
        (1003,"2024-03-02","Chair",4,89.5),(1004,"2024-03-04","Lamp",1,39.9),(1005,"2024-03-05","Shelf",3,119.0),
        (1006,"2024-03-05","Desk",2,249.0),(1007,"2024-03-06","Chair",2,89.5),(1007,"2024-03-06","Chair",2,89.5),
        (1008,"2024-03-08","Rug",-1,159.0),(1009,"2024-03-08","Rug",2,159.0),(1010,"2024-03-09","Lamp",5,39.9),
        (1011,"2024-03-11","Shelf",1,119.0),(1012,"2024-03-12","Desk",1,2490.0)]
o = pd.DataFrame(rows, columns=["id","date","item","qty","price"])
o["total"] = o.qty * o.price
print("rows:", len(o), " revenue:", round(o.total.sum(), 2))
print("avg order:", round(o.total.mean(), 2))
""",
r"""print("duplicates:", o.duplicated().sum(), " negative qty:", (o.qty < 0).sum())
c = o.drop_duplicates()
c = c[c.qty > 0].copy()
c.loc[c.id == 1012, "price"] = 249.0     # typo, ten times too high
c["total"] = c.qty * c.price
print("rows:", len(c), " revenue:", round(c.total.sum(), 2))
print("avg order:", round(c.total.mean(), 2), " median:", round(c.total.median(), 2))
""",
r"""c.groupby("item").agg(orders=("id","count"), units=("qty","sum"), revenue=("total","sum")).sort_values("revenue", ascending=False)
""",
    ],
    "answers": [('plain',
  'After cleaning you have 11 orders worth €2,646.20, so €240.56 per order on average.',
  [('stale value', '€2,646.20', '€5,265.20', '5,265.20'),
   ('wrong statistic', '€240.56', '€249.00', '249.00'),
   ('stale value', '11 orders', '14 orders', '14')]),
 ('small integers',
  'I dropped two duplicate lines and one return, and fixed one mistyped price. That leaves 11 of the original 14 rows.',
  [('number of something else', '11 of', '13 of', '13'), ('miscomputed derivation', 'original 14', 'original 15', '15')]),
 ('derived',
  'Cleaning cut revenue by 2,619, about half. Most of it, 2,241, was a single desk entered at 2,490 instead of 249.',
  [('miscomputed derivation', '2,619', '2,169'),
   ('digit', '2,241', '2,421'),
   ('sign or direction', 'cut revenue by 2,619', 'raised revenue by 2,619', '2,619')]),
 ('list or table',
  '| Item | Orders | Units | Revenue |\n'
  '|:--|--:|--:|--:|\n'
  '| Desk | 3 | 4 | 996.00 |\n'
  '| Chair | 2 | 6 | 537.00 |\n'
  '| Shelf | 2 | 4 | 476.00 |\n'
  '| Lamp | 3 | 8 | 319.20 |\n'
  '| Rug | 1 | 2 | 318.00 |\n'
  '| Total | 11 | 24 | 2,646.20 |',
  [('digit', '319.20', '391.20'),
   ('miscomputed derivation', '| 24 |', '| 26 |', '26'),
   ('stale value', '2,646.20', '5,265.20'),
   ('stale value', '537.00', '1,074.00')]),
 ('percent',
  "Desks are the top seller by value with 996 euros, close to 38% of cleaned revenue; by volume it's lamps, with 8 units.",
  [('miscomputed derivation', '38%', '19%', '19'), ('stale value', '996 euros', '3,237 euros', '3,237')]),
 ('summary of an analysis',
  'The raw export had 14 rows and showed 5,265.20 in revenue, an average of 376.09 per line. Two rows were exact duplicates and one had a negative '
  'quantity. With those gone and the price typo corrected, the average order falls to 240.56, while the median is 249.',
  [('sign or direction', 'falls to 240.56', 'rises to 240.56', '240.56'),
   ('digit', '376.09', '367.09'),
   ('wrong statistic', 'the median is 249', 'the median is 253', '253'),
   ('scale', '5,265.20', '52,652')])],
}
