{
    "domain": "hospitality",
    "question": "Summer season review for our three hotels please: occupancy, ADR and RevPAR per house and for the group. Note that 58,200 of Grand's September revenue was a deposit that belongs to October, so take that out at the end.",
    "cells": [
r"""import pandas as pd
ROOMS = {"Seaview": 120, "Grand": 210, "Budget Inn": 86}
raw = {
    "Seaview":    {"Apr": (2310, 268470), "May": (2678, 340106), "Jun": (3094, 433160), "Jul": (3571, 571360), "Aug": (3608, 595320), "Sep": (2842, 378000)},
    "Grand":      {"Apr": (4284, 758268), "May": (4691, 863144), "Jun": (4963, 923118), "Jul": (5012, 897148), "Aug": (4718, 825650), "Sep": (5229, 1014426)},
    "Budget Inn": {"Apr": (1883, 118629), "May": (1996, 129740), "Jun": (2107, 141169), "Jul": (2388, 169548), "Aug": (2441, 175752), "Sep": (2050, 137350)},
}
days = {"Apr": 30, "May": 31, "Jun": 30, "Jul": 31, "Aug": 31, "Sep": 30}
rows = [(h, m, ROOMS[h] * days[m], sold, rev) for h, ms in raw.items() for m, (sold, rev) in ms.items()]
df = pd.DataFrame(rows, columns=["hotel", "month", "available", "sold", "revenue"])
df["occ"] = (df.sold / df.available * 100).round(1)
df["adr"] = (df.revenue / df.sold).round(2)
df["revpar"] = (df.revenue / df.available).round(2)
df""",
r"""s = df.groupby("hotel")[["available", "sold", "revenue"]].sum()
s = s.assign(occ=lambda x: x.sold / x.available * 100, adr=lambda x: x.revenue / x.sold, revpar=lambda x: x.revenue / x.available)
print(s.round(2).to_string())""",
r"""order = list(days)
occ = df.pivot(index="hotel", columns="month", values="occ")[order]
occ""",
r"""g = df[["available", "sold", "revenue"]].sum()
print("Group:", g.to_dict())
print("occupancy %.1f%%  ADR %.2f  RevPAR %.2f" % (g.sold / g.available * 100, g.revenue / g.sold, g.revenue / g.available))""",
r"""# finance sent a correction: Grand's September revenue included a conference deposit of 58,200 that belongs to October
df.loc[(df.hotel == "Grand") & (df.month == "Sep"), "revenue"] -= 58200
df["adr"] = (df.revenue / df.sold).round(2)
df["revpar"] = (df.revenue / df.available).round(2)
g = df[["available", "sold", "revenue"]].sum()
print(df[(df.hotel == "Grand") & (df.month == "Sep")].to_string(index=False))
print("Group:", g.to_dict())
print("occupancy %.1f%%  ADR %.2f  RevPAR %.2f" % (g.sold / g.available * 100, g.revenue / g.sold, g.revenue / g.available))""",
    ],
    "answers": [
        ("summary of an analysis", "**Season review, April–September (after the correction)**\n\n- Group revenue: **$8,682,158** from 59,865 room nights sold out of 76,128 available\n- Occupancy **78.6%**, ADR **$145.03**, RevPAR **$114.05**\n- Removing the $58,200 deposit lowered group RevPAR by $0.76 and ADR by $0.97; occupancy is unaffected.", [
            ("stale value", "$8,682,158", "$8,740,358"),
            ("stale value", "ADR **$145.03**", "ADR **$146.00**", "$146.00"),
            ("miscomputed derivation", "$0.76", "$1.76"),
            ("digit", "59,865 room nights", "56,985 room nights", "56,985"),
        ]),
        ("percent", "Seaview is the most seasonal house: its occupancy climbs from 64.2% in April to 97.0% in August and is back at 78.9% in September. Budget Inn follows the same curve (73.0% to 91.6%). Grand behaves differently and peaks in September at 83.0%, after a dip to 72.5% in August.", [
            ("digit", "97.0%", "79.0%"),
            ("swapped entity", "a dip to 72.5%", "a dip to 77.0%", "77.0%"),
            ("swapped entity", "(73.0% to 91.6%)", "(68.0% to 91.6%)", "68.0%"),
            ("number of something else", "peaks in September at 83.0%", "peaks in September at 85.9%", "85.9%"),
        ]),
        ("list or table", "Season averages per hotel, before the correction:\n\n| Hotel | Occupancy | ADR | RevPAR |\n|---|---:|---:|---:|\n| Seaview | 82.44% | 142.87 | 117.78 |\n| Budget Inn | 81.74% | 67.80 | 55.42 |\n| Grand | 75.19% | 182.78 | 137.44 |", [
            ("digit", "117.78", "177.78"),
            ("number of something else", "| 55.42 |", "| 53.24 |", "53.24"),
            ("digit", "75.19%", "79.15%"),
        ]),
        ("units or currency", "With the deposit removed, Grand's September revenue is $956,226 instead of $1,014,426. Its ADR for the month drops from $194.00 to $182.87 and RevPAR from $161.02 to $151.78, a decline of 5.7%.", [
            ("stale value", "revenue is $956,226 instead of $1,014,426", "revenue is $1,014,426 instead of $956,226", ["$1,014,426", "$956,226"]),
            ("miscomputed derivation", "5.7%", "7.5%"),
            ("digit", "$151.78", "$157.18"),
            ("sign or direction", "a decline of 5.7%", "an increase of 5.7%", "5.7%"),
        ]),
        ("derived", "After the adjustment, Grand's season total is $5,223,554, about 60% of group revenue. Seaview contributes $2,586,416 (29.8%) and Budget Inn $872,188 (10.0%).", [
            ("stale value", "$5,223,554", "$5,281,754"),
            ("digit", "$872,188", "$827,188"),
            ("miscomputed derivation", "(29.8%)", "(39.8%)", "39.8%"),
        ]),
        ("scale words", "In its best month, August, Seaview earned almost $0.6 million: 3,608 of 3,720 room nights at $165 each. April brought less than half of that, about $268 thousand at an average rate of $116.22.", [
            ("scale", "$0.6 million", "$6 million"),
            ("swapped entity", "3,608", "3,571"),
            ("digit", "$116.22", "$126.12"),
        ]),
        ("inequalities", "Only two month/house combinations exceed 95% occupancy, both at Seaview (July 96.0%, August 97.0%), while none falls below 64%. Grand never gets above 83%, but still has the highest RevPAR of the three.", [
            ("invented", "below 64%", "below 70%", "70%"),
            ("digit", "July 96.0%", "July 90.6%", "90.6%"),
            ("sign or direction", "never gets above 83%", "never gets below 83%", "83%"),
        ]),
    ],
}
