{
    "domain": "real estate",
    "question": "Analyse these 310 flat listings for me: price levels by area, how price depends on size, and any outliers. Client has a budget of 450,000 EUR and wants 3 bedrooms.",
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(61)
n = 310
area = rng.choice(["Centre", "Docklands", "Parkside", "Suburbs"], n, p=[.2, .18, .27, .35])
beds = rng.choice([1, 2, 3, 4, 5], n, p=[.14, .31, .33, .16, .06])
sqm = np.round(28 + 23 * beds + rng.normal(0, 9, n)).clip(24).astype(int)
ppsqm = pd.Series(area).map({"Centre": 6900, "Docklands": 6100, "Parkside": 5150, "Suburbs": 3950}).to_numpy()
price = (np.round(sqm * ppsqm * np.exp(rng.normal(0, .12, n)) / 500) * 500).astype(int)
dom = np.round(rng.gamma(2.5, 17, n)).astype(int)
homes = pd.DataFrame({"area": area, "beds": beds, "sqm": sqm, "price": price, "days_on_market": dom})
homes["price_sqm"] = (homes.price / homes.sqm).round(0)
pd.options.display.float_format = "{:,.1f}".format
homes.describe()""",
r"""homes.groupby("area")[["price", "sqm", "price_sqm", "days_on_market"]].median()""",
r"""homes.pivot_table(index="area", columns="beds", values="price", aggfunc=["count", "mean"])""",
r"""q1, q3 = homes.price.quantile([.25, .75])
hi = q3 + 1.5 * (q3 - q1)
out = homes[homes.price > hi]
print(f"Q1={q1:,.0f} Q3={q3:,.0f} upper fence={hi:,.0f}  -> {len(out)} outliers")
slope, intercept = np.polyfit(homes.sqm, homes.price, 1)
r2 = np.corrcoef(homes.sqm, homes.price)[0, 1] ** 2
print(f"price = {intercept:,.0f} + {slope:,.0f} * sqm   (R^2 = {r2:.3f})")
homes.nlargest(5, "price")""",
    ],
    "answers": [
        ("summary of an analysis", "**Market snapshot (310 listings)**\n\n- Asking prices run from €127,000 to €1,175,500, with a **median of €448,750** and a mean of €470,827.\n- The typical flat has 88 m² and sits on the market for 34 days.\n- **Centre** is the most expensive area (median €7,090.5 per m²), the **Suburbs** the cheapest (€3,968 per m²).", [
            ("wrong statistic", "**median of €448,750**", "**median of €470,827**", "**median of €470,827**"),
            ("question number given as result", "€448,750", "€450,000"),
            ("swapped entity", "€3,968", "€5,219.5"),
            ("wrong statistic", "34 days", "54 days", "54"),
        ]),
        ("derived", "A square metre in the Centre costs about 79% more than in the Suburbs (€7,090.5 vs. €3,968). For a whole flat, the median difference is €251,250: €596,750 in the Centre and €345,500 in the Suburbs.", [
            ("miscomputed derivation", "79% more", "44% more", "44%"),
            ("miscomputed derivation", "€251,250", "€241,250"),
            ("sign or direction", "79% more than", "79% less than", "79%"),
        ]),
        ("units or currency", "For three bedrooms and a budget of €450,000, the **Suburbs** are realistic: the 34 three-bedroom listings there average €375,191. In Parkside the average is €530,071, in Docklands €576,048 and in the Centre €677,000, all over budget.", [
            ("digit", "€375,191", "€357,191"),
            ("swapped entity", "In Parkside the average is €530,071, in Docklands €576,048", "In Parkside the average is €576,048, in Docklands €530,071", ["€576,048", "€530,071"]),
            ("number of something else", "the 34 three-bedroom", "the 40 three-bedroom", "40"),
            ("wrong column", "€677,000", "€872,625"),
        ]),
        ("constants of a method", "Using the usual 1.5 × IQR rule, the upper fence lies at €940,812 (Q1 = €326,750, Q3 = €572,375). Seven listings, or 2.3% of the sample, are above it.", [
            ("digit", "€940,812", "€904,812"),
            ("miscomputed derivation", "2.3%", "3.2%"),
            ("wrong statistic", "Q3 = €572,375", "Q3 = €448,750", "€448,750"),
        ]),
        ("plain", "A simple linear fit gives a price of €14,801 plus €5,122 per square metre, with R² = 0.543. So size explains a bit over half of the variation in price; an extra 10 m² goes along with roughly €51,000.", [
            ("digit", "€5,122", "€5,212"),
            ("wrong statistic", "R² = 0.543", "R² = 0.737", "0.737"),
            ("miscomputed derivation", "€51,000", "€66,000"),
            ("sign or direction", "€14,801", "−€14,801", "−€14,801"),
        ]),
        ("list or table", "Five most expensive listings:\n\n1. Docklands, 4 bedrooms, 146 m² – €1,175,500\n2. Centre, 4 bedrooms, 129 m² – €1,086,500\n3. Centre, 5 bedrooms, 142 m² – €1,061,500\n4. Centre, 5 bedrooms, 154 m² – €1,050,000\n5. Centre, 5 bedrooms, 144 m² – €1,034,000\n\nFour of the five are in the Centre.", [
            ("digit", "€1,086,500", "€1,068,500"),
            ("number of something else", "129 m²", "137 m²", "137"),
            ("scale", "€1,034,000", "€103,400"),
        ]),
        ("scale words", "The dearest flat is listed at close to 1.2 million euros, more than nine times the cheapest one at 127 thousand. It is in Docklands, has 146 m² and was on the market for just 24 days.", [
            ("scale", "1.2 million", "12 million"),
            ("miscomputed derivation", "more than nine times", "more than 11 times", "11"),
            ("number of something else", "just 24 days", "just 80 days", "80"),
        ]),
        ("French", "Le prix médian demandé est de 448 750 € (moyenne : 470 827 €). C'est au Centre que le mètre carré est le plus cher, avec une médiane de 7 090,5 €, contre 3 968 € en banlieue. Sept annonces dépassent le seuil de 940 812 €.", [
            ("digit", "470 827 €", "407 827 €"),
            ("swapped entity", "3 968 €", "6 114 €"),
            ("miscomputed derivation", "940 812 €", "860 812 €"),
        ]),
    ],
}
