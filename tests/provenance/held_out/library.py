{
    "domain": "library loans",
    "question": "How were the loans of our four branches spread last quarter?",
    "cells": ['''
import pandas as pd

loans = pd.DataFrame({
    "branch": ["Harbour", "Hill", "Market", "Station"] * 3,
    "month": ["Jan"] * 4 + ["Feb"] * 4 + ["Mar"] * 4,
    "loans": [4120, 2875, 6390, 3514, 3987, 2640, 6012, 3298, 4405, 3011, 6874, 3702],
    "late": [212, 98, 377, 141, 190, 84, 402, 128, 231, 117, 455, 160],
})
print(loans.groupby("branch")[["loans", "late"]].sum())
''', '''
total = loans["loans"].sum()
late = loans["late"].sum()
print("loans in the quarter:", total)
print("returned late:", late)
print(f"late share: {late / total:.2%}")
print(loans.groupby("month")["loans"].sum())
'''],
    "answers": [
        ("plain", "Market lent out 19,276 items in the quarter, more than any other branch; Hill came last with 8,526.", [
            ("digit", "19,276", "19,726"),
            ("swapped entity", "Market lent out 19,276 items in the quarter, more than any other branch; Hill came last with 8,526",
             "Hill lent out 19,276 items in the quarter, more than any other branch; Market came last with 8,526", "19,276"),
            ("wrong column", "8,526", "299")]),
        ("derived", "Market's 19,276 loans are 37.9 % of all 50,828, and 10,750 more than Hill's 8,526.", [
            ("miscomputed derivation", "37.9 %", "39.7 %"),
            ("miscomputed derivation", "10,750", "10,570")]),
        ("percent", "About 5.1% of loans came back late (2,595 of 50,828).", [
            ("scale", "5.1%", "51%"),
            ("invented", "2,595", "2,913")]),
        ("derived", "March was busier than February by 2,055 loans, a rise of 12.9 %.", [
            ("sign or direction", "busier than February by 2,055 loans, a rise of 12.9 %", "quieter than February by 2,055 loans, a fall of 12.9 %", "2,055"),
            ("rounding", "12.9 %", "13.1 %")]),
        ("list or table", "| branch | loans | late |\n|---|---|---|\n| Harbour | 12,512 | 633 |\n| Hill | 8,526 | 299 |\n| Market | 19,276 | 1,234 |\n| Station | 10,514 | 429 |", [
            ("swapped entity", "| Harbour | 12,512 | 633 |", "| Harbour | 10,514 | 633 |", "Harbour | 10,514"),
            ("digit", "1,234", "1,324")]),
        ("scale words", "Roughly 50.8 thousand items went over the counter, i.e. nearly 17 thousand a month.", [
            ("scale", "50.8 thousand", "50.8 million")]),
        ("small integers", "The data cover 4 branches and 3 months.", [
            ("number of something else", "4 branches", "12 branches")]),
    ],
}
