{
"domain": "museum visitors",
"question": "Visitors by quarter and ticket type: what share is free entry, and how did the year go?",
"cells": [
r"""import pandas as pd
v = pd.DataFrame({"full": [21480, 30215, 38760, 24190], "reduced": [9835, 14220, 15105, 10940],
                  "free": [6120, 9870, 7415, 12560]}, index=["Q1", "Q2", "Q3", "Q4"])
v["total"] = v.sum(axis=1)
v.loc["year"] = v.sum()
v""",
r"""rev = v.full * 14 + v.reduced * 9
print(rev.to_string())""",
],
"answers": [
("derived", "Free entry makes up 17.9% of the 200,710 visitors, reduced tickets 25.0%, full price the other 57.1%.", [
    ("miscomputed derivation", "17.9%", "19.7%", "19.7"),
    ("swapped entity", "25.0%, full price the other 57.1%", "57.1%, full price the other 25.0%", ["57.1", "25.0"]),
    ("digit", "200,710", "207,010"),
]),
("derived", "Q3 was the busiest quarter with 61,280 visitors, 23,845 more than Q1.", [
    ("miscomputed derivation", "23,845", "24,845"),
    ("swapped entity", "61,280", "54,305"),
    ("sign or direction", "23,845 more than", "23,845 fewer than", "23,845"),
    ("wrong column", "61,280", "38,760"),
]),
("units or currency", "You took €2.06 million over the year; a third of it (€678,585) in the third quarter.", [
    ("scale", "€2.06 million", "€20.6 million", "20.6"),
    ("swapped entity", "€678,585", "€550,990", "550,990"),
    ("wrong column", "€2.06 million", "€0.20 million", "0.20"),
]),
("summary of an analysis", "Visitor numbers rose from 37,435 in the first quarter to 61,280 in the third, an increase of 64%, then fell by 13,590 to 47,690. The two middle quarters together had 115,585 visitors, 58% of the year. Free entry runs against that pattern: in Q4 it reached 12,560, 5,145 more than in Q3, so that over a quarter of all autumn visitors (26.3%) paid nothing, compared with 12.1% in summer. Revenue per visitor averaged €10.24.", [
    ("sign or direction", "fell by 13,590", "rose by 13,590", "13,590"),
    ("miscomputed derivation", "115,585", "105,585"),
    ("miscomputed derivation", "€10.24", "€12.48", "12.48"),
    ("swapped entity", "5,145 more than in Q3", "5,145 more than in Q2", "5,145"),
]),
("list or table", '''| Quarter | Visitors | Share of year | Free entry |
|---|---|---|---|
| Q1 | 37,435 | 18.7% | 16.3% |
| Q2 | 54,305 | 27.1% | 18.2% |
| Q3 | 61,280 | 30.5% | 12.1% |
| Q4 | 47,690 | 23.8% | 26.3% |

Compared with Q1, revenue in Q3 was €289,350 higher.''', [
    ("miscomputed derivation", "27.1%", "25.1%", "25.1"),
    ("sign or direction", "€289,350 higher", "€289,350 lower", "289,350"),
    ("miscomputed derivation", "12.1%", "21.1%", "21.1"),
    ("number of something else", "289,350", "161,755"),
]),
("derived", "164,745 visitors paid, about 4.6 times as many as came for free (35,965).", [
    ("miscomputed derivation", "164,745", "165,745"),
    ("miscomputed derivation", "4.6 times", "5.6 times", "5.6"),
    ("wrong column", "35,965", "50,100"),
]),
]
}
