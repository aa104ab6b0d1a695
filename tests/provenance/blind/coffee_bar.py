{
    "domain": 'coffee bar',
    "question": 'How much did the bar take in each month, and which drink sells best?',
    "cells": ['''
import pandas as pd
sales = pd.DataFrame({
  "month": ["Jan","Jan","Jan","Feb","Feb","Feb","Mar","Mar","Mar"],
  "drink": ["espresso","latte","tea"]*3,
  "cups": [812, 1034, 377, 790, 1102, 341, 905, 1211, 298],
  "price": [2.4, 3.9, 2.1]*3})
sales["revenue"] = sales.cups * sales.price
by_month = sales.groupby("month", sort=False).revenue.sum()
by_drink = sales.groupby("drink")[["cups","revenue"]].sum().sort_values("revenue", ascending=False)
print(by_month)
print(by_drink)
print(f"Total revenue: {sales.revenue.sum():.2f}")
''', '''
growth = by_month.pct_change()*100
print(growth.round(2))
best = by_drink.index[0]
print(f"Best seller: {best} with {by_drink.cups.iloc[0]} cups")
'''],
    "answers": [
        ('plain', 'The bar took 6,773.10 in January, 6,909.90 in February and 7,520.70 in March.', [
            ('swapped entity', '6,773.10 in January, 6,909.90 in February', '6,909.90 in January, 6,773.10 in February', ['6,909.90', '6,773.10']),
            ('digit', '7,520.70', '7,250.70')]),
        ('plain', 'Lattes sell best: 3,347 cups brought in €13,053.30 of the €21,203.70 total.', [
            ('swapped entity', '3,347 cups', '2,507 cups', '2,507'),
            ('digit', '€13,053.30', '€13,503.30')]),
        ('percent', 'Latte alone makes up 61.6% of revenue.', [
            ('miscomputed derivation', '61.6%', '66.1%'),
            ('swapped entity', 'Latte', 'Espresso', '61.6%')]),
        ('derived', 'Revenue rose by 8.84% in March and by 11.04% over the whole quarter.', [
            ('sign or direction', 'rose by 8.84%', 'fell by 8.84%', '8.84%'),
            ('miscomputed derivation', '11.04%', '10.86%')]),
        ('fractions in words', 'Tea accounts for only about a tenth of the takings, and espresso sold roughly two and a half times as many cups as tea.', []),
        ('derived', 'An average month brought 7,067.90.', [
            ('miscomputed derivation', '7,067.90', '7,076.90')]),
    ],
}
