{
    "domain": "non-profit",
    "question": "Can you summarise our donations 2021–2023: totals, average gift, channels, donor retention and how dependent we are on large donors? The board wants to know if we're on track after 2022.",
    "cells": [
r"""import sqlite3, random
import pandas as pd
random.seed(8)
con = sqlite3.connect(":memory:")
con.execute("create table gifts (donor integer, year integer, channel text, amount integer, recurring integer)")
ch = ["mail", "online", "event", "phone"]
data = []
for year, k in ((2021, 380), (2022, 455), (2023, 430)):
    for _ in range(k):
        c = random.choices(ch, weights=[5, 6 + (year - 2021) * 2, 2, 1])[0]
        amt = int(round(random.lognormvariate({"mail": 3.6, "online": 3.9, "event": 4.9, "phone": 3.3}[c], .7) / 5) * 5) or 5
        data.append((random.randint(1, 520), year, c, amt, int(random.random() < (.34 if c == "online" else .12))))
con.executemany("insert into gifts values (?,?,?,?,?)", data)
pd.read_sql("select year, count(*) gifts, count(distinct donor) donors, sum(amount) raised, round(avg(amount), 2) avg_gift, max(amount) largest from gifts group by year", con)""",
r"""g = pd.read_sql("select * from gifts", con)
print(g.groupby("year").amount.median())
g.pivot_table(index="channel", columns="year", values="amount", aggfunc=["count", "sum"], margins=True, margins_name="total")""",
r"""sets = {y: set(x.donor) for y, x in g.groupby("year")}
for y in (2022, 2023):
    kept = sets[y] & sets[y - 1]
    print(f"{y}: {len(kept)} of {len(sets[y-1])} donors from {y-1} gave again -> retention {len(kept)/len(sets[y-1]):.1%}; new or reactivated {len(sets[y] - sets[y-1])}")
per = g.groupby("donor").amount.sum().sort_values(ascending=False)
top = per.head(max(1, len(per) // 10))
print(len(per), "donors in total; top 10% =", len(top), "donors gave", top.sum(), "of", per.sum(), f"({top.sum()/per.sum():.1%})")""",
r"""g.groupby("year").recurring.mean().mul(100).round(1)""",
    ],
    "answers": [
        ("summary of an analysis", "**Summary for the board**\n\n- We raised **$29,670** in 2023, after $32,305 in 2022 and $26,025 in 2021. That is **8.2% less** than in the year before, but 14.0% more than two years ago.\n- The number of gifts fell from 455 to 430, the average gift from $71 to $69.\n- Donor retention slipped from 62.0% to 60.5%.\n- The top 10% of donors gave 28.9% of all money.", [
            ("miscomputed derivation", "**8.2% less**", "**8.9% less**", "8.9% less"),
            ("sign or direction", "**8.2% less** than", "**8.2% more** than", "8.2%"),
            ("swapped entity", "from 62.0% to 60.5%", "from 60.5% to 62.0%", ["60.5%", "62.0%"]),
            ("digit", "$29,670", "$26,970"),
        ]),
        ("derived", "The drop in 2023 comes from events: they brought in $5,680, down $4,700 (45%) from 2022. Online giving grew by $3,035 to $16,380 in the same period, so it compensated for part of the loss.", [
            ("miscomputed derivation", "$4,700", "$5,700"),
            ("swapped entity", "$5,680", "$6,805"),
            ("miscomputed derivation", "$3,035", "$6,130"),
            ("sign or direction", "Online giving grew by $3,035", "Online giving shrank by $3,035", "$3,035"),
        ]),
        ("list or table", "| Channel | 2021 | 2022 | 2023 | Total |\n|---|---:|---:|---:|---:|\n| Online | 10,250 | 13,345 | 16,380 | 39,975 |\n| Event | 8,745 | 10,380 | 5,680 | 24,805 |\n| Mail | 6,015 | 7,090 | 6,805 | 19,910 |\n| Phone | 1,015 | 1,490 | 805 | 3,310 |\n| **All** | **26,025** | **32,305** | **29,670** | **88,000** |", [
            ("digit", "13,345", "13,435"),
            ("wrong column", "| 24,805 |", "| 155 |", "155"),
            ("digit", "6,805", "6,085"),
        ]),
        ("plain", "The median gift was $50 in each of the three years. Averages are higher because of a few big gifts – $68.49, $71.00 and $69.00 – with the largest single donation, $620, made in 2021.", [
            ("wrong statistic", "The median gift was $50", "The median gift was $69", "$69 in"),
            ("swapped entity", "$620", "$570"),
            ("digit", "$68.49", "$64.89"),
        ]),
        ("counted", "Over the three years 472 different people gave. Of the 311 donors of 2022, 188 gave again in 2023 and 123 did not; another 109 were new or came back. That makes 297 donors in 2023.", [
            ("miscomputed derivation", "and 123 did not", "and 133 did not", "133"),
            ("swapped entity", "188 gave again", "168 gave again", "168"),
            ("number of something else", "297 donors", "430 donors", "430"),
        ]),
        ("percent", "We are moderately dependent on large donors: the top 47 (10% of 472) contributed $25,390 of $88,000, i.e. 28.9%. On average that's around $540 each, compared with $186 across all donors.", [
            ("digit", "$25,390", "$23,590"),
            ("miscomputed derivation", "$540 each", "$450 each", "$450"),
            ("miscomputed derivation", "28.9%", "32.9%"),
        ]),
        ("fractions in words", "Online has become the main channel: more than half of 2023's money came in that way (55%), up from 39% in 2021. About a fifth of the gifts are recurring – 20.8% in 2021, 23.1% in 2022 and 21.4% in 2023 – so there is no clear trend there.", [
            ("miscomputed derivation", "(55%)", "(65%)", "65%"),
            ("wrong column", "23.1%", "41.3%"),
            ("swapped entity", "21.4% in 2023", "20.8% in 2023", "20.8% in 2023"),
        ]),
        ("scale words", "Altogether you received 1,265 gifts worth 88 thousand dollars. Event gifts are by far the largest at about $160 each, followed by online ($64), mail ($48) and phone ($45).", [
            ("scale", "88 thousand", "88 million"),
            ("miscomputed derivation", "about $160", "about $190", "$190"),
            ("digit", "mail ($48) and phone ($45)", "mail ($84) and phone ($45)", "$84"),
        ]),
    ],
}
