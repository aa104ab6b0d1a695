{
    "domain": "pharmacy",
    "question": "Which products should the pharmacy reorder, and how do the categories compare? The reorder level is 40 units.",
    "cells": ['''
import pandas as pd, io
raw = """sku,product,category,stock,price,sold_week
P01,Ibuprofen 400,pain,212,4.95,61
P02,Paracetamol 500,pain,34,2.80,88
P03,Cetirizine,allergy,58,6.40,27
P04,Loratadine,allergy,19,7.15,33
P05,Nasal spray,cold,77,5.60,49
P06,Throat lozenges,cold,141,3.90,72
P07,Vitamin D3,supplement,96,11.25,18
P08,Zinc,supplement,25,8.70,14
P09,Magnesium,supplement,63,9.30,22
"""
df = pd.read_csv(io.StringIO(raw))
df
''', '''
df.groupby("category").agg(products=("sku", "count"), stock=("stock", "sum"), avg_price=("price", "mean"), sold=("sold_week", "sum")).round(2)
''', '''
low = df[df.stock < 40]
print(low[["product", "stock", "sold_week"]].to_string(index=False))
print()
print("weeks of cover:")
print((df.set_index("product")["stock"] / df.set_index("product")["sold_week"]).round(2))
''', '''
df["turnover"] = df["price"] * df["sold_week"]
print(f"Weekly turnover is {df['turnover'].sum():.2f} EUR, on average {df['turnover'].mean():.2f} EUR per product.")
print("best seller by turnover:", df.loc[df.turnover.idxmax(), "product"], round(df.turnover.max(), 2))
'''],
    "answers": [
        ("summary of an analysis", "Three products are below the reorder level of 40 units: Paracetamol 500 (34), Loratadine (19) and Zinc (25).", [
            ("swapped entity", "Loratadine (19) and Zinc (25)", "Loratadine (25) and Zinc (19)", ["25", "19"]),
            ("digit", "(34)", "(43)", "43")]),
        ("plain", "Paracetamol is the most urgent case: at 88 packs a week its stock lasts 0.39 weeks.", [
            ("swapped entity", "0.39", "0.58"),
            ("wrong column", "at 88 packs", "at 34 packs", "34 packs")]),
        ("plain", "Supplements are the most expensive category at 9.75 on average; pain relief is the cheapest at 3.88.", [
            ("swapped entity", "at 9.75 on average; pain relief is the cheapest at 3.88", "at 3.88 on average; pain relief is the cheapest at 9.75", ["3.88", "9.75"]),
            ("wrong column", "9.75", "184")]),
        ("percent", "Weekly turnover comes to 2,041.20 EUR, of which Ibuprofen 400 brings 14.8 %.", [
            ("miscomputed derivation", "14.8 %", "18.4 %"),
            ("scale", "2,041.20", "20,412.00")]),
        ("plain", "The average product makes 226.80 EUR a week.", [
            ("digit", "226.80", "228.60"),
            ("wrong statistic", "226.80", "301.95")]),
        ("derived", "Pain products sell 149 units a week, 28 more than cold remedies.", [
            ("sign or direction", "28 more than", "28 fewer than", "28 fewer"),
            ("miscomputed derivation", "28 more", "38 more", "38")]),
        ("counted", "The list has 9 products in 4 categories.", [
            ("number of something else", "4 categories", "6 categories", "6")]),
        ("plain", "Vitamin D3 lasts longest, 5.3 weeks.", [
            ("swapped entity", "Vitamin D3", "Magnesium", "5.3"),
            ("rounding", "5.3", "5.4")]),
        ("plain", "Zinc sells only 14 a week, so its 25 units last 1.79 weeks.", [
            ("wrong column", "only 14 a week", "only 63 a week", "63")]),
        ("German", "Der Wochenumsatz beträgt 2.041,20 €, im Schnitt 226,80 € je Produkt.", [
            ("digit", "2.041,20", "2.014,20"),
            ("invented", "226,80", "198,35")]),
        ("small integers", "3 products are below the reorder level.", [
            ("question number given as result", "3 products", "40 products", "40")]),
    ],
}
