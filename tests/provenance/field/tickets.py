{
"domain": "IT support",
"question": "Ticket volume and resolution times per team, May vs June?",
"cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(42)
n = 900
t = pd.DataFrame({"team": rng.choice(["network", "desktop", "accounts", "erp"], n, p=[.2, .4, .25, .15]),
                  "month": rng.choice(["May", "Jun"], n, p=[.55, .45])})
base = t.team.map({"network": 9, "desktop": 4, "accounts": 2, "erp": 14})
t["hours"] = (rng.exponential(1, n) * base * np.where(t.month == "Jun", .85, 1)).round(1)
t["breach"] = t.hours > 24
print(pd.crosstab(t.team, t.month)[["May", "Jun"]])
print(t.groupby(["team", "month"]).hours.agg(["mean", "median"]).round(2))""",
r"""print(t.groupby("team").breach.agg(["sum", "count"]))
print("breaches May/Jun:", t[t.month == "May"].breach.sum(), t[t.month == "Jun"].breach.sum())""",
],
"answers": [
("derived", "Volume fell by 96 tickets, from 498 in May to 402 in June (-19%).", [
    ("miscomputed derivation", "96 tickets", "106 tickets", "106"),
    ("sign or direction", "from 498 in May to 402", "from 402 in May to 498", ["402", "498"]),
    ("sign or direction", "(-19%)", "(+19%)", "19"),
    ("miscomputed derivation", "(-19%)", "(-24%)", "24"),
]),
("derived", "ERP is behind 22 of the 34 breaches, about 65%; network has the other 12.", [
    ("miscomputed derivation", "65%", "17%", "17"),
    ("swapped entity", "22 of the 34 breaches, about 65%; network has the other 12", "12 of the 34 breaches, about 65%; network has the other 22", ["12", "22"]),
    ("number of something else", "of the 34 breaches", "of the 131 breaches", "131"),
]),
("plain", "Desktop tickets took 3.32 hours on average in June, 0.67 less than in May.", [
    ("sign or direction", "0.67 less", "0.67 more", "0.67"),
    ("wrong statistic", "3.32", "2.3"),
    ("miscomputed derivation", "0.67", "0.77"),
    ("swapped entity", "3.32", "1.67"),
]),
("summary of an analysis", "All four teams got fewer tickets. Desktop had 33 fewer (188 to 155), accounts 26, ERP 21 and network 16; in percent ERP fell most, by 28%. Mean resolution times improved for accounts (1.95 to 1.67 hours), desktop and ERP, whereas network stayed flat, edging up from 8.50 to 8.52 hours. Breaches went down from 18 to 16, but since volume dropped faster, the breach rate actually rose from 3.6% to 4.0%.", [
    ("miscomputed derivation", "by 28%", "by 38%", "38"),
    ("sign or direction", "edging up from 8.50 to 8.52", "edging down from 8.50 to 8.52", ["8.50", "8.52"]),
    ("miscomputed derivation", "to 4.0%", "to 4.4%", "4.4"),
    ("swapped entity", "accounts 26, ERP 21", "accounts 21, ERP 26", ["21", "26"]),
]),
("list or table", '''| Team | May | June | Change | Median (h) May → June |
|---|---|---|---|---|
| accounts | 127 | 101 | -26 | 1.5 → 1.1 |
| desktop | 188 | 155 | -33 | 2.7 → 2.3 |
| erp | 76 | 55 | -21 | 9.5 → 8.2 |
| network | 107 | 91 | -16 | 5.3 → 5.0 |''', [
    ("miscomputed derivation", "-33", "-43"),
    ("sign or direction", "-26", "+26"),
    ("wrong statistic", "9.5 → 8.2", "9.5 → 12.28", "12.28"),
    ("digit", "| 107 |", "| 170 |", "170"),
]),
("derived", "One ERP ticket in six breached 24 hours (22 of 131, 17%), compared to 6% for network.", [
    ("miscomputed derivation", "17%", "25%", "25"),
    ("miscomputed derivation", "6% for network", "9% for network", "9"),
    ("number of something else", "22 of 131", "34 of 131", "34"),
]),
]
}
