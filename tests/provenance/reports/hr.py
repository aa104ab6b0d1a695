{
    "domain": "hr",
    "question": "Can you look at our staff list (640 people) and tell me where attrition is highest, whether it's related to tenure, and if there's a gender pay gap inside departments? Our benchmark for attrition is 18%.",
    "cells": [
r"""import numpy as np
import pandas as pd

rng = np.random.default_rng(5)
n = 640
dept = rng.choice(["Engineering", "Sales", "Support", "Finance", "HR"], n, p=[.35, .25, .24, .1, .06])
tenure = np.round(rng.gamma(2.0, 2.1, n), 1)
base = pd.Series(dept).map({"Engineering": 71000, "Sales": 54000, "Support": 39500, "Finance": 60500, "HR": 48500}).to_numpy()
salary = (np.round((base + 1450 * tenure + rng.normal(0, 5200, n)) / 100) * 100).astype(int)
gender = rng.choice(["F", "M"], n, p=[.44, .56])
p_left = np.clip(.27 - .022 * tenure + np.where(dept == "Support", .09, 0), .03, .6)
left = rng.random(n) < p_left
hr = pd.DataFrame({"dept": dept, "gender": gender, "tenure": tenure, "salary": salary, "left": left})
hr.info()
hr[["tenure", "salary"]].describe().round(1)""",
r"""attr = hr.groupby("dept")["left"].agg(headcount="size", leavers="sum")
attr["attrition_%"] = (attr.leavers / attr.headcount * 100).round(1)
print(attr.sort_values("attrition_%", ascending=False))
print("\nCompany attrition: {:.1%}".format(hr["left"].mean()))""",
r"""hr["band"] = pd.cut(hr["tenure"], [-0.1, 1, 3, 5, 10, 40], labels=["<=1y", "1-3y", "3-5y", "5-10y", ">10y"])
pd.crosstab(hr["band"], hr["left"], margins=True)""",
r"""med = hr.pivot_table(index="dept", columns="gender", values="salary", aggfunc="median")
med["gap_F_vs_M_%"] = ((med["F"] / med["M"] - 1) * 100).round(1)
med""",
    ],
    "answers": [
        ("summary of an analysis", "**Attrition at a glance**\n\n- Company-wide, 134 of 640 employees left – **20.9%**, which is about 3 percentage points above your 18% benchmark.\n- **Support** is the hotspot with 38 leavers out of 132 (28.8%).\n- **Engineering** is the only department below the benchmark, at 17.1%.", [
            ("digit", "**20.9%**", "**29.0%**", "29.0%"),
            ("question number given as result", "at 17.1%", "at 18.0%", "18.0%"),
            ("swapped entity", "out of 132", "out of 180", "180"),
        ]),
        ("percent", "Attrition falls steadily with tenure. Of the 58 people with at most one year, 21 left (36.2%). In the 1–3 year band it is 27.7%, then 17.7% for 3–5 years, 14.9% for 5–10 years, and just 3.1% among those with more than ten years.", [
            ("digit", "36.2%", "32.6%"),
            ("scale", "just 3.1%", "a full 31%", "31%"),
            ("swapped entity", "then 17.7%", "then 14.9%", "then 14.9%"),
        ]),
        ("list or table", "| Department | Median F | Median M | Gap |\n|---|---|---|---|\n| Engineering | 78,300 | 76,000 | +3.0% |\n| Sales | 60,750 | 59,850 | +1.5% |\n| Finance | 66,000 | 66,100 | −0.2% |\n| HR | 54,600 | 55,300 | −1.3% |\n| Support | 43,650 | 45,750 | −4.6% |\n\nPositive values mean that women earn more at the median.", [
            ("sign or direction", "−4.6%", "+4.6%"),
            ("digit", "59,850", "58,950"),
            ("digit", "66,000", "60,600"),
        ]),
        ("derived", "The widest gap is in **Support**, where the median woman earns 2,100 less than the median man (43,650 vs 45,750, or 4.6% less). In Engineering it is the other way round: women's median pay is 2,300 higher.", [
            ("miscomputed derivation", "2,100 less", "3,100 less", "3,100"),
            ("sign or direction", "2,300 higher", "2,300 lower", "2,300 lower"),
            ("wrong column", "(43,650 vs", "(45,650 vs", "45,650"),
        ]),
        ("plain", "Salaries average about 63,741 with a standard deviation of 14,111; the middle half earns between 53,200 and 74,425. Average tenure is 4.3 years (median 3.8), and the longest-serving employee has been here for 19.3 years.", [
            ("wrong statistic", "average about 63,741", "average about 64,700", "64,700"),
            ("wrong statistic", "(median 3.8)", "(median 5.9)", "5.9"),
            ("rounding", "63,741", "63,740"),
            ("number of something else", "standard deviation of 14,111", "standard deviation of 26,400", "26,400"),
        ]),
        ("fractions in words", "More than half of all leavers – 75 of 134 – had three years of tenure or less. Support alone contributes over a quarter of the departures, although it has only about a fifth of the staff.", [
            ("miscomputed derivation", "75 of 134", "86 of 134", "86"),
            ("number of something else", "75 of 134", "54 of 134", "54"),
        ]),
        ("counted", "There are five departments. In four of them attrition is above 18%: Support (28.8%), HR (22.2%), Sales (20.6%) and Finance (19.0%). Note that HR has only 36 employees, so its 8 leavers weigh heavily.", [
            ("swapped entity", "only 36 employees", "only 58 employees", "58"),
            ("digit", "22.2%", "24.2%"),
            ("number of something else", "its 8 leavers", "its 11 leavers", "11 leavers"),
        ]),
    ],
}
