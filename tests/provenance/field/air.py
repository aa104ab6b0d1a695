{
"domain": "air quality",
"question": "PM2.5 at our three stations last January and this January: any improvement? How many days over 25?",
"cells": [
r"""import numpy as np
rng = np.random.default_rng(3)
st = {"Ring Road": (31, 24), "Park": (17, 15), "Harbour": (22, 23)}
out = {}
for s, (a, b) in st.items():
    out[s] = [rng.gamma(6, m / 6, 31).round(1) for m in (a, b)]
    for y, x in zip((2024, 2025), out[s]):
        print(f"{s:<10}{y}  mean {x.mean():5.1f}  median {np.median(x):5.1f}  max {x.max():5.1f}  days>25 {int((x > 25).sum()):>3}")""",
],
"answers": [
("derived", "Ring Road improved by 5.9, from a mean of 30.5 to 24.6 µg/m³, and Park by 5.3.", [
    ("swapped entity", "improved by 5.9, from a mean of 30.5 to 24.6 µg/m³, and Park by 5.3", "improved by 5.3, from a mean of 30.5 to 24.6 µg/m³, and Park by 5.9", ["5.3", "5.9"]),
    ("sign or direction", "from a mean of 30.5 to 24.6", "from a mean of 24.6 to 30.5", ["24.6", "30.5"]),
    ("miscomputed derivation", "by 5.9", "by 6.9", "6.9"),
    ("wrong statistic", "24.6", "23.1"),
]),
("counted", "Days over 25 fell from 39 to 25 across the three stations, 14 fewer.", [
    ("miscomputed derivation", "14 fewer", "16 fewer", "16"),
    ("sign or direction", "14 fewer", "14 more", "14"),
    ("miscomputed derivation", "from 39", "from 29", "29"),
]),
("derived", "Harbour didn't improve: the mean rose by 0.6 and the maximum by 18.4.", [
    ("sign or direction", "mean rose by 0.6", "mean fell by 0.6", "0.6"),
    ("miscomputed derivation", "18.4", "16.4"),
]),
("summary of an analysis", "Two of the three stations got better. At Ring Road the monthly mean fell by 19% to 24.6 and the number of days above 25 from 22 to 13; that's still 42% of January. Park is 26% below last year (15.1 after 20.4) and exceeded 25 on only 2 days, five fewer. At Harbour the median went up from 21.2 to 22.7 and the exceedances stayed at 10. Ring Road is now 1.9 ahead of Harbour; a year ago the gap was 8.4.", [
    ("miscomputed derivation", "fell by 19%", "fell by 29%", "29"),
    ("swapped entity", "(15.1 after 20.4)", "(20.4 after 15.1)", ["20.4", "15.1"]),
    ("miscomputed derivation", "gap was 8.4", "gap was 10.1", "10.1"),
    ("sign or direction", "went up from 21.2 to 22.7", "went down from 21.2 to 22.7", ["21.2", "22.7"]),
]),
("list or table", '''| Station | Mean 2024 | Mean 2025 | Change | Days > 25 |
|---|---|---|---|---|
| Ring Road | 30.5 | 24.6 | -5.9 | 22 → 13 |
| Park | 20.4 | 15.1 | -5.3 | 7 → 2 |
| Harbour | 22.1 | 22.7 | +0.6 | 10 → 10 |''', [
    ("sign or direction", "+0.6", "-0.6"),
    ("miscomputed derivation", "-5.3", "-3.5"),
    ("wrong statistic", "| 20.4 |", "| 18.4 |", "18.4"),
    ("number of something else", "22 → 13", "31 → 13", "31"),
]),
("derived", "Last January Ring Road had one and a half times Park's mean, with 30.5 against 20.4. The worst day was 62.2, this year it's 48.3, so 13.9 lower.", [
    ("miscomputed derivation", "13.9 lower", "14.9 lower", "14.9"),
    ("sign or direction", "13.9 lower", "13.9 higher", "13.9"),
    ("wrong column", "against 20.4", "against 15.1", "15.1"),
]),
]
}
