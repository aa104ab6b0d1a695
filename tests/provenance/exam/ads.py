{
    "domain": "marketing",
    "question": "Q3 channel report: which channels pay off (CTR, CVR, CPA, ROAS)? and did landing page B beat A on the search traffic? We target a ROAS of 3.",
    "cells": [
r"""import pandas as pd, math
df = pd.DataFrame({
    "channel": ["Search", "Social", "Display", "Newsletter", "Affiliates"],
    "impressions": [412_000, 1_260_000, 3_480_000, 58_500, 214_000],
    "clicks": [18_540, 15_120, 8_700, 4_095, 5_778],
    "orders": [742, 287, 61, 246, 173],
    "cost": [14_832.00, 9_828.00, 6_090.00, 480.00, 3_460.00],
    "revenue": [51_198.00, 17_794.00, 3_843.00, 14_268.00, 10_899.00],
}).set_index("channel")
df["ctr_pct"] = 100 * df.clicks / df.impressions
df["cvr_pct"] = 100 * df.orders / df.clicks
df["cpa"] = df.cost / df.orders
df["roas"] = df.revenue / df.cost
df[["ctr_pct", "cvr_pct", "cpa", "roas"]].round(2)""",
r"""tot = df[["impressions", "clicks", "orders", "cost", "revenue"]].sum()
print(tot.to_string())
print("blended ROAS", round(tot.revenue / tot.cost, 2), "| blended CPA", round(tot.cost / tot.orders, 2))""",
r"""# landing page test on Search traffic
a_n, a_x = 9310, 352
b_n, b_x = 9230, 390
pa, pb = a_x / a_n, b_x / b_n
p = (a_x + b_x) / (a_n + b_n)
z = (pb - pa) / math.sqrt(p * (1 - p) * (1 / a_n + 1 / b_n))
pval = math.erfc(abs(z) / math.sqrt(2))
print(f"A {pa:.4f}  B {pb:.4f}  lift {pb / pa - 1:.2%}  z={z:.3f}  p={pval:.4f}")"""],
    "answers": [
        ("plain", "Newsletter is your most efficient channel with a ROAS of 29.72 and a CPA of just $1.95.", [
            ("swapped entity", "29.72", "3.45"),
            ("digit", "$1.95", "$1.59", "1.59"),
        ]),
        ("summary of an analysis", "Three of the five channels clear your ROAS target of 3: Newsletter (29.72), Search (3.45) and Affiliates (3.15). Social reaches 1.81, and Display loses money at 0.63: $6,090 spent for $3,843 of revenue. Overall, $34,690 of spend brought in $98,002, a blended ROAS of 2.83.", [
            ("wrong column", "Affiliates (3.15)", "Affiliates (2.70)", "2.70"),
            ("wrong column", "Social reaches 1.81", "Social reaches 1.90", "1.90"),
            ("wrong statistic", "a blended ROAS of 2.83", "a blended ROAS of 7.75", "7.75"),
            ("question number given as result", "a blended ROAS of 2.83", "a blended ROAS of 3.00", "3.00"),
        ]),
        ("percent", "Display eats 17.6% of the budget but yields only 3.9% of the revenue, although it delivers 64% of all impressions.", [
            ("miscomputed derivation", "17.6%", "28.3%"),
            ("rounding", "17.6%", "17.5%"),
            ("scale", "3.9%", "39%"),
            ("miscomputed derivation", "64% of all", "46% of all", "46%"),
        ]),
        ("summary of an analysis", "**Landing page test:** B converted at 4.23% versus 3.78% for A, a relative lift of 11.76%. With z = 1.544 and p = 0.1226 this is not significant at the 5% level, so I'd keep the test running.", [
            ("swapped entity", "B converted at 4.23% versus 3.78% for A", "B converted at 3.78% versus 4.23% for A", ["3.78%", "4.23%"]),
            ("digit", "p = 0.1226", "p = 0.0226", "0.0226"),
            ("wrong statistic", "z = 1.544", "z = 1.96", "1.96"),
        ]),
        ("derived", "Cutting Display would lift the blended ROAS from 2.83 to 3.29 and bring the average cost per order down from $22.99 to $19.75.", [
            ("miscomputed derivation", "to 3.29", "to 3.46", "3.46"),
            ("miscomputed derivation", "$19.75", "$18.95", "18.95"),
        ]),
        ("scale words", "The campaigns generated 5.4 million impressions, about 52 thousand clicks and 1,509 orders; nearly half of those orders (742) came from Search.", [
            ("scale", "5.4 million", "54 million", "54"),
            ("digit", "1,509 orders", "1,905 orders", "1,905"),
            ("swapped entity", "(742)", "(287)", "287"),
        ]),
        ("units or currency", "An order through Display costs $99.84, five times what Search needs ($19.99) and about 51 times the newsletter's $1.95.", [
            ("miscomputed derivation", "about 51 times", "about 15 times", "15"),
            ("swapped entity", "($19.99)", "($34.24)", "34.24"),
        ]),
    ],
}
