{
    "domain": "telecom",
    "question": "Which customers are leaving us? I need churn by contract and internet type, the revenue impact, and whether service calls are a warning sign. Dataset has 3,500 customers.",
    "cells": [
r"""import numpy as np
import pandas as pd
rng = np.random.default_rng(4242)
n = 3500
contract = rng.choice(["month-to-month", "one year", "two year"], n, p=[.54, .24, .22])
internet = rng.choice(["fiber", "dsl", "none"], n, p=[.45, .35, .2])
tenure = np.where(contract == "month-to-month", rng.integers(1, 40, n), rng.integers(8, 73, n))
charge = (pd.Series(internet).map({"fiber": 84, "dsl": 56, "none": 22}).to_numpy() + rng.normal(0, 7, n)).round(2)
calls = rng.poisson(1.1, n)
logit = -2.6 + 1.9 * (contract == "month-to-month") + .55 * (internet == "fiber") - .025 * tenure + .28 * calls
churn = rng.random(n) < 1 / (1 + np.exp(-logit))
cust = pd.DataFrame({"contract": contract, "internet": internet, "tenure": tenure, "monthly": charge, "calls": calls, "churn": churn})
cust.sample(5, random_state=1)""",
r"""cust.churn.value_counts()""",
r"""cust.groupby("churn")[["tenure", "monthly", "calls"]].agg(["mean", "median"]).round(2)""",
r"""seg = cust.groupby(["contract", "internet"]).churn.agg(["size", "sum", "mean"]).rename(columns={"size": "customers", "sum": "churned", "mean": "rate"})
seg["rate"] = (seg.rate * 100).round(1)
print(seg)
print(cust.groupby("contract").churn.mean().mul(100).round(1).to_string())""",
r"""mrr = cust.monthly.sum()
lost = cust.loc[cust.churn, "monthly"].sum()
print(f"MRR {mrr:,.2f}; lost MRR {lost:,.2f} ({lost / mrr:.2%})")
pd.crosstab(cust.calls.clip(upper=4), cust.churn, normalize="index").mul(100).round(1)""",
    ],
    "answers": [
        ("summary of an analysis", "### Executive summary\n\n* **715 of 3,500 customers churned (20.4%).**\n* **Month-to-month contracts are the issue**: 33.8% churn, against 4.9% for one-year and 4.8% for two-year contracts.\n* The riskiest segment is **month-to-month with fiber**: 358 of 829 customers left (43.2%). This one segment makes up half of all churn.\n* Lost monthly recurring revenue is **$47,906.59**, or 22.28% of the total.", [
            ("digit", "20.4%", "24.0%"),
            ("swapped entity", "(43.2%)", "(26.8%)", "26.8%"),
            ("scale", "$47,906.59", "$479,065.90"),
            ("number of something else", "358 of 829", "358 of 668", "668"),
        ]),
        ("plain", "Customers who left had been with you for a much shorter time: 19.78 months on average versus 31.79 for those who stayed (medians: 18 and 30). They also paid more, with a median monthly charge of $75.81 compared with $61.10.", [
            ("swapped entity", "19.78 months on average versus 31.79", "31.79 months on average versus 19.78", ["31.79", "19.78"]),
            ("wrong statistic", "median monthly charge of $75.81", "median monthly charge of $67.00", "$67.00"),
            ("digit", "$61.10", "$60.11"),
        ]),
        ("percent", "Service calls are indeed a warning sign. Churn rises with every call: 16.7% without any call, 19.5% with one, 24.4% with two, 28.8% with three and 32.3% with four or more – nearly double the starting value.", [
            ("digit", "24.4%", "22.4%"),
            ("number of something else", "32.3%", "67.7%"),
            ("miscomputed derivation", "nearly double", "nearly 4 times", "4 times"),
        ]),
        ("derived", "Monthly recurring revenue is $215,017, of which $47,907 belongs to customers who churned; $167,110 remains. Annualised, the loss comes to roughly $575,000.", [
            ("miscomputed derivation", "$167,110", "$177,110"),
            ("miscomputed derivation", "$575,000", "$757,000"),
            ("rounding", "$215,017", "$215,016"),
        ]),
        ("list or table", "Churn rate by segment:\n\n- month-to-month: fiber 43.2%, DSL 26.8%, no internet 26.0%\n- one year: fiber 7.8%, DSL 1.7%, no internet 4.0%\n- two year: fiber 5.7%, DSL 5.0%, no internet 2.5%\n\nWithin each contract type, fiber has the highest rate.", [
            ("digit", "26.8%", "28.6%"),
            ("swapped entity", "fiber 7.8%, DSL 1.7%", "fiber 1.7%, DSL 7.8%", ["1.7%", "7.8%"]),
            ("scale", "no internet 2.5%", "no internet 25%", "25%"),
        ]),
        ("derived", "Customers on a monthly contract are about seven times as likely to leave as those on a two-year one (33.8% vs 4.8%). 637 of the 715 churners, or 89%, had a month-to-month contract; one- and two-year contracts together lost just 78 customers.", [
            ("miscomputed derivation", "637 of", "667 of", "667"),
            ("miscomputed derivation", "just 78 customers", "just 87 customers", "87"),
            ("swapped entity", "(33.8% vs 4.8%)", "(43.2% vs 4.8%)", "43.2%"),
        ]),
        ("fractions in words", "Roughly one in five customers left. Among month-to-month customers it is about one in three, among those with a longer contract fewer than one in twenty. Average charges differ by only $7 – $67 for leavers and $60 for the rest.", [
            ("miscomputed derivation", "only $7 –", "only $17 –", "$17"),
            ("wrong statistic", "$60 for the rest", "$75 for the rest", "$75"),
        ]),
    ],
}
