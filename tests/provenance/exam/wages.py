{
    "domain": "economics",
    "question": "Real wages 2015-2024: deflate the monthly gross wage with the CPI (2015=100), show me when people lost purchasing power, and whether there is anything like a Phillips curve in this.",
    "cells": [
r"""import numpy as np, pandas as pd
t = pd.DataFrame({
    "year": range(2015, 2025),
    "cpi":  [100.0, 100.5, 102.0, 103.8, 105.3, 105.8, 109.1, 116.6, 123.5, 126.2],
    "wage": [3612, 3703, 3771, 3880, 3994, 3975, 4100, 4244, 4479, 4701],
    "unemp": [6.4, 6.1, 5.7, 5.2, 5.0, 5.9, 5.7, 5.3, 5.7, 6.0],
}).set_index("year")
t["infl"] = t.cpi.pct_change() * 100
t["real"] = t.wage / t.cpi * 100
t["real_g"] = t.real.pct_change() * 100
print(t.round(2))""",
r"""print("nominal 2015-24: %+.1f%%" % ((t.wage.loc[2024] / t.wage.loc[2015] - 1) * 100))
print("prices  2015-24: %+.1f%%" % ((t.cpi.loc[2024] / t.cpi.loc[2015] - 1) * 100))
print("real    2015-24: %+.1f%%" % ((t.real.loc[2024] / t.real.loc[2015] - 1) * 100))
print("avg inflation p.a.: %.2f%%" % (((t.cpi.loc[2024] / t.cpi.loc[2015]) ** (1 / 9) - 1) * 100))
b, a = np.polyfit(t.unemp.iloc[1:], t.infl.iloc[1:], 1)
print("Phillips slope", b.round(3), "intercept", a.round(3), "R2", (np.corrcoef(t.unemp.iloc[1:], t.infl.iloc[1:])[0, 1] ** 2).round(4))"""],
    "answers": [
        ("summary of an analysis", "Nominal wages grew 30.1% between 2015 and 2024 while prices went up 26.2%, leaving a real gain of just 3.1% in nine years. Inflation averaged 2.62% a year and peaked at 6.87% in 2022.", [
            ("swapped entity", "peaked at 6.87% in 2022", "peaked at 5.92% in 2022", "5.92%"),
            ("miscomputed derivation", "a real gain of just 3.1%", "a real gain of just 3.9%", "3.9%"),
            ("wrong statistic", "averaged 2.62%", "averaged 2.91%", "2.91%"),
        ]),
        ("plain", "Purchasing power fell in three years: by 0.95% in 2020, 3.15% in 2022 and 0.36% in 2023.", [
            ("digit", "3.15%", "3.51%"),
            ("wrong column", "0.36% in 2023", "5.92% in 2023", "5.92%"),
            ("swapped entity", "by 0.95% in 2020", "by 0.02% in 2020", "0.02%"),
        ]),
        ("derived", "Real wages peaked in 2019 at 3,792.97 (in 2015 prices). In 2024 they stood at 3,725.04, still 67.93 or 1.8% below that peak.", [
            ("wrong column", "3,792.97 (in", "3,994 (in", "3,994"),
            ("miscomputed derivation", "still 67.93", "still 76.93", "76.93"),
            ("sign or direction", "or 1.8% below that peak", "or 1.8% above that peak", ["67.93", "1.8%"]),
        ]),
        ("plain", "There is hardly any Phillips curve: the slope is −1.624, but unemployment explains only 7% of the variation in inflation (R² = 0.0715).", [
            ("sign or direction", "−1.624", "+1.624"),
            ("scale", "only 7%", "only 0.7%", "0.7%"),
            ("digit", "0.0715", "0.0751"),
            ("invented", "(R² = 0.0715)", "(R² = 0.0715, p = 0.27)", "0.27"),
        ]),
        ("units or currency", "The average monthly wage rose by €1,089, from €3,612 in 2015 to €4,701 in 2024, but in 2015 euros that is only €113 more.", [
            ("miscomputed derivation", "€1,089", "€1,189", "1,189"),
            ("digit", "€4,701", "€4,107", "4,107"),
            ("miscomputed derivation", "only €113", "only €98", "98"),
        ]),
        ("derived", "From their recent low in 2023 real wages recovered by 2.71% in 2024, about €98; nominally, pay went up by 5.0% that year against inflation of 2.19%.", [
            ("wrong column", "went up by 5.0%", "went up by 2.7%", "2.7%"),
            ("sign or direction", "recovered by 2.71%", "fell another 2.71%", "2.71%"),
        ]),
        ("dates, versions, ordinals", "The worst year was 2022, when real wages fell by 3.15%. In 2024, the 10th year of the series, they were only slightly above the 2017 level (3,725 vs. 3,697).", [
            ("swapped entity", "The worst year was 2022", "The worst year was 2020", ["2020", "3.15%"]),
            ("swapped entity", "vs. 3,697", "vs. 3,738", "3,738"),
            ("miscomputed derivation", "the 10th year", "the 9th year", "9th"),
        ]),
    ],
}
