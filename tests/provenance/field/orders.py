{
"domain": "online shop",
"question": "Clean the orders (test orders and duplicates out) and give me revenue by country and average basket.",
"cells": [
r"""import pandas as pd, numpy as np
rng = np.random.default_rng(77)
n = 400
o = pd.DataFrame({"id": np.arange(1000, 1000 + n), "country": rng.choice(["DE", "AT", "CH", "NL"], n, p=[.5, .15, .2, .15]),
                  "amount": rng.gamma(2, 35, n).round(2), "email": np.where(rng.random(n) < .05, "test@shop", "x")})
o = pd.concat([o, o.sample(18, random_state=1)], ignore_index=True)
print(len(o), "rows, revenue", round(o.amount.sum(), 2))
print(o.groupby("country").amount.sum().round(2))""",
r"""c = o[o.email != "test@shop"].drop_duplicates("id")
print(len(c), "rows left, revenue", round(c.amount.sum(), 2))
print(c.groupby("country").amount.agg(["count", "sum", "mean"]).round(2))""",
],
"answers": [
("derived", "After cleaning, revenue is 27,850.25 from 381 orders; that's 2,756.40 less than before.", [
    ("stale value", "27,850.25", "30,606.65"),
    ("stale value", "381 orders", "418 orders", "418"),
    ("miscomputed derivation", "2,756.40", "2,576.40"),
    ("sign or direction", "2,756.40 less", "2,756.40 more", "2,756.40"),
]),
("derived", "Germany makes up 55% of revenue with 15,340.32, 2.7 times as much as Switzerland.", [
    ("stale value", "15,340.32", "16,590.83"),
    ("miscomputed derivation", "55%", "65%", "65"),
    ("miscomputed derivation", "2.7 times", "3.7 times", "3.7"),
    ("swapped entity", "as much as Switzerland", "as much as Austria", "2.7"),
]),
("plain", "The average basket is biggest in DE at 77.48, 13 euros above Austria's 64.48.", [
    ("swapped entity", "77.48, 13 euros above Austria's 64.48", "64.48, 13 euros above Austria's 77.48", ["64.48", "77.48"]),
    ("miscomputed derivation", "13 euros", "23 euros", "23"),
    ("sign or direction", "13 euros above", "13 euros below", "13"),
]),
("summary of an analysis", "37 of the 418 rows were test orders or duplicates, 8.9%, and they had inflated revenue by 2,756.40. The remaining 381 orders come to 27,850.25, or 73.10 per order. Germany lost most through the cleaning, 1,250.51, Austria least with 231.72. Switzerland is second with 5,724.99, 1,519.31 ahead of the Netherlands, although the Dutch spend slightly more per order: 70.09 versus 68.98.", [
    ("miscomputed derivation", "73.10", "66.63"),
    ("sign or direction", "1,519.31 ahead of", "1,519.31 behind", "1,519.31"),
    ("swapped entity", "70.09 versus 68.98", "68.98 versus 70.09", ["68.98", "70.09"]),
    ("stale value", "5,724.99", "6,401.16"),
]),
("list or table", '''| Country | Before | After | Removed | Share |
|---|---|---|---|---|
| DE | 16,590.83 | 15,340.32 | 1,250.51 | 55.1% |
| CH | 6,401.16 | 5,724.99 | 676.17 | 20.6% |
| NL | 4,803.68 | 4,205.68 | 598.00 | 15.1% |
| AT | 2,810.98 | 2,579.26 | 231.72 | 9.3% |''', [
    ("miscomputed derivation", "676.17", "766.17"),
    ("miscomputed derivation", "20.6%", "26.0%", "26.0"),
    ("digit", "4,205.68", "4,250.68"),
    ("miscomputed derivation", "598.00", "698.00"),
]),
("fractions in words", "More than half of the cleaned orders (198 of 381, 52%) are German; the Swiss placed 83, twice as many as the Austrians with 40.", [
    ("miscomputed derivation", "52%", "47%", "47"),
    ("swapped entity", "the Swiss placed 83", "the Swiss placed 60", "60"),
    ("stale value", "198 of 381", "198 of 418", "418"),
]),
]
}
