{
"domain": "farm trial",
"question": "Which of the nitrogen levels gave the best yield in the plot trial, and is the extra nitrogen worth it?",
"cells": [
r"""import pandas as pd
trial = pd.DataFrame({
 "n_kg_ha": [0]*4 + [60]*4 + [120]*4 + [180]*4,
 "yield_t": [4.12, 3.88, 4.30, 4.06, 5.71, 5.94, 5.60, 5.83, 7.02, 6.85, 7.21, 6.92, 7.18, 7.30, 6.97, 7.23]})
g = trial.groupby("n_kg_ha").yield_t.agg(["mean", "std", "min", "max"]).round(2)
print(g)""",
r"""wheat_price, n_price = 210, 1.1   # EUR per t, EUR per kg N
for n, m in g["mean"].items():
    print(f"N={n:>3}: revenue {m*wheat_price:7.1f}  fertiliser {n*n_price:6.1f}  margin {m*wheat_price - n*n_price:7.1f} EUR/ha")""",
],
"answers": [
("derived", "180 kg N gives the highest yield (7.17 t/ha), but only 0.17 t more than 120 kg.", [
    ("miscomputed derivation", "0.17 t more", "0.27 t more", "0.27"),
    ("sign or direction", "0.17 t more", "0.17 t less", "0.17"),
    ("wrong statistic", "7.17 t/ha", "7.30 t/ha", "7.30"),
]),
("derived", "No, the last 60 kg don't pay: the margin falls by about 30 EUR/ha, from 1,338 to 1,308.", [
    ("sign or direction", "from 1,338 to 1,308", "from 1,308 to 1,338", ["1,308", "1,338"]),
    ("miscomputed derivation", "about 30 EUR", "about 40 EUR", "40"),
    ("wrong column", "1,308", "1,506"),
]),
("units or currency", "At 120 kg N you net 1338.0 EUR/ha, 479.1 EUR more than on the unfertilised plots.", [
    ("miscomputed derivation", "479.1 EUR", "497.1 EUR", "497.1"),
    ("sign or direction", "479.1 EUR more", "479.1 EUR less", "479.1"),
    ("wrong column", "1338.0", "1470.0"),
]),
("summary of an analysis", "Each step of 60 kg brings less than the one before. The first one raises the mean yield from 4.09 to 5.77 t/ha (+1.68 t, 41%), the second adds 1.23 t and the third only 0.17 t. Per kg of nitrogen that's 28 kg of grain, then 20.5 kg and finally under 3 kg. Going from 120 to 180 kg costs another 66 EUR and brings 35.70 EUR in revenue, so you'd lose some 30 EUR per hectare.", [
    ("miscomputed derivation", "+1.68 t", "+1.86 t", "1.86"),
    ("sign or direction", "raises the mean yield from 4.09 to 5.77", "lowers the mean yield from 4.09 to 5.77", ["4.09", "5.77"]),
    ("miscomputed derivation", "28 kg", "38 kg", "38"),
    ("sign or direction", "you'd lose some 30 EUR", "you'd gain some 30 EUR", "30"),
]),
("list or table", '''| N (kg/ha) | Yield (t/ha) | vs. previous | Margin (EUR/ha) | vs. previous |
|---|---|---|---|---|
| 0 | 4.09 | | 858.9 | |
| 60 | 5.77 | +1.68 | 1145.7 | +286.8 |
| 120 | 7.00 | +1.23 | 1338.0 | +192.3 |
| 180 | 7.17 | +0.17 | 1307.7 | -30.3 |''', [
    ("sign or direction", "-30.3", "+30.3"),
    ("miscomputed derivation", "+286.8", "+268.8"),
    ("wrong column", "| 1338.0 |", "| 1470.0 |", "1470.0"),
    ("miscomputed derivation", "+1.23", "+1.32"),
]),
("derived", "With 120 kg the yield is 71% above the control; the margin is 56% higher.", [
    ("miscomputed derivation", "71%", "61%", "61"),
    ("sign or direction", "71% above", "71% below", "71"),
    ("swapped entity", "71% above the control; the margin is 56% higher", "56% above the control; the margin is 71% higher", ["56", "71"]),
]),
]
}
