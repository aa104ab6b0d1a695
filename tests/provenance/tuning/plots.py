{
    "domain": "charts",
    "question": "Plot revenue and visitors of the five shops.",
    "cells": ['''
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

shops = ["Airport", "Castle", "Docks", "Mall", "Plaza"]
revenue = [182.4, 96.1, 57.8, 240.9, 131.5]
visitors = [15210, 9480, 4075, 22930, 11860]
fig, (left, right) = plt.subplots(1, 2)
left.bar(shops, revenue)
left.set_title("Revenue per shop (thousand euros)")
left.set_ylabel("revenue")
right.bar(shops, visitors)
right.set_title("Visitors per shop")
fig.savefig("shops.png")
print("total revenue:", round(sum(revenue), 1))
''', '''
for shop, r, v in zip(shops, revenue, visitors):
    print(f"{shop}: {1000 * r / v:.2f} euros per visitor")
print("total visitors:", sum(visitors))
'''],
    "answers": [
        ("plain", "The Mall shop leads with revenue of 240.9 thousand euros and 22,930 visitors.", [
            ("swapped entity", "The Mall shop", "The Plaza shop", ["240.9", "22,930"]),
            ("digit", "22,930", "29,230"),
            ("scale", "240.9 thousand", "240.9 million")]),
        ("plain", "Docks has the fewest visitors but the highest revenue per visitor, 14.18 euros.", [
            ("swapped entity", "Docks has", "Castle has", "14.18"),
            ("digit", "14.18", "18.14")]),
        ("derived", "The Mall makes 34.0 % of the total of 708.7.", [
            ("miscomputed derivation", "34.0 %", "43.0 %")]),
        ("derived", "Across all shops a visitor spends 11.15 euros.", [
            ("miscomputed derivation", "11.15", "11.51"),
            ("swapped entity", "11.15", "11.99")]),
        ("scale words", "63.6 thousand people visited the five shops.", [
            ("scale", "63.6 thousand", "63.6 million"),
            ("rounding", "63.6 thousand", "63.5 thousand")]),
        ("units or currency", "Revenue in thousand euros: Airport 182.4, Castle 96.1, Docks 57.8, Mall 240.9, Plaza 131.5.", [
            ("swapped entity", "Airport 182.4, Castle 96.1", "Airport 96.1, Castle 182.4", ["96.1", "182.4"])]),
        ("French", "Le magasin Mall réalise 240,9 milliers d'euros, soit 183,1 de plus que Docks.", [
            ("miscomputed derivation", "183,1", "181,3"),
            ("sign or direction", "183,1 de plus que", "183,1 de moins que", "183,1")]),
        ("German", "Der Umsatz beträgt insgesamt 708,7 Tausend Euro bei 63.555 Besuchern.", [
            ("digit", "63.555", "65.355"),
            ("scale", "708,7 Tausend", "708,7 Millionen")]),
    ],
}
