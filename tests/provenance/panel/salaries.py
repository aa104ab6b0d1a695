{
    "domain": "human resources",
    "question": "Give me headcount, pay and attrition by department from this extract. Budget for raises is 3%.",
    "cells": [
r"""
import numpy as np, pandas as pd
rng = np.random.default_rng(5)
depts = {"Engineering": (46, 83000), "Sales": (31, 61000), "Support": (24, 44500), "Finance": (12, 69500), "People": (7, 58000)}
rows = []
for d, (n, base) in depts.items():
    for _ in range(n):
        sex = "F" if rng.random() < {"Engineering": .28, "People": .8}.get(d, .5) else "M"
        ten = round(float(rng.exponential(4.2)), 1)
        pay = base + 1150 * ten + rng.normal(0, 5200) - (1800 if sex == "F" else 0)
        rows.append((d, sex, ten, int(round(pay, -2)), int(rng.random() < .14)))
hr = pd.DataFrame(rows, columns=["dept", "sex", "tenure", "salary", "left"])
print(hr.to_string())
t = hr.groupby("dept").agg(n=("salary", "size"), median_pay=("salary", "median"), mean_pay=("salary", "mean"),
                           payroll=("salary", "sum"), tenure=("tenure", "mean"), left=("left", "sum"))
t["mean_pay"] = t.mean_pay.round(0).astype(int)
t["tenure"] = t.tenure.round(2)
pd.set_option("display.width", 200)
print(t.sort_values("n", ascending=False))
""",
r"""
print(hr.groupby("sex").salary.agg(["count", "mean", "median"]).round(0))
m = hr.groupby("sex").salary.mean()
print(f"raw gap {100 * (1 - m['F'] / m['M']):.1f}%")
print(f"total payroll {hr.salary.sum():,}; 3% raise costs {hr.salary.sum() * .03:,.0f}")
print("engagement score 7.8, offer acceptance 64%")
print(f"left: {hr.left.sum()} of {len(hr)} ({hr.left.mean():.1%})")
"""],
    "answers": [
        ("list or table", "| dept | n | median_pay |\n|---|---|---|\n| Engineering | 46 | 85,600 |\n| Sales | 31 | 65,900 |\n| Support | 24 | 47,100 |\n| Finance | 12 | 72,100 |\n| People | 7 | 62,200 |", [
            ("wrong statistic", "65,900", "65,406"),
            ("digit", "| 12 |", "| 21 |", "21"),
            ("swapped entity", "| 72,100 |\n| People | 7 | 62,200 |", "| 62,200 |\n| People | 7 | 72,100 |", ["62,200", "72,100"]),
        ]),
        ("plain", "Women earn 67,304 on average and men 73,176, so the raw gap is 8.0%.", [
            ("wrong statistic", "67,304", "66,900"),
            ("swapped entity", "67,304 on average and men 73,176", "73,176 on average and men 67,304", ["73,176", "67,304"]),
            ("question number given as result", "8.0%", "3%"),
        ]),
        ("derived", "At the median it's wider: 79,000 against 66,900, a difference of 12,100, i.e. about 15%.", [
            ("miscomputed derivation", "12,100", "11,200"),
            ("wrong statistic", "79,000", "73,176"),
        ]),
        ("scale words", "Payroll comes to 8.47 million, and giving everyone 3% would cost you approx. 254k.", [
            ("scale", "8.47", "84.7"),
            ("digit", "254k", "245k"),
        ]),
        ("counted", "13 of 120 people left (10.8%). The People team lost 3 of its 7, Finance nobody.", [
            ("digit", "13 of", "18 of"),
            ("miscomputed derivation", "10.8%", "12.8%"),
            ("swapped entity", "3 of its 7", "5 of its 7", "5"),
        ]),
        ("fractions in words", "Engineering is 38% of headcount but nearly half of the payroll (47%).", [
            ("swapped entity", "47%", "24%"),
            ("digit", "38%", "83%"),
        ]),
        ("derived", "That works out at roughly 70,600 per head.", [
            ("typed literal", "per head.", "per head, and engagement stands at 7.8.", "7.8"),
            ("miscomputed derivation", "70,600", "76,000"),
            ("invented", "per head.", "per head, 4.5% above the market.", "4.5%"),
        ]),
    ],
}
