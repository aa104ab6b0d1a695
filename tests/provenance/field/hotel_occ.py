{
    "domain": 'hotel revenue management',
    "question": 'How did the April-September season go compared to last year (10,870 nights, 1,166,400 revenue)?',
    "cells": [
r"""import pandas as pd
rooms = 84
d = pd.DataFrame({"month": ["Apr", "May", "Jun", "Jul", "Aug", "Sep"], "days": [30, 31, 30, 31, 31, 30],
                  "nights": [1461, 1692, 1915, 2348, 2421, 1788], "room_rev": [140256, 170892, 206820, 281760, 297783, 185952]})
d["avail"] = rooms * d.days
d["occ"] = (d.nights / d.avail * 100).round(1)
d["adr"] = (d.room_rev / d.nights).round(2)
d["revpar"] = (d.room_rev / d.avail).round(2)
print(d.to_string(index=False))
""",
r"""t = d[["days", "nights", "room_rev", "avail"]].sum()
print(t.to_dict())
print(f"occ {t.nights/t.avail:.1%} adr {t.room_rev/t.nights:.2f} revpar {t.room_rev/t.avail:.2f}")
print("last year: nights 10870, revenue 1166400")
print(f"{t.nights/10870-1:+.1%} {t.room_rev/1166400-1:+.1%}")
""",
    ],
    "answers": [('plain',
  'You sold 11,625 room nights, 6.9% more than last year, and room revenue grew 10.0% to 1.28 million.',
  [('question number given as result', '11,625', '10,870'),
   ('digit', '6.9%', '9.6%', '9.6'),
   ('scale', '1.28 million', '12.8 million', '12.8'),
   ('sign or direction', '6.9% more', '6.9% fewer', '6.9')]),
 ('derived',
  "That's 755 more nights and about 117,000 more in revenue than last season.",
  [('miscomputed derivation', '755', '855'),
   ('miscomputed derivation', '117,000', '107,000'),
   ('sign or direction', '755 more nights', '755 fewer nights', '755')]),
 ('percent',
  'Occupancy averaged 75.6%, from 58% in April to 93% in August.',
  [('invented', '75.6%', '73.5%', '73.5'), ('swapped entity', '93%', '90%', '90'), ('digit', '58%', '85%', '85')]),
 ('list or table',
  '| Month | Occupancy | ADR | RevPAR |\n'
  '|---|---|---|---|\n'
  '| Apr | 58.0% | 96 | 55.66 |\n'
  '| May | 65.0% | 101 | 65.63 |\n'
  '| Jun | 76.0% | 108 | 82.07 |\n'
  '| Jul | 90.2% | 120 | 108.20 |\n'
  '| Aug | 93.0% | 123 | 114.36 |\n'
  '| Sep | 71.0% | 104 | 73.79 |',
  [('invented', '65.63', '63.97'), ('digit', '90.2%', '92.0%', '92.0'), ('invented', '82.07', '86.50'), ('digit', '114.36', '141.36')]),
 ('summary of an analysis',
  'July and August carry the season: together 579,543, or 45% of all room revenue. The average rate climbed from 96 in April to 123 in August, up '
  '28%. September then fell hard, with revenue 38% below August, and over the six months 3,747 room nights stayed empty.',
  [('miscomputed derivation', '579,543', '569,543'),
   ('miscomputed derivation', '45% of', '41% of', '41'),
   ('sign or direction', '38% below', '38% above', '38'),
   ('miscomputed derivation', '3,747', '3,477')]),
 ('units or currency',
  "The average daily rate was €110.41 and revenue per available room €83.49. Last year's rate works out at about €107.30, so prices rose not quite "
  '3%.',
  [('swapped entity', '€110.41', '€114.36', '114.36'),
   ('digit', '€83.49', '€84.39', '84.39'),
   ('miscomputed derivation', '€107.30', '€117.30', '117.30')])],
}
