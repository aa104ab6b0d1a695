{
    "domain": 'shop2',
    "question": 'How did the online shop do last quarter?',
    "cells": [
        r"""
import pandas as pd
orders = pd.DataFrame({
    "month": ["Oct", "Nov", "Dec"], "visitors": [41250, 58730, 66410], "orders": [1072, 1762, 2258], "revenue": [58960.4, 104250.75, 128706.0], "returns": [96, 141, 271]})
orders["conversion_pct"] = (orders["orders"] / orders["visitors"] * 100).round(2)
orders["aov"] = (orders["revenue"] / orders["orders"]).round(2)
orders["return_rate"] = (orders["returns"] / orders["orders"]).round(3)
print(orders.to_string())
""",
        r"""
t = orders[["visitors", "orders", "revenue", "returns"]].sum()
print(t)
print("Overall conversion: %.2f%%" % (t["orders"] / t["visitors"] * 100))
print("Average order value: {:.2f}".format(t["revenue"] / t["orders"]))
""",
    ],
    "answers": [
        ('plain', 'December was the strongest month with 2,258 orders and revenue of 128,706.', [
            ('swapped entity', '2,258', '1,762'),
            ('swapped entity', 'December', 'November', ['2,258', '128,706']),
            ('digit', '128,706', '127,806'),
        ]),
        ('plain', 'The conversion rate rose steadily from 2.6 % in October to 3.4 % in December.', [
            ('sign or direction', 'rose', 'fell', '3.4 %'),
            ('swapped entity', 'from 2.6 % in October to 3.4 %', 'from 3.4 % in October to 2.6 %', ['3.4 %', '2.6 %']),
        ]),
        ('summary of an analysis', 'Over the quarter the shop had 166,390 visitors and 5,092 orders (3.06 %), which brought in 291,917.15, i.e. 57.33 per order.', [
            ('digit', '5,092', '5,902'),
            ('scale', '166,390', '16,639'),
            ('wrong statistic', '57.33', '59.17'),
        ]),
        ('percent', 'However, 12 % of the December orders were sent back, against 8 % in November.', [
            ('swapped entity', '12 % of the December orders were sent back, against 8 %', '8 % of the December orders were sent back, against 12 %', ['8 %', '12 %']),
            ('digit', '12 %', '21 %'),
        ]),
        ('derived', 'Revenue more than doubled between October and December (+118.3 %).', [
            ('miscomputed derivation', '+118.3 %', '+54.2 %'),
            ('digit', '+118.3 %', '+181.3 %'),
        ]),
        ('derived', 'In total 508 orders were returned, about one in ten.', [
            ('digit', '508', '580'),
        ]),
        ('derived', 'November brought 690 more orders than October.', [
            ('miscomputed derivation', '690', '960'),
            ('sign or direction', 'more', 'fewer', '690'),
        ]),
        ('plain', 'Customers spent most per order in November: 59.17 on average.', [
            ('swapped entity', '59.17', '55.00'),
            ('wrong column', '59.17', '3.0'),
        ]),
    ],
}
