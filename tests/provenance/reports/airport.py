{
    "domain": 'airport passengers',
    "question": 'pax.txt has our monthly passengers in thousands, 2022 to 2024. How is the trend, what about seasonality, anything unusual in 2024?',
    "cells": [
r'''import pandas as pd
txt = """2022: 212 225 298 341 402 455 498 510 431 377 268 290
2023: 251 263 334 389 447 503 552 561 478 409 301 327
2024: 262 281 341 377 466 531 579 590 495 421 309 340"""
with open("pax.txt", "w") as f:
    f.write(txt)
vals = {}
for line in open("pax.txt"):
    y, xs = line.split(":")
    for m, x in enumerate(xs.split(), 1):
        vals[pd.Period(f"{y}-{m:02d}", "M")] = int(x)     # thousand passengers
pax = pd.Series(vals, name="pax_k")
table = pax.groupby([pax.index.month, pax.index.year]).first().unstack()
table''',
r'''yearly = pax.groupby(pax.index.year).agg(["sum", "mean", "max"])
yearly["yoy_%"] = (yearly["sum"].pct_change() * 100)
print(yearly.round(1))
yoy = (pax / pax.shift(12) - 1).dropna() * 100
print("\nYoY by month, 2024")
print(yoy["2024-01":].round(1).to_string())''',
r'''season = pax.groupby(pax.index.month).mean() / pax.mean()
print("seasonal index:", season.round(2).to_dict())
q = pax.groupby([pax.index.year, pax.index.quarter]).sum().unstack()
q.columns = ["Q1", "Q2", "Q3", "Q4"]
q''',
    ],
    "answers": [
        ('summary of an analysis', 'Traffic keeps growing, but more slowly: 4.31 million passengers in 2022, 4.82 million in 2023 (+11.8%) and 4.99 million in 2024 (+3.7%). Every month of 2024 beat the year before except April, which fell 3.1% to 377,000. February showed the strongest growth (+6.8%).', [
            ('scale', '4.31 million', '431 million', '431'),
            ('sign or direction', 'fell 3.1% to', 'rose 3.1% to', '3.1%'),
            ('swapped entity', '(+3.7%)', '(+7.3%)', '7.3%'),
            ('swapped entity', '(+6.8%)', '(+5.6%)', '5.6%'),
        ]),
        ('plain', 'August is the peak in all three years (510, 561 and 590 thousand), January the trough. The seasonal index runs from 0.62 in January to 1.41 in August.', [
            ('swapped entity', '510, 561 and', '510, 552 and', '552'),
            ('swapped entity', '1.41 in August', '1.39 in August', '1.39'),
            ('digit', 'from 0.62', 'from 0.26', '0.26'),
        ]),
        ('fractions in words', 'The third quarter alone accounts for a third of the 2024 traffic: 1,664 thousand of 4,992 thousand. The first quarter contributes less than 18%.', [
            ('stale value', '1,664 thousand', '1,591 thousand', '1,591'),
            ('miscomputed derivation', 'less than 18%', 'less than 12%', '12%'),
            ('digit', 'of 4,992', 'of 4,929', '4,929'),
        ]),
        ('derived', 'Compared with 2022, the airport handled 685,000 more passengers in 2024, an increase of 15.9% over two years. Only 177,000 of these came in the second year.', [
            ('miscomputed derivation', '685,000', '658,000'),
            ('miscomputed derivation', '15.9%', '13.7%'),
            ('number of something else', 'Only 177,000', 'Only 117,000', '117,000'),
        ]),
        ('list or table', 'Quarterly passengers (thousands):\n\n| Year | Q1 | Q2 | Q3 | Q4 |\n|---|---|---|---|---|\n| 2022 | 735 | 1,198 | 1,439 | 935 |\n| 2023 | 848 | 1,339 | 1,591 | 1,037 |\n| 2024 | 884 | 1,374 | 1,664 | 1,070 |', [
            ('swapped entity', '| 848 |', '| 846 |', '846'),
            ('digit', '1,439', '1,493'),
            ('digit', '1,070', '1,700'),
        ]),
        ('dates, versions, ordinals', 'In July and August 2024 together, 1.17 million people passed through, 23% of the year. An average month in 2024 saw 416,000.', [
            ('miscomputed derivation', '23% of the year', '32% of the year', '32%'),
            ('stale value', 'saw 416,000', 'saw 401,000', '401,000'),
            ('scale', '1.17 million', '11.7 million', '11.7'),
        ]),
    ],
}
