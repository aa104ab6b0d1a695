{
    "domain": "marketing",
    "question": "Which channel is worth its money?",
    "cells": ['''
import pandas as pd

ads = pd.DataFrame({
    "channel": ["search", "social", "video", "email", "display"],
    "spend": [12400.0, 8650.0, 9900.0, 1150.0, 5300.0],
    "impressions": [310400, 925300, 418750, 64200, 1204600],
    "clicks": [14280, 11950, 5235, 2889, 3614],
    "sales": [571, 239, 141, 260, 47],
    "revenue": [45680.0, 17925.0, 11985.0, 19760.0, 3290.0],
}).set_index("channel")
ads["ctr"] = (ads["clicks"] / ads["impressions"] * 100).round(3)
ads["cost_per_click"] = (ads["spend"] / ads["clicks"]).round(3)
ads["cost_per_sale"] = (ads["spend"] / ads["sales"]).round(2)
ads["roas"] = (ads["revenue"] / ads["spend"]).round(3)
print(ads.to_string())
''', '''
print("spend", ads["spend"].sum())
print("revenue", ads["revenue"].sum())
print("sales", ads["sales"].sum())
print("return on ad spend", round(ads["revenue"].sum() / ads["spend"].sum(), 3))
'''],
    "answers": [
        ("plain", "Email is the most efficient channel by far: each sale costs 4.42 and every euro returns 17.18.", [
            ("swapped entity", "Email is the most efficient channel", "Search is the most efficient channel", ["4.42", "17.18"]),
            ("digit", "17.18", "18.17")]),
        ("plain", "Display loses money with a return of 0.621 and 112.77 per sale.", [
            ("swapped entity", "Display", "Video", ["0.621", "112.77"]),
            ("wrong column", "112.77 per sale", "1.467 per sale", "1.467")]),
        ("summary of an analysis", "You spent 37,400 and earned 98,640 with 1,258 sales, an overall return of 2.637. Search costs 21.72 per sale, social 36.19 and video 70.21.", [
            ("swapped entity", "social 36.19 and video 70.21", "social 70.21 and video 36.19", ["70.21", "36.19"]),
            ("swapped entity", "You spent 37,400 and earned 98,640", "You spent 98,640 and earned 37,400", ["98,640", "37,400"]),
            ("digit", "2.637", "2.673")]),
        ("derived", "After the ads' cost 61,240 remain.", [
            ("miscomputed derivation", "61,240", "62,140")]),
        ("percent", "Search takes 33.2 % of the budget and brings 46.3 % of revenue.", [
            ("miscomputed derivation", "33.2 %", "32.3 %"),
            ("swapped entity", "Search takes 33.2 % of the budget and brings 46.3 % of revenue", "Search takes 46.3 % of the budget and brings 33.2 % of revenue", ["46.3 %", "33.2 %"])]),
        ("small integers", "I compared 5 channels.", [
            ("number of something else", "5 channels", "9 channels")]),
        ("plain", "A click on video costs 1.891, one in email 0.398.", [
            ("swapped entity", "on video costs 1.891, one in email 0.398", "on email costs 1.891, one in video 0.398", ["1.891", "0.398"]),
            ("digit", "1.891", "1.981")]),
    ],
}
