{
    "domain": "retail",
    "question": "Summarise the 2023 sales by region and product.",
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(11)
n = 500
df = pd.DataFrame({"region": rng.choice(["North","South","East","West"], n), "product": rng.choice(["Laptop","Phone","Tablet"], n),
  "units": rng.integers(1, 12, n), "price": rng.choice([899.0, 549.5, 329.9], n), "month": rng.integers(1, 13, n)})
df["revenue"] = df.units * df.price
by_region = df.groupby("region")["revenue"].agg(["sum", "mean", "count"]).round(2)
print(by_region)
by_product = df.groupby("product")["revenue"].sum().sort_values(ascending=False)
print(by_product)
''', '''
monthly = df.groupby("month")["revenue"].sum().round(2)
print(monthly)
print("Best month:", monthly.idxmax(), "with", monthly.max())
print("Worst month:", monthly.idxmin(), "with", monthly.min())
total = df.revenue.sum()
print(f"Total revenue: {total:,.2f}")
print(f"Average order value: {df.revenue.mean():.2f}")
'''],
    "answers": [
        ("summary of an analysis", "Total revenue in 2023 was 1,716,372.30 from 500 orders, i.e. 3,432.74 per order. West leads with 484,102.20, followed by North (444,206.00) and East (404,657.60); South is last with 383,406.50. Phones are the strongest product (620,092.80).", [
            ("swapped entity", "West leads with 484,102.20, followed by North (444,206.00)", "West leads with 444,206.00, followed by North (484,102.20)", ["444,206.00", "484,102.20"]),
            ("wrong statistic", "3,432.74 per order", "3,782.05 per order", "3,782.05"),
            ("swapped entity", "620,092.80", "577,447.80"),
            ("question number given as result", "500 orders", "2,023 orders", "2,023")]),
        ("plain", "October was the best month with 177,883.50; June was the weakest at 105,112.30.", [
            ("swapped entity", "177,883.50; June was the weakest at 105,112.30", "105,112.30; June was the weakest at 177,883.50", ["177,883.50", "105,112.30"]),
            ("number of something else", "177,883.50", "172,791.20"),
            ("digit", "105,112.30", "105,211.30")]),
        ("derived", "The West region accounts for 28.2 % of total revenue, 39,896.20 more than the North.", [
            ("miscomputed derivation", "28.2 %", "27.2 %"),
            ("miscomputed derivation", "39,896.20", "39,986.20"),
            ("sign or direction", "more than", "less than", "39,896.20")]),
        ("scale words", "Sales came to about $1.72 million; phones alone brought in $620 thousand.", [
            ("scale", "$1.72 million", "$1.72 billion"),
            ("swapped entity", "$620 thousand", "$577 thousand")]),
        ("derived", "On average we sold for 143,031.03 per month.", [
            ("miscomputed derivation", "143,031.03", "134,031.03"),
            ("wrong statistic", "143,031.03", "145,147.40")]),
        ("small integers", "The North has the most orders, 137, and South the fewest with 114.", [
            ("swapped entity", "137, and South the fewest with 114", "114, and South the fewest with 137", ["137", "114"]),
            ("wrong column", "137", "128")]),
        ("plain", "The average order is largest in the West (3,782.05) and smallest in the North (3,242.38).", [
            ("swapped entity", "(3,242.38)", "(3,344.28)", "3,344.28"),
            ("wrong column", "(3,782.05)", "(484,102.2)", "484,102.2")]),
        ("inequalities", "Every region sold more than 380,000, and only West more than 450,000.", [
            ("number of something else", "more than 380,000", "more than 390,000", "390,000")]),
    ],
}
