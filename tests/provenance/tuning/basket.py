{
    "domain": "grocery baskets",
    "question": "Which products are bought together, and what is a basket worth?",
    "cells": ['''
import random
from itertools import combinations
from collections import Counter

random.seed(55)
price = {"bread": 2.49, "butter": 2.19, "milk": 1.09, "eggs": 2.79, "coffee": 5.99, "apples": 1.99}
baskets = []
for _ in range(300):
    basket = {p for p in price if random.random() < {"bread": 0.5, "milk": 0.45, "coffee": 0.2}.get(p, 0.3)}
    if "bread" in basket and random.random() < 0.5:
        basket.add("butter")
    if basket:
        baskets.append(basket)
single = Counter(p for b in baskets for p in b)
pairs = Counter(pair for b in baskets for pair in combinations(sorted(b), 2))
print("baskets", len(baskets))
print("products sold", sum(single.values()))
print(single.most_common())
print(pairs.most_common(4))
''', '''
n = len(baskets)
support = pairs["bread", "butter"] / n
confidence = pairs["bread", "butter"] / single["bread"]
lift = confidence / (single["butter"] / n)
print(f"bread -> butter: support {support:.4f}, confidence {confidence:.4f}, lift {lift:.3f}")
values = [sum(price[p] for p in b) for b in baskets]
print(f"mean basket {sum(values) / n:.2f}, largest {max(values):.2f}, takings {sum(values):.2f}")
'''],
    "answers": [
        ("plain", "Bread and butter is the most frequent pair: 88 of 281 baskets contain both (support 0.3132).", [
            ("swapped entity", "Bread and butter is the most frequent pair", "Bread and milk is the most frequent pair", "88"),
            ("digit", "281", "218")]),
        ("plain", "Who buys bread also buys butter in 61.97 % of cases, a lift of 1.201.", [
            ("swapped entity", "61.97 % of cases, a lift of 1.201", "31.32 % of cases, a lift of 1.201", "31.32 %"),
            ("digit", "1.201", "1.210")]),
        ("units or currency", "The average basket is worth €5.75, the largest €16.54; takings were €1,616.40.", [
            ("wrong statistic", "The average basket is worth €5.75, the largest €16.54", "The average basket is worth €16.54, the largest €5.75", ["€16.54", "€5.75"]),
            ("scale", "€1,616.40", "€16,164.00")]),
        ("small integers", "Coffee was in 62 baskets, apples in 88.", [
            ("swapped entity", "Coffee was in 62 baskets, apples in 88", "Coffee was in 88 baskets, apples in 62", ["88", "62"])]),
        ("derived", "A basket holds 2.3 products on average.", [
            ("miscomputed derivation", "2.3 products", "3.2 products")]),
        ("fractions in words", "About half of the baskets contain bread.", []),
        ("constants of a method", "The top 3 products are butter (145), bread (142) and milk (115).", [
            ("swapped entity", "butter (145), bread (142)", "bread (145), butter (142)", ["145", "142"]),
            ("digit", "115", "151")]),
    ],
}
