{
    "domain": 'household electricity',
    "question": 'Should I switch tariffs? Old: 9.90 a month plus 31.2 ct/kWh, new: 13.50 plus 27.4 ct.',
    "cells": [
r"""kwh = [412, 388, 351, 297, 248, 226, 231, 239, 262, 318, 371, 425]
months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
old = dict(base=9.90, kwh=0.312)
new = dict(base=13.50, kwh=0.274)
print("total", sum(kwh), "avg", sum(kwh) / 12, "max", months[kwh.index(max(kwh))], max(kwh), "min", months[kwh.index(min(kwh))], min(kwh))
def yearly(t):
    return 12 * t["base"] + sum(kwh) * t["kwh"]
print("old", round(yearly(old), 2), "new", round(yearly(new), 2), "saving", round(yearly(old) - yearly(new), 2))
""",
r"""for m, k in zip(months, kwh):
    a, b = old["base"] + k * old["kwh"], new["base"] + k * new["kwh"]
    print(m, k, f"{a:.2f} {b:.2f} {a-b:+.2f}")
print("tariffs cost the same at", round((new["base"] - old["base"]) / (old["kwh"] - new["kwh"]), 1), "kWh per month")
""",
    ],
    "answers": [('plain',
  'Yes, the new tariff would save you almost exactly 100 euros a year: 1,194.43 instead of 1,294.42.',
  [('scale', '100 euros', '1,000 euros', '1,000'),
   ('digit', '1,194.43', '1,149.43'),
   ('sign or direction', 'save you almost exactly 100 euros a year', 'cost you almost exactly 100 euros a year more', '100')]),
 ('derived',
  'The saving is 7.7% of your current bill. You use 314 kWh a month on average, far above the 94.7 kWh at which both tariffs cost the same.',
  [('miscomputed derivation', '7.7%', '9.7%', '9.7'),
   ('wrong statistic', '314 kWh', '226 kWh', '226'),
   ('digit', '94.7', '97.4'),
   ('sign or direction', 'far above the 94.7', 'far below the 94.7', '94.7')]),
 ('plain',
  'Consumption was 3,768 kWh over the year, with the peak in December (425) and the low in June (226).',
  [('digit', '3,768', '3,678'), ('swapped entity', '(425)', '(412)', '412'), ('scale', '3,768', '37,680')]),
 ('list or table',
  '| Month | kWh | Old | New | Saving |\n'
  '|---|--:|--:|--:|--:|\n'
  '| January | 412 | 138.44 | 126.39 | 12.06 |\n'
  '| April | 297 | 102.56 | 94.88 | 7.69 |\n'
  '| June | 226 | 80.41 | 75.42 | 4.99 |\n'
  '| October | 318 | 109.12 | 100.63 | 8.48 |\n'
  '| December | 425 | 142.50 | 129.95 | 12.55 |',
  [('swapped entity', '100.63', '115.15'),
   ('digit', '129.95', '192.95'),
   ('swapped entity', '| 80.41', '| 81.97', '81.97'),
   ('digit', '7.69', '6.79')]),
 ('summary of an analysis',
  'You save every month, from 4.99 in June to 12.55 in December. The four coldest months (November to February) make up 1,596 kWh, 42% of the year, '
  'and bring a good 46 of the 100 euros saved. The higher base fee costs you 43.20 more per year, but the cheaper kilowatt hours outweigh it by far.',
  [('swapped entity', '4.99', '5.18'),
   ('miscomputed derivation', '1,596', '1,696'),
   ('miscomputed derivation', '42% of', '33% of', '33'),
   ('miscomputed derivation', '43.20', '34.20')]),
 ('percent',
  'In December you need 88% more electricity than in June, 425 kWh versus 226.',
  [('miscomputed derivation', '88%', '47%', '47'),
   ('sign or direction', '88% more', '88% less', '88'),
   ('swapped entity', 'versus 226', 'versus 248', '248')])],
}
