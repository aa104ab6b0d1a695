{
    "domain": "energy",
    "question": "I manage a small municipal grid. Using our 2023 daily data (MWh), how much of the load was covered by solar and wind, what does the seasonal pattern look like, and what did we pay for the rest? Update the cost with the new tariff please. Goal for 2025 is a 50% renewable share.",
    "cells": [
r"""import numpy as np
import pandas as pd
idx = pd.date_range("2023-01-01", "2023-12-31", freq="D")
rng = np.random.default_rng(11)
doy = idx.dayofyear.to_numpy()
load = 41.5 + 9.4 * np.cos(2 * np.pi * (doy - 20) / 365) - 4.2 * (idx.dayofweek >= 5) + rng.normal(0, 1.6, len(idx))
solar = np.clip(6.8 - 5.6 * np.cos(2 * np.pi * (doy + 10) / 365) + rng.normal(0, 1.7, len(idx)), .2, None)
wind = np.clip(rng.gamma(2.4, 4.3, len(idx)) * (1 + .25 * np.cos(2 * np.pi * doy / 365)), 0, 38)
e = pd.DataFrame({"load": load, "solar": solar, "wind": wind}, index=idx).round(2)   # MWh per day
e["residual"] = (e.load - e.solar - e.wind).round(2)
e.describe().round(2)""",
r"""m = e.resample("M").sum().round(0).astype(int)
m.index = m.index.strftime("%b")
m["re_share"] = ((m.solar + m.wind) / m.load * 100).round(1)
m""",
r"""q = e.resample("Q").sum()
q.index = ["Q1", "Q2", "Q3", "Q4"]
print(q.round(1))
peak = e.load.idxmax()
print("peak day:", peak.date(), e.load.max())
print("lowest load:", e.load.idxmin().date(), e.load.min())
print("days with surplus:", (e.residual < 0).sum())""",
r"""annual = e.sum()
price = 94.5          # EUR per MWh bought from the grid
co2 = 0.38            # t per MWh of residual
bought = e.residual.clip(lower=0).sum()
print(annual.round(1).to_dict())
print(f"grid purchases {bought:,.1f} MWh -> {bought*price:,.0f} EUR, {bought*co2:,.0f} t CO2")""",
r"""price = 102.0         # new tariff from the supplier's letter
print(f"grid purchases {bought:,.1f} MWh -> {bought*price:,.0f} EUR, {bought*co2:,.0f} t CO2")""",
    ],
    "answers": [
        ("summary of an analysis", "## 2023 in brief\n\n- **Load:** 14,731 MWh\n- **Solar:** 2,502 MWh, **wind:** 3,840 MWh – together 6,342 MWh or **43.1%** of the load\n- **Grid purchases:** 8,420 MWh, costing about **€858,880** at the new tariff of €102 per MWh\n- **Emissions** from purchased power: around 3,200 t CO₂\n\nYou are about 7 percentage points away from the 50% goal.", [
            ("stale value", "€858,880", "€795,727"),
            ("rounding", "2,502 MWh", "2,501 MWh", "2,501"),
            ("question number given as result", "or **43.1%** of", "or **50%** of", "**50%** of"),
            ("digit", "3,840 MWh", "3,480 MWh", "3,480"),
            ("miscomputed derivation", "6,342", "6,432"),
        ]),
        ("percent", "The renewable share ranges from 26.1% in January to 62.6% in July. From May to August it stays above 56%, while in November and December it is only 31.6% and 33.8%.", [
            ("swapped entity", "62.6% in July", "59.0% in July", "59.0%"),
            ("digit", "26.1%", "21.6%"),
            ("sign or direction", "above 56%", "below 56%", "56%"),
        ]),
        ("derived", "The new tariff raises the annual bill from €795,727 to €858,880, i.e. by €63,153 or 7.9%. The amount bought (8,420.4 MWh) does not change.", [
            ("miscomputed derivation", "€63,153", "€73,153"),
            ("miscomputed derivation", "7.9%", "9.7%"),
            ("scale", "€795,727", "€79,572"),
        ]),
        ("plain", "The peak day was 11 January 2023 with 53.29 MWh. The lowest load occurred on 12 August with 24.83 MWh, less than half the peak. On average you needed 40.36 MWh a day.", [
            ("digit", "53.29", "52.39"),
            ("wrong statistic", "40.36", "46.62"),
            ("wrong column", "with 24.83 MWh", "with 22.98 MWh", "22.98"),
            ("digit", "12 August", "18 August", "18"),
        ]),
        ("counted", "There were just six days in the year on which solar and wind exceeded the load; on the best of them the surplus was 10.76 MWh. On the remaining 359 days you had to buy power.", [
            ("miscomputed derivation", "359", "349"),
            ("digit", "10.76", "17.06"),
        ]),
        ("list or table", "| Quarter | Load | Solar | Wind | Residual |\n|---|---|---|---|---|\n| Q1 | 4,322.7 | 354.9 | 1,174.5 | 2,793.3 |\n| Q2 | 3,360.7 | 984.4 | 808.0 | 1,568.4 |\n| Q3 | 2,996.3 | 898.6 | 743.0 | 1,354.7 |\n| Q4 | 4,051.4 | 264.0 | 1,114.9 | 2,672.5 |\n\nResidual load in Q1 is about twice that of Q3.", [
            ("digit", "984.4", "948.4"),
            ("swapped entity", "| 743.0 | 1,354.7 |", "| 743.0 | 1,568.4 |", "743.0 | 1,568.4"),
            ("number of something else", "| 264.0 |", "| 444.0 |", "444.0"),
        ]),
        ("scale words", "Solar and wind complement each other: solar peaks at 366 MWh in July and drops to 59 MWh in January and December, whereas wind is strongest in December (444 MWh) and weakest in June (224 MWh). Over the year, wind delivers about one and a half times as much as solar. The bill comes to roughly 0.86 million euros.", [
            ("swapped entity", "weakest in June (224 MWh)", "weakest in June (281 MWh)", "281"),
            ("stale value", "0.86 million", "0.80 million"),
            ("digit", "366 MWh", "336 MWh", "336"),
        ]),
        ("derived", "Load fell by 30.7% between the first and the third quarter (from 4,322.7 to 2,996.3 MWh), then recovered by 35.2% to 4,051.4 MWh in the fourth.", [
            ("miscomputed derivation", "30.7%", "44.3%"),
            ("sign or direction", "Load fell by 30.7%", "Load rose by 30.7%", "30.7%"),
            ("miscomputed derivation", "35.2%", "26.0%"),
        ]),
    ],
}
