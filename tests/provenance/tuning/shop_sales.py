{
    "domain": "shop sales",
    "question": "How did our regions do last year?",
    "cells": ['''
import pandas as pd

sales = pd.DataFrame({
    "region": ["North", "South", "East", "West"] * 2,
    "half": ["H1"] * 4 + ["H2"] * 4,
    "revenue": [31250.40, 24817.15, 28944.90, 26103.22, 33410.75, 25990.05, 27118.35, 32790.19],
    "orders": [412, 365, 388, 371, 430, 379, 361, 442],
})
by_region = sales.groupby("region")[["revenue", "orders"]].sum()
print(by_region)
''', '''
print("total revenue:", round(sales["revenue"].sum(), 2))
print("total orders:", sales["orders"].sum())
best = by_region["revenue"].idxmax()
print("best region:", best)
print("mean order value:", round(sales["revenue"].sum() / sales["orders"].sum(), 2))
''', '''
year_before = 221900.00
print("revenue of the year before:", year_before)
'''],
    "answers": [
        ("plain", "North was the strongest region with revenue of 64,661.15.", [
            ("digit", "64,661.15", "64,616.15"),
            ("scale", "64,661.15", "646,611.50"),
            ("swapped entity", "North", "West", "64,661.15"),
            ("wrong column", "64,661.15", "842")]),
        ("derived", "North earned 5,767.74 more than West.", [
            ("miscomputed derivation", "5,767.74", "5,676.74"),
            ("sign or direction", "North earned 5,767.74 more than West", "North earned 5,767.74 less than West", "5,767.74"),
            ("swapped entity", "more than West", "more than South", "5,767.74")]),
        ("derived", "On average that is $19,202 per month.", [
            ("miscomputed derivation", "$19,202", "$20,192")]),
        ("summary of an analysis", "Across the four regions you made 230,425.01 with 3,148 orders, i.e. 73.20 per order. North leads (64,661.15), followed by West (58,893.41), East (56,063.25) and South (50,807.20).", [
            ("swapped entity", "West (58,893.41), East (56,063.25)", "East (58,893.41), West (56,063.25)", ["58,893.41", "56,063.25"]),
            ("digit", "3,148", "3,184"),
            ("invented", "73.20", "81.45")]),
        ("percent", "North alone brings in 28.1 % of the revenue.", [
            ("miscomputed derivation", "28.1 %", "21.8 %"),
            ("swapped entity", "North", "South", "28.1 %")]),
        ("scale words", "Total revenue came to about 230 thousand dollars.", [
            ("scale", "230 thousand", "230 million"),
            ("typed literal", "230 thousand dollars", "221.9 thousand dollars")]),
        ("plain", "South had the fewest orders, 744.", [
            ("swapped entity", "South had the fewest orders, 744", "East had the fewest orders, 744", "744"),
            ("digit", "744", "774")]),
        ("counted", "All 4 regions together placed 3,148 orders.", [
            ("number of something else", "4 regions", "8 regions")]),
        ("fractions in words", "More than a quarter of revenue comes from North.", []),
        ("derived", "North and West together account for 53.6 % of the total.", [
            ("miscomputed derivation", "53.6 %", "56.3 %")]),
    
        ("German", "Der Norden (North) erzielte mit 64.661,15 € den höchsten Umsatz, 5.767,74 € mehr als West.", [
            ("digit", "64.661,15", "64.616,15"),
            ("miscomputed derivation", "5.767,74", "5.676,74"),
            ("scale", "64.661,15", "646.611,50")]),
        ("French", "Au total, 3 148 commandes ont rapporté 230 425,01 €, soit 73,20 € par commande.", [
            ("digit", "3 148", "3 184"),
            ("miscomputed derivation", "73,20", "72,30"),
            ("swapped entity", "3 148 commandes ont rapporté 230 425,01 €", "813 commandes ont rapporté 230 425,01 €", "813")]),
        ("German", "Durchschnittlich sind das rund 19.202 € pro Monat.", [
            ("miscomputed derivation", "19.202", "20.192")]),
    ],
}
