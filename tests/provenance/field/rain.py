{
"domain": "weather",
"question": "Monthly rainfall 2024 versus the long-term mean for our station: how unusual was the year?",
"cells": [
r"""import pandas as pd
m = ["Jan","Feb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"]
s = pd.DataFrame({"mm2024": [88.4, 112.6, 71.0, 39.2, 93.5, 104.1, 61.8, 27.3, 118.9, 96.0, 54.7, 79.6],
                  "normal": [74.0, 60.5, 63.2, 52.4, 66.1, 70.3, 75.9, 68.8, 62.7, 70.4, 72.6, 78.1]}, index=m)
s["dev"] = (s.mm2024 - s.normal).round(1)
print(s)
print(s[["mm2024", "normal"]].sum().round(1))""",
r"""print("wetter than normal:", (s.dev > 0).sum(), "months")
print("wettest", s.mm2024.idxmax(), s.mm2024.max(), "driest", s.mm2024.idxmin(), s.mm2024.min())""",
],
"answers": [
("derived", "2024 brought 947.1 mm, 132.1 mm more than normal (+16%).", [
    ("miscomputed derivation", "132.1 mm", "123.1 mm", "123.1"),
    ("sign or direction", "132.1 mm more", "132.1 mm less", "132.1"),
    ("wrong column", "947.1", "815.0"),
    ("miscomputed derivation", "+16%", "+14%", "14"),
]),
("derived", "September was the wettest month with 118.9 mm, 91.6 mm ahead of August, the driest.", [
    ("miscomputed derivation", "91.6 mm", "92.6 mm", "92.6"),
    ("swapped entity", "118.9", "112.6"),
    ("sign or direction", "91.6 mm ahead of", "91.6 mm behind", "91.6"),
]),
("counted", "Eight months were wetter than the long-term mean, the other 4 drier. August got just 40% of its usual 68.8 mm.", [
    ("miscomputed derivation", "the other 4 drier", "the other 3 drier", "3"),
    ("miscomputed derivation", "40%", "60%", "60"),
    ("swapped entity", "68.8", "75.9"),
]),
("summary of an analysis", "The year was wetter than usual by a good 130 mm, but unevenly so. February and September alone were 108.3 mm over their normals, each getting almost double the usual amount (112.6 instead of 60.5 mm and 118.9 instead of 62.7 mm). Summer was dry on balance: June to August brought 193.2 mm against 215.0 mm, a shortfall of 21.8 mm. In autumn, by contrast, 269.6 mm fell, 63.9 mm above the mean of 205.7 mm.", [
    ("miscomputed derivation", "108.3", "118.3"),
    ("sign or direction", "63.9 mm above", "63.9 mm below", "63.9"),
    ("swapped entity", "193.2 mm against 215.0 mm", "215.0 mm against 193.2 mm", ["215.0", "193.2"]),
    ("miscomputed derivation", "269.6", "296.6"),
]),
("list or table", '''Months below normal:

1. August: -41.5 mm
2. November: -17.9 mm
3. July: -14.1 mm
4. April: -13.2 mm

Together they lack 86.7 mm; the remaining eight have a surplus of 218.8 mm.''', [
    ("miscomputed derivation", "86.7", "76.7"),
    ("digit", "November: -17.9", "November: -19.7", "-19.7"),
    ("sign or direction", "-13.2", "+13.2"),
    ("sign or direction", "surplus of 218.8", "deficit of 218.8", "218.8"),
]),
("derived", "On average 79 mm fell per month, compared with 68 mm normally.", [
    ("miscomputed derivation", "79 mm", "97 mm", "97"),
    ("swapped entity", "79 mm fell per month, compared with 68 mm", "68 mm fell per month, compared with 79 mm", ["68", "79"]),
]),
]
}
