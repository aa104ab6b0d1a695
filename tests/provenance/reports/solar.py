{
    "domain": 'rooftop solar',
    "question": 'My 9.6 kWp roof system cost 17,800 euros. Monthly numbers for 2023 attached (kWh). How independent am I from the grid and when will it have paid for itself? Ideally within 15 years.',
    "cells": [r"""import json
import numpy as np
import pandas as pd

rng = np.random.default_rng(9090)
hrs = [52, 78, 121, 168, 205, 214, 226, 203, 152, 104, 58, 43]
months = pd.period_range("2023-01", periods=12, freq="M").astype(str)
kwp = 9.6
y = pd.DataFrame({"month": months,
                  "prod": [round(h * kwp * 0.49 * rng.normal(1, 0.06), 1) for h in hrs],
                  "used": [round(v * rng.normal(1, 0.04), 1) for v in [512, 460, 438, 371, 335, 318, 327, 322, 344, 402, 471, 530]]})
y["self"] = y[["prod", "used"]].min(axis=1).mul(0.62).round(1)
y["feed"] = (y["prod"] - y["self"]).round(1)
y["grid"] = (y["used"] - y["self"]).round(1)
print(y.to_string(index=False))
T = y[["prod", "used", "self", "feed", "grid"]].sum().round(1)
print(T.to_dict())""",
r"""price, tariff, capex = 0.34, 0.082, 17800
sv = T["self"] * price + T["feed"] * tariff
print(json.dumps({"sv": round(sv, 2), "payback": round(capex / sv, 2)}))""",
r"""# the 34 ct price was last year's contract; use the current 29.5 ct
price = 0.295
a, b = T["self"] * price, T["feed"] * tariff
print(json.dumps({"a": round(a, 2), "b": round(b, 2), "sv": round(a + b, 2), "payback": round(capex / (a + b), 2),
                  "autarky": round(T["self"] / T["used"], 4), "selfuse": round(T["self"] / T["prod"], 4)}, indent=1))
y.set_index("month")[["prod", "used"]].agg(["mean", "std", "min", "max"]).round(1)"""],
    "answers": [
        ('summary of an analysis', 'In 2023 the system produced 7,758.3 kWh and you used 4,846.3 kWh. You consumed 2,416.3 kWh of your own power and fed 5,342.0 kWh into the grid, while 2,430.0 kWh came from it. That puts your self-sufficiency at 49.9 %. At the current price of 29.5 ct (and 8.2 ct feed-in tariff) you save €1,150.85 a year, so the €17,800 are back after about 15.5 years, slightly later than the 15 you hoped for.', [
            ('stale value', '€1,150.85', '€1,259.59'),
            ('stale value', 'about 15.5 years', 'about 14.1 years', '14.1'),
            ('swapped entity', '2,416.3 kWh of your own power and fed 5,342.0', '5,342.0 kWh of your own power and fed 2,416.3', ['5,342.0', '2,416.3']),
            ('wrong statistic', '49.9 %', '31.1 %'),
        ]),
        ('plain', 'Payback takes 15.47 years at 29.5 ct/kWh.', [
            ('stale value', '15.47', '14.13'),
            ('question number given as result', '15.47 years', '15 years', '15 years'),
            ('stale value', '29.5 ct', '34 ct', '34'),
        ]),
        ('derived', 'Produced power exceeded your consumption by 2,912 kWh over the year, i.e. you generated 1.6 times what you used. The cheaper contract lowers the yearly benefit by €108.74 and stretches the payback by 1.34 years.', [
            ('miscomputed derivation', '2,912 kWh', '2,921 kWh', '2,921'),
            ('miscomputed derivation', '1.6 times', '2.6 times', '2.6'),
            ('sign or direction', 'lowers the yearly benefit by €108.74', 'raises the yearly benefit by €108.74', '€108.74'),
            ('miscomputed derivation', '1.34 years', '1.43 years', '1.43'),
        ]),
        ('units or currency', "The yearly benefit of €1,150.85 has two parts: €712.81 from power you didn't have to buy and €438.04 from feed-in. The first one makes up 62 %.", [
            ('swapped entity', "€712.81 from power you didn't have to buy and €438.04", "€438.04 from power you didn't have to buy and €712.81", ['€438.04', '€712.81']),
            ('miscomputed derivation', '62 %', '38 %'),
            ('digit', '€1,150.85', '€1,105.85'),
        ]),
        ('fractions in words', 'You cover almost exactly half of your consumption yourself, but you use less than a third (31.1 %) of what the roof produces; the remaining 68.9 % goes to the grid.', [
            ('wrong statistic', '31.1 %', '49.9 %'),
            ('miscomputed derivation', '68.9 %', '50.1 %'),
        ]),
        ('inequalities', 'In eight of twelve months the roof produced more than you used, and in four of them (May to August) it delivered over 900 kWh. Only December stayed below 240 kWh.', [
            ('invented', 'over 900 kWh', 'over 990 kWh', '990'),
            ('wrong statistic', 'below 240 kWh', 'below 200 kWh', '200'),
        ]),
        ('list or table', 'Best and worst months:\n\n- **Highest production:** July, 1,094.4 kWh\n- **Lowest production:** December, 201.3 kWh\n- **Highest consumption:** December, 549.3 kWh\n- **Lowest consumption:** August, 315.1 kWh\n- **Average per month:** 646.5 kWh produced, 403.9 kWh used', [
            ('swapped entity', 'August, 315.1', 'August, 331.3', '331.3'),
            ('wrong statistic', '646.5 kWh', '332.0 kWh', '332.0'),
            ('wrong column', 'December, 549.3', 'December, 424.5', '424.5'),
            ('digit', '1,094.4', '1,049.4'),
        ]),
        ('scale words', 'Production was about 7.8 MWh, or 808 kWh per kWp. June, July and August together brought just over 3 MWh, 39 % of the annual yield.', [
            ('scale', '7.8 MWh', '78 MWh', '78'),
            ('miscomputed derivation', '808 kWh', '505 kWh', '505'),
            ('miscomputed derivation', '39 %', '52 %'),
        ]),
    ],
}
