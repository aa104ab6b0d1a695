{
    "domain": 'bakery sales',
    "question": "Here are the monthly sales of my two bakeries. Which one grows, what's my best month, and what share comes from bread?",
    "cells": [
'import pandas as pd\nfrom io import StringIO\ncsv = """month,shop,bread,cake,drinks\n2024-01,Old Town,8120,3410,1290\n2024-02,Old Town,7890,3765,1215\n2024-03,Old Town,8345,3980,1402\n2024-04,Old Town,8010,4120,1533\n2024-05,Old Town,8222,4410,1718\n2024-06,Old Town,7755,3895,1941\n2024-01,Station,5230,1980,4120\n2024-02,Station,5410,2015,4055\n2024-03,Station,5875,2240,4510\n2024-04,Station,6105,2395,4790\n2024-05,Station,6340,2610,5235\n2024-06,Station,6485,2505,5660\n"""\ndf = pd.read_csv(StringIO(csv))\ndf["total"] = df.bread + df.cake + df.drinks\np = df.pivot(index="month", columns="shop", values="total")\np["both"] = p.sum(axis=1)\nprint(p)',
r"""s = df.groupby("shop")[["bread", "cake", "drinks", "total"]].sum()
print(s)
print(s.div(s.total, axis=0).round(3))""",
r"""for shop in ("Old Town", "Station"):
    first, last = p[shop].iloc[0], p[shop].iloc[-1]
    print(f"{shop}: January {first}, June {last}, change {last - first:+d} ({last / first - 1:+.1%}), monthly mean {p[shop].mean():.0f}")
print(p.both.pct_change().mul(100).round(1))""",
    ],
    "answers": [
        ('summary of an analysis', 'Both shops grew, but Station much faster: from 11,330 in January to 14,650 in June, up 29.3 %, against 6.0 % for Old Town. Over the half-year Old Town is still slightly ahead with 81,021 to 77,560. Your best month overall was May with 28,535; June slipped by 1.0 %.', [
            ('swapped entity', 'up 29.3 %, against 6.0 %', 'up 6.0 %, against 29.3 %', ['6.0', '29.3']),
            ('wrong column', 'May with 28,535', 'May with 14,350', '14,350'),
            ('sign or direction', 'slipped by 1.0 %', 'grew by 1.0 %', '1.0'),
            ('digit', '77,560', '75,760'),
        ]),
        ('derived', 'In June Station overtook Old Town by 1,059.', [
            ('miscomputed derivation', '1,059', '1,159'),
            ('number of something else', 'by 1,059', 'by 771', '771'),
            ('digit', '1,059', '1,095'),
        ]),
        ('percent', 'Bread brings in 59.7 % of sales at Old Town but only 45.7 % at Station, where drinks account for 36.6 %.', [
            ('wrong column', '36.6', '17.7'),
            ('swapped entity', '36.6', '11.2'),
            ('digit', '59.7', '57.9'),
        ]),
        ('derived', 'Across both shops bread makes up about 53 % of turnover, 83,787 out of 158,581.', [
            ('miscomputed derivation', '53 %', '60 %', '60'),
            ('wrong column', '83,787', '81,021'),
            ('digit', '158,581', '185,581'),
        ]),
        ('list or table', '| Month | Old Town | Station | Both |\n|---|---|---|---|\n| January | 12,820 | 11,330 | 24,150 |\n| March | 13,727 | 12,625 | 26,352 |\n| May | 14,350 | 14,185 | 28,535 |\n| June | 13,591 | 14,650 | 28,241 |', [
            ('swapped entity', '| 13,727 |', '| 13,663 |', '13,663'),
            ('swapped entity', '| 13,591 | 14,650 |', '| 14,650 | 13,591 |', ['14,650', '13,591']),
            ('digit', '24,150', '21,450'),
            ('scale', '28,241', '282,410'),
        ]),
        ('derived', 'Combined sales in June were 4,091 higher than in January, roughly 17 % more.', [
            ('miscomputed derivation', '17 %', '27 %', '27'),
            ('wrong column', '4,091', '3,320'),
            ('sign or direction', '4,091 higher', '4,091 lower', '4,091'),
        ]),
        ('summary of an analysis', 'In the first half of the year:\n- Old Town sold on average 13,504 a month, Station 12,927\n- drinks are 28,370 at Station, about three times the 9,099 of Old Town\n- cake is stronger at Old Town (29.1 % of sales, versus 17.7 %)\n- March was the month with the biggest jump, +8.2 %', [
            ('swapped entity', '+8.2 %', '+5.9 %', '5.9'),
            ('wrong column', '28,370', '35,445'),
            ('swapped entity', '13,504 a month, Station 12,927', '12,927 a month, Station 13,504', ['12,927', '13,504']),
            ('wrong column', '(29.1 %', '(59.7 %', '59.7'),
        ]),
    ],
}
