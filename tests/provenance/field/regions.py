{
"domain": "regional sales",
"question": "How do our four regions compare for units sold this year against last year?",
"cells": [
r"""import pandas as pd
d = pd.DataFrame({"region": ["North", "South", "East", "West"],
                  "units_2023": [18240, 22115, 15980, 19460],
                  "units_2024": [21310, 24893, 15342, 19125]})
d = d.set_index("region")
d""",
r"""d["diff"] = d.units_2024 - d.units_2023
d["pct"] = (d["diff"] / d.units_2023 * 100).round(1)
print(d)
print("total", d.units_2023.sum(), d.units_2024.sum())""",
],
"answers": [
("derived", "South is still the biggest region with 24,893 units, 5,768 more than West.", [
    ("miscomputed derivation", "5,768", "5,678"),
    ("sign or direction", "5,768 more than West", "5,768 fewer than West", "5,768"),
    ("swapped entity", "5,768 more than West", "5,768 more than North", "5,768"),
    ("wrong column", "24,893", "22,115"),
]),
("derived", "We sold 80,670 units this year, 4,875 more than last year's 75,795, which is growth of 6.4%.", [
    ("miscomputed derivation", "6.4%", "6.0%", "6.0"),
    ("sign or direction", "4,875 more than", "4,875 fewer than", "4,875"),
    ("digit", "75,795", "75,975"),
]),
("plain", "North grew fastest, up 16.8%, while East was down 4.0%.", [
    ("swapped entity", "16.8%", "12.6%", "12.6"),
    ("sign or direction", "East was down 4.0%", "East was up 4.0%", "4.0"),
    ("swapped entity", "East was down 4.0%", "West was down 4.0%", "4.0"),
]),
("summary of an analysis", "The two growing regions carried the year. North went from 18,240 to 21,310 units and South from 22,115 to 24,893, together 5,848 more than in 2023. East and West fell by 638 and 335, so 973 units of that were lost again. North and South now make up 57% of all sales, against 53% a year ago, and the gap between the two narrowed from 3,875 to 3,583 units.", [
    ("miscomputed derivation", "5,848", "5,484"),
    ("sign or direction", "narrowed from 3,875 to 3,583", "narrowed from 3,583 to 3,875", ["3,583", "3,875"]),
    ("swapped entity", "fell by 638 and 335", "fell by 335 and 638", ["335", "638"]),
    ("miscomputed derivation", "make up 57%", "make up 61%", "61"),
]),
("list or table", '''| Region | 2023 | 2024 | Change | Share of 2024 |
|---|---|---|---|---|
| North | 18,240 | 21,310 | +3,070 | 26.4% |
| South | 22,115 | 24,893 | +2,778 | 30.9% |
| East | 15,980 | 15,342 | -638 | 19.0% |
| West | 19,460 | 19,125 | -335 | 23.7% |

Last year West was ahead of North by 1,220 units; this year North leads West by 2,185.''', [
    ("sign or direction", "-335", "+335"),
    ("miscomputed derivation", "23.7%", "25.7%", "25.7"),
    ("sign or direction", "West was ahead of North by 1,220", "West was behind North by 1,220", "1,220"),
    ("swapped entity", "North leads West by 2,185", "North leads South by 2,185", "2,185"),
]),
("fractions in words", "Two of the four regions grew. North alone accounts for roughly 63% of the net gain of 4,875 units.", [
    ("miscomputed derivation", "63%", "36%", "36"),
    ("sign or direction", "net gain of 4,875", "net loss of 4,875", "4,875"),
    ("number of something else", "63%", "26%", "26"),
]),
]
}
