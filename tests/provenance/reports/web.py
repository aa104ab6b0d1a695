{
    "domain": "web analytics",
    "question": "Mobile traffic keeps growing but revenue doesn't. Here's a sample of sessions from last week – how do devices and traffic sources differ in engagement and conversion? And where in the funnel do we lose people?",
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(77)
N = 12000
device = rng.choice(["mobile", "desktop", "tablet"], N, p=[.61, .33, .06])
source = rng.choice(["organic", "direct", "paid", "referral", "email"], N, p=[.42, .21, .2, .1, .07])
p_bounce = np.where(device == "mobile", .53, np.where(device == "desktop", .38, .45))
bounce = rng.random(N) < p_bounce
pages = np.where(bounce, 1, 2 + rng.poisson(2.6, N))
dur = np.where(bounce, rng.exponential(9, N), rng.gamma(2.2, 85, N)).round(1)
p_conv = np.where(bounce, 0, np.where(device == "desktop", .071, .039)) * np.where(source == "email", 1.7, 1)
conv = (rng.random(N) < p_conv).astype(int)
ses = pd.DataFrame(dict(device=device, source=source, bounce=bounce, pages=pages, duration_s=dur, converted=conv))
ses.describe()""",
r"""ses["device"].value_counts(normalize=True).mul(100).round(2)""",
r"""out = (ses.groupby("device")
          .agg(sessions=("pages", "size"), bounce_rate=("bounce", "mean"),
               pages=("pages", "mean"), median_s=("duration_s", "median"),
               orders=("converted", "sum"), cr=("converted", "mean")))
out[["bounce_rate", "cr"]] = out[["bounce_rate", "cr"]] * 100
out.round(2)""",
r"""pv = ses.pivot_table(index="source", columns="device", values="converted", aggfunc="mean") * 100
print(pv.round(2).to_string())
print()
print("funnel")
steps = {"sessions": len(ses), "viewed 2+ pages": int((ses.pages >= 2).sum()),
         "viewed 4+ pages": int((ses.pages >= 4).sum()), "orders": int(ses.converted.sum())}
prev = None
for k, v in steps.items():
    print(f"{k:<18}{v:>8,}{'' if prev is None else f'   {v/prev:6.1%} of previous step'}")
    prev = v""",
    ],
    "answers": [
        ("summary of an analysis", "### Key findings\n\n- **Mobile dominates traffic but not orders.** It accounts for 61.38% of the 12,000 sessions, yet for only 111 of 333 orders – exactly one third.\n- **Desktop converts best**: 5.23% versus 1.51% on mobile, i.e. about 3.5 times as well.\n- **Bounce rates** are 53.23% (mobile), 46.01% (tablet) and 39.88% (desktop).\n- Overall conversion is **2.8%**.", [
            ("swapped entity", "46.01% (tablet) and 39.88% (desktop)", "39.88% (tablet) and 46.01% (desktop)", ["46.01%", "39.88%"]),
            ("digit", "5.23%", "5.32%"),
            ("miscomputed derivation", "3.5 times", "4.5 times"),
            ("wrong statistic", "**2.8%**", "**16.4%**", "16.4%"),
        ]),
        ("plain", "The median session lasts 37.4 seconds, but the mean is 101.2 seconds because a small number of visitors stay very long (the longest session is 1,001.5 seconds, almost 17 minutes). A quarter of sessions end within 6.6 seconds.", [
            ("wrong statistic", "The median session lasts 37.4", "The median session lasts 101.2", "session lasts 101.2"),
            ("number of something else", "101.2 seconds", "128.3 seconds", "128.3"),
            ("rounding", "101.2 seconds", "101.3 seconds", "101.3"),
            ("miscomputed derivation", "almost 17 minutes", "almost 27 minutes", "27 minutes"),
        ]),
        ("percent", "Looking at the funnel, just over half of the visitors (51.6%) look at a second page. Of those, 72.3% go on to view four or more. The big leak is at the end: only 7.4% of the 4,475 engaged sessions place an order.", [
            ("digit", "4,475", "4,745"),
            ("number of something else", "only 7.4%", "only 2.4%", "2.4%"),
            ("number of something else", "Of those, 72.3%", "Of those, 37.3%", "37.3%"),
        ]),
        ("counted", "We lose 5,813 sessions before the second page and another 1,712 before the fourth; the remaining drop-off to an order is 4,142 sessions. In other words, 11,667 of 12,000 sessions ended without an order.", [
            ("miscomputed derivation", "5,813", "5,183"),
            ("miscomputed derivation", "1,712", "1,812"),
            ("digit", "11,667", "11,767"),
        ]),
        ("list or table", "Conversion rate by source and device (in %):\n\n| source | desktop | mobile | tablet |\n|---|---|---|---|\n| email | 10.40 | 2.58 | 7.02 |\n| direct | 5.47 | 1.69 | 3.23 |\n| paid | 4.97 | 1.69 | 2.84 |\n| organic | 4.57 | 1.32 | 1.02 |\n| referral | 4.16 | 0.81 | 1.47 |\n\nEmail is the best source on every device, referral the worst on desktop and mobile.", [
            ("digit", "7.02", "7.20"),
            ("digit", "| 4.57 |", "| 4.75 |", "4.75"),
            ("scale", "| 10.40 |", "| 1.04 |", "1.04"),
        ]),
        ("derived", "If mobile converted at the tablet rate of 2.38%, its 7,366 sessions would yield roughly 175 orders instead of 111 – some 64 more. Closing the gap to desktop completely (5.23%) would mean around 385 orders.", [
            ("miscomputed derivation", "roughly 175 orders", "roughly 195 orders", "195"),
            ("swapped entity", "7,366", "3,919"),
            ("miscomputed derivation", "around 385", "around 335", "335"),
        ]),
        ("inequalities", "Mobile visitors are less engaged: fewer than 2.7 pages per session and a median visit of under 24 seconds, compared with more than 3 pages and 73 seconds on desktop. More than half of the mobile sessions bounce, less than 40% of the desktop ones do.", [
            ("sign or direction", "fewer than 2.7 pages", "more than 2.7 pages", "2.7"),
            ("swapped entity", "73 seconds", "51.6 seconds", "51.6"),
            ("digit", "under 24 seconds", "under 14 seconds", "14"),
        ]),
    ],
}
