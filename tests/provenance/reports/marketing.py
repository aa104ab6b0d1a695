{
    "domain": "marketing",
    "question": "We spent just under 127k EUR on paid campaigns last quarter. Where did the money work best? We usually aim for a CPA below 35 EUR and a ROAS of at least 2.5. What would you cut?",
    "cells": [
r"""import pandas as pd

df = pd.DataFrame([
    ("Search",    "Brand",        18250.0, 412300, 21844, 1311, 98325.0),
    ("Search",    "Generic",      41870.0, 968400, 27115, 922,  73760.0),
    ("Social",    "Prospecting",  26400.0, 1843200, 19353, 484, 36300.0),
    ("Social",    "Retargeting",  9730.0,  388700, 7774,  451,  38335.0),
    ("Display",   "Awareness",    15200.0, 3127500, 6255, 63,   4725.0),
    ("Email",     "Newsletter",   2100.0,  148600, 8173,  376,  26320.0),
    ("Email",     "Win-back",     950.0,   41250,  1361,  88,   7920.0),
    ("Affiliate", "Partners",     12480.0, 295800, 9762,  537,  48330.0),
], columns=["channel", "campaign", "spend", "impressions", "clicks", "conversions", "revenue"])
df["ctr"] = df.clicks / df.impressions * 100
df["cvr"] = df.conversions / df.clicks * 100
df["cpa"] = df.spend / df.conversions
df["roas"] = df.revenue / df.spend
pd.set_option("display.max_columns", None, "display.width", 140)
df.round(2)""",
r"""ch = df.groupby("channel")[["spend", "impressions", "clicks", "conversions", "revenue"]].sum()
ch["cpa"] = (ch.spend / ch.conversions).round(2)
ch["roas"] = (ch.revenue / ch.spend).round(2)
ch["spend_share"] = (ch.spend / ch.spend.sum() * 100).round(1)
ch["rev_share"] = (ch.revenue / ch.revenue.sum() * 100).round(1)
ch.sort_values("roas", ascending=False)""",
r"""tot = df[["spend", "impressions", "clicks", "conversions", "revenue"]].sum()
print(tot.to_string())
print("blended CPA:", round(tot.spend / tot.conversions, 2))
print("blended ROAS:", round(tot.revenue / tot.spend, 2))""",
    ],
    "answers": [
        ("summary of an analysis", "**Overall** you spent **€126,980** and generated **€334,015** in revenue from **4,232** conversions. That is a blended ROAS of **2.63** and a blended CPA of **€30**, so on aggregate both targets (ROAS ≥ 2.5, CPA < €35) are met.", [
            ("question number given as result", "a blended ROAS of **2.63**", "a blended ROAS of **2.5**", "ROAS of **2.5**"),
            ("digit", "€334,015", "€343,015"),
            ("wrong column", "**4,232** conversions", "**101,637** conversions", "101,637"),
        ]),
        ("list or table", "Channels ranked by ROAS:\n\n1. **Email** – 11.23 (CPA €6.57)\n2. **Affiliate** – 3.87 (CPA €23.24)\n3. **Search** – 2.86 (CPA €26.92)\n4. **Social** – 2.07 (CPA €38.64)\n5. **Display** – 0.31 (CPA €241.27)\n\nOnly the first three clear your 2.5 hurdle.", [
            ("swapped entity", "(CPA €26.92)\n4. **Social** – 2.07 (CPA €38.64)", "(CPA €38.64)\n4. **Social** – 2.07 (CPA €26.92)", ["€38.64", "€26.92"]),
            ("digit", "€241.27", "€214.27"),
            ("wrong column", "– 11.23", "– 10.3", "10.3"),
            ("miscomputed derivation", "Only the first three", "Only the first 4", "first 4"),
        ]),
        ("derived", "Search takes 47.3% of the budget and returns 51.5% of the revenue. Within it, the two campaigns behave very differently: Brand earns €5.39 per euro spent, Generic only €1.76, although Generic costs more than twice as much (€41,870 vs. €18,250).", [
            ("swapped entity", "Brand earns €5.39 per euro spent, Generic only €1.76", "Brand earns €3.94 per euro spent, Generic only €1.76", "€3.94"),
            ("digit", "51.5%", "55.1%"),
            ("wrong column", "47.3%", "51.4%"),
        ]),
        ("units or currency", "I would cut **Display / Awareness** first: it cost €15,200, brought back just €4,725 and lost €10,475 on a revenue basis. Each of its 63 conversions cost about €241.", [
            ("miscomputed derivation", "€10,475", "€11,475"),
            ("scale", "€4,725", "€47,250"),
            ("sign or direction", "and lost €10,475", "and made a profit of €10,475", "€10,475"),
        ]),
        ("percent", "Email is tiny but efficient. With 2.4% of spend it produces 10.3% of revenue. The newsletter has the highest click-through rate of all eight campaigns (5.5%), and the win-back mailing the highest conversion rate (6.47%).", [
            ("swapped entity", "(6.47%)", "(4.60%)", "4.60%"),
            ("digit", "10.3%", "13.0%"),
            ("wrong column", "(5.5%)", "(4.6%)", "4.6%"),
        ]),
        ("scale words", "The campaigns bought roughly 7.2 million impressions and a bit over 100 thousand clicks, an overall click-through rate of about 1.4%. Display alone accounts for 3.1 million of these impressions, i.e. some 43%, but for just 6,255 clicks.", [
            ("scale", "7.2 million", "72 million"),
            ("miscomputed derivation", "some 43%", "some 34%", "34%"),
            ("digit", "6,255", "6,525"),
        ]),
        ("German", "**Kurzfassung:** Insgesamt wurden 126.980 € ausgegeben und 334.015 € Umsatz erzielt (ROAS 2,63). Am effizientesten ist E-Mail mit einem ROAS von 11,23, am schlechtesten Display mit 0,31. Ohne Display läge der ROAS bei rund 2,95.", [
            ("miscomputed derivation", "rund 2,95", "rund 3,25", "3,25"),
            ("swapped entity", "mit 0,31", "mit 2,07", "2,07"),
        ]),
        ("derived", "If you moved the €15,200 from Display into Retargeting and its ROAS of 3.94 held, you'd expect close to €60,000 of revenue instead of the €4,725 you got. That is an assumption, of course: Retargeting spent only €9,730 so far.", [
            ("miscomputed derivation", "€60,000", "€80,000"),
            ("swapped entity", "€9,730", "€26,400"),
        ]),
    ],
}
