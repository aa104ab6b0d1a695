{
    "domain": "real estate",
    "question": "Give me an overview of asking prices by district.",
    "cells": ['''
import pandas as pd

flats = pd.DataFrame({
    "district": ["Old Town", "Old Town", "Old Town", "Riverside", "Riverside", "Riverside", "Northgate", "Northgate",
                 "Northgate", "Northgate", "Parkside", "Parkside"],
    "price": [412000, 389000, 455000, 298000, 325000, 341500, 219000, 244900, 231500, 262000, 518000, 604000],
    "area": [82, 71, 95, 64, 70, 78, 61, 68, 59, 74, 104, 121],
    "rooms": [3, 3, 4, 2, 3, 3, 2, 3, 2, 3, 4, 5],
})
flats["per_m2"] = flats["price"] / flats["area"]
flats.groupby("district")["price"].agg(["count", "mean", "median", "min", "max"]).round(1)
''', '''
flats[["price", "area", "rooms", "per_m2"]].describe().round(2)
''', '''
print("correlation of price and area:", round(flats["price"].corr(flats["area"]), 3))
'''],
    "answers": [
        ("plain", "In Old Town the mean asking price is 418,666.7 and the median 412,000.", [
            ("wrong statistic", "the mean asking price is 418,666.7 and the median 412,000", "the median asking price is 418,666.7 and the mean 412,000", "418,666.7"),
            ("swapped entity", "Old Town", "Riverside", ["418,666.7", "412,000"]),
            ("digit", "412,000", "421,000")]),
        ("summary of an analysis", "Twelve flats are on offer. Prices run from 219,000 to 604,000 with a mean of 358,325 and a standard deviation of 121,240.87; the typical flat has 78.92 m² at 4,466.54 per square metre. Price and area go together closely (r = 0.947).", [
            ("wrong statistic", "4,466.54 per square metre", "655.32 per square metre", "655.32"),
            ("digit", "0.947", "0.974"),
            ("wrong statistic", "a mean of 358,325", "a mean of 333,250", "333,250")]),
        ("scale words", "Parkside is the expensive corner: flats there average €561 thousand, over twice as much as in Northgate.", [
            ("scale", "€561 thousand", "€561 million"),
            ("swapped entity", "Parkside is the expensive corner", "Riverside is the expensive corner", "561")]),
        ("derived", "The dearest flat costs 385,000 more than the cheapest, and Parkside's mean is 2.34 times Northgate's.", [
            ("miscomputed derivation", "385,000", "375,000"),
            ("miscomputed derivation", "2.34 times", "2.43 times")]),
        ("constants of a method", "The middle 50 % of prices lie between 257,725 and 422,750.", [
            ("rounding", "257,725", "257,800")]),
        ("fractions in words", "A quarter of the flats cost less than 257,725, and half of them less than 333,250.", [
            ("wrong statistic", "half of them less than 333,250", "half of them less than 358,325", "358,325")]),
        ("counted", "Northgate has 4 listings, Parkside only 2.", [
            ("swapped entity", "Northgate has 4 listings, Parkside only 2", "Northgate has 2 listings, Parkside 4", ["2 listings", "Parkside 4"])]),
    ],
}
