{
"domain": "household energy",
"question": "What did the heat pump do to our electricity and gas consumption? Costs too.",
"cells": [
r"""use = {2021: {"el": 3480, "gas": 18900}, 2022: {"el": 3390, "gas": 17250}, 2023: {"el": 6120, "gas": 2140}, 2024: {"el": 6385, "gas": 0}}
price = {2021: (0.31, 0.065), 2022: (0.36, 0.112), 2023: (0.34, 0.118), 2024: (0.30, 0.0)}
print("year    el   gas    sum")
for y, u in use.items():
    print(y, f"{u['el']:>5} {u['gas']:>5} {u['el']+u['gas']:>6} kWh")""",
r"""for y, u in use.items():
    e, g = u["el"] * price[y][0], u["gas"] * price[y][1]
    print(f"{y}: electricity {e:.2f} gas {g:.2f} total {e+g:.2f} EUR")""",
],
"answers": [
("derived", "Total consumption dropped from 20,640 kWh in 2022 to 8,260 in 2023, a fall of 60%.", [
    ("miscomputed derivation", "60%", "48%", "48"),
    ("sign or direction", "dropped from 20,640 kWh", "climbed from 20,640 kWh", ["20,640", "8,260"]),
    ("swapped entity", "8,260", "6,385"),
]),
("derived", "Your electricity use nearly doubled: 6,385 kWh in 2024, 2,905 more than in 2021.", [
    ("miscomputed derivation", "2,905", "2,805"),
    ("sign or direction", "2,905 more", "2,905 less", "2,905"),
    ("swapped entity", "more than in 2021", "more than in 2022", "2,905"),
    ("swapped entity", "6,385", "6,120"),
]),
("units or currency", "Energy cost €1,915.50 in 2024, €1,236.90 less than in 2022, when you paid €3,152.40.", [
    ("miscomputed derivation", "€1,236.90", "€1,326.90", "1,326.90"),
    ("sign or direction", "€1,236.90 less", "€1,236.90 more", "1,236.90"),
    ("swapped entity", "€3,152.40", "€2,333.32", "2,333.32"),
]),
("summary of an analysis", "Before the heat pump gas made up 84% of your energy use (18,900 of 22,380 kWh in 2021). In 2023 gas fell by 15,110 kWh, or 88%, while electricity rose by 2,730 kWh, so the bottom line is 12,380 kWh less. Costs peaked in 2022 at €3,152.40, €845.10 above the previous year, and went down to €2,333.32 in 2023. In 2024 you pay 39% less than at the peak, about €160 a month.", [
    ("miscomputed derivation", "84%", "86%", "86"),
    ("sign or direction", "electricity rose by 2,730 kWh", "electricity fell by 2,730 kWh", "2,730"),
    ("sign or direction", "€845.10 above the previous", "€845.10 below the previous", "845.10"),
    ("miscomputed derivation", "pay 39% less", "pay 46% less", "46"),
]),
("list or table", '''| Year | kWh | vs. previous | Cost | vs. previous |
|---|---|---|---|---|
| 2021 | 22,380 | | €2,307.30 | |
| 2022 | 20,640 | -1,740 | €3,152.40 | +€845.10 |
| 2023 | 8,260 | -12,380 | €2,333.32 | -€819.08 |
| 2024 | 6,385 | -1,875 | €1,915.50 | -€417.82 |''', [
    ("sign or direction", "-€819.08", "+€819.08", "819.08"),
    ("miscomputed derivation", "-12,380", "-11,380"),
    ("wrong column", "| €1,915.50 |", "| €2,080.80 |", "2,080.80"),
    ("miscomputed derivation", "-1,740", "-1,470"),
]),
("derived", "In 2022 gas was 61% of the bill (€1,932 out of €3,152), the year after only 11%.", [
    ("miscomputed derivation", "61%", "53%", "53"),
    ("swapped entity", "61% of the bill (€1,932 out of €3,152), the year after only 11%", "11% of the bill (€1,932 out of €3,152), the year after only 61%", ["11%", "61%"]),
    ("wrong column", "€1,932", "€1,220", "1,220"),
]),
]
}
