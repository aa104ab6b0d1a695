{
    "domain": "retail",
    "question": "I've put together our H1 2024 till data for the four Yorkshire stores. Can you give me an overview: which categories and stores make the money, what does a typical basket look like, and are returns a problem anywhere?",
    "cells": [
r"""import numpy as np
import pandas as pd

rng = np.random.default_rng(2024)
n = 1800
stores = rng.choice(["Leeds", "York", "Hull", "Sheffield"], size=n, p=[0.38, 0.22, 0.15, 0.25])
cats = rng.choice(["Grocery", "Homeware", "Clothing", "Electronics"], size=n, p=[0.45, 0.2, 0.23, 0.12])
base = pd.Series(cats).map({"Grocery": 24, "Homeware": 41, "Clothing": 55, "Electronics": 180}).to_numpy()
amount = np.round(base * rng.gamma(4, 0.25, size=n), 2)
date = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 182, size=n), unit="D")
sales = pd.DataFrame({"date": date, "store": stores, "category": cats, "amount": amount})
sales["returned"] = rng.random(n) < np.where(sales["category"] == "Clothing", 0.16, 0.05)
print(sales.shape)
sales.head()""",
r"""sales["amount"].describe()""",
r"""print(sales["store"].value_counts())
print()
sales.pivot_table(index="store", columns="category", values="amount", aggfunc="sum", margins=True).round(0)""",
r"""by_cat = sales.groupby("category").agg(
    transactions=("amount", "size"),
    revenue=("amount", "sum"),
    avg_basket=("amount", "mean"),
    return_rate=("returned", "mean"),
)
by_cat["return_rate"] = (by_cat["return_rate"] * 100).round(2)
by_cat.sort_values("revenue", ascending=False).round(2)""",
    ],
    "answers": [
        ("summary of an analysis", "**Executive summary**\n\n- The dataset holds **1,800 transactions** across 4 stores and 4 categories, worth about **£96,046** in total.\n- **Electronics** is the top category with £38,895 in revenue (40.5% of the total), even though it accounts for only 207 transactions.\n- **Leeds** is the strongest store at £37,182, followed by Sheffield (£24,314), York (£21,322) and Hull (£13,229).\n- **Clothing** stands out for returns: 17.12% of its sales come back, versus 5–6% elsewhere.", [
            ("digit", "£38,895", "£38,395"),
            ("swapped entity", "Sheffield (£24,314), York (£21,322)", "Sheffield (£21,322), York (£24,314)", ["£21,322", "£24,314"]),
            ("miscomputed derivation", "40.5%", "43.5%"),
            ("scale", "£96,046", "£960,460"),
        ]),
        ("plain", "The average basket is £53.36, but the distribution is heavily right-skewed: the median is only about £33.5 and the largest single purchase was £528.80. Half of all baskets fall between £21.16 and £56.77.", [
            ("wrong statistic", "£53.36", "£61.77"),
            ("rounding", "£53.36", "£53.35"),
            ("digit", "£528.80", "£582.80"),
            ("wrong statistic", "£33.5 ", "£56.8 ", "£56.8"),
        ]),
        ("derived", "Leeds takes roughly **38.7%** of all revenue – about 2.8 times what Hull brings in. The gap between the two is about £23,950. In terms of footfall the picture is similar: 673 of the 1,800 transactions (37.4%) happened in Leeds, against 278 in Hull.", [
            ("miscomputed derivation", "2.8 times", "3.8 times"),
            ("swapped entity", "278", "382"),
            ("miscomputed derivation", "£23,950", "£25,930"),
        ]),
        ("list or table", "Here is the category breakdown:\n\n| Category | Transactions | Revenue | Avg basket | Return rate |\n|---|---:|---:|---:|---:|\n| Electronics | 207 | £38,895.12 | £187.90 | 5.8% |\n| Clothing | 403 | £22,157.40 | £54.98 | 17.1% |\n| Grocery | 806 | £19,501.60 | £24.20 | 5.2% |\n| Homeware | 384 | £15,491.97 | £40.34 | 6.0% |\n\nGrocery drives traffic, Electronics drives money.", [
            ("digit", "£22,157.40", "£22,517.40"),
            ("digit", "| £40.34 |", "| £43.04 |", "£43.04"),
            ("digit", "806", "860"),
        ]),
        ("percent", "Yes – **clothing returns are a problem**. Its return rate of 17.1% is more than three times that of grocery (5.2%), and nearly 12 percentage points above it. The other three categories all sit below 6%.", [
            ("wrong column", "17.1%", "23.1%"),
            ("sign or direction", "above it", "below it", "12 percentage points"),
            ("invented", "below 6%", "below 3%", "3%"),
        ]),
        ("counted", "There are 69 returned clothing items out of 403, i.e. roughly one in six. Electronics had 12 returns out of 207 sales, so its rate (5.8%) is close to the one of Homeware (5.99%).", [
            ("digit", "69 returned", "96 returned", "96"),
            ("swapped entity", "403", "384"),
        ]),
        ("summary of an analysis", "Three things I'd take away:\n\n1. **Electronics punches above its weight.** It is 11.5% of transactions but around 40% of revenue, thanks to an average basket of £187.90 – almost eight times the grocery basket of £24.20.\n2. **Leeds depends on it.** Electronics makes up £16,343 of the store's £37,182, or 44%.\n3. **Hull is the weak spot**, with £13,229 in sales, 13.8% of the group.", [
            ("swapped entity", "£16,343", "£9,757"),
            ("miscomputed derivation", "11.5%", "15.1%"),
            ("wrong statistic", "£187.90", "£38.90"),
        ]),
    ],
}
