{
    "domain": "inventory",
    "question": "What is our stock worth, and what has to be ordered? A delivery has just brought the brackets to 460.",
    "cells": ['''
import pandas as pd

stock = pd.DataFrame({
    "item": ["bolts", "nuts", "washers", "brackets", "hinges", "screws"],
    "pieces": [5400, 6120, 8800, 310, 145, 12750],
    "price": [0.12, 0.08, 0.03, 2.45, 3.90, 0.05],
    "minimum": [4000, 6500, 5000, 400, 120, 9000],
})
stock["value"] = stock["pieces"] * stock["price"]
print(stock[["item", "value"]].to_string(index=False))
print("stock value:", round(stock["value"].sum(), 2))
print("to order:", list(stock.loc[stock["pieces"] < stock["minimum"], "item"]))
''', '''
stock.loc[stock["item"] == "brackets", "pieces"] = 460      # a delivery came in
stock["value"] = stock["pieces"] * stock["price"]
print("stock value:", round(stock["value"].sum(), 2))
print("to order:", list(stock.loc[stock["pieces"] < stock["minimum"], "item"]))
print("brackets:", stock.loc[3, "pieces"])
'''],
    "answers": [
        ("plain", "The stock is worth 3,731.60 after the delivery.", [
            ("stale value", "3,731.60", "3,364.10"),
            ("digit", "3,731.60", "3,713.60"),
            ("invented", "3,731.60", "3,905.25")]),
        ("plain", "Only nuts have to be ordered; there are 460 brackets now.", [
            ("stale value", "460 brackets", "310 brackets"),
            ("swapped entity", "460 brackets", "460 hinges", "460")]),
        ("derived", "The delivery raised the value of the stock by 367.50.", [
            ("miscomputed derivation", "367.50", "376.50"),
            ("sign or direction", "raised the value of the stock by 367.50", "lowered the value of the stock by 367.50", "367.50")]),
        ("units or currency", "Total: €3,731.6", [
            ("stale value", "€3,731.6", "€3,364.1")]),
        ("plain", "Bolts are worth 648.0, nuts 489.6.", [
            ("swapped entity", "Bolts are worth 648.0, nuts 489.6", "Bolts are worth 489.6, nuts 648.0", ["489.6", "648.0"]),
            ("digit", "489.6", "498.6")]),
        ("small integers", "1 item has to be ordered.", []),
    ],
}
