{
    "domain": "crowdfunding",
    "question": "How is our campaign doing? The goal is 25,000 in 30 days.",
    "cells": ['''
import pandas as pd

pledges = pd.DataFrame({"tier": ["sticker", "book", "box", "patron"], "price": [5, 25, 60, 250], "backers": [212, 384, 97, 11]})
pledges["amount"] = pledges["price"] * pledges["backers"]
print(pledges.to_string(index=False))
raised = pledges["amount"].sum()
print("raised:", raised)
print("backers:", pledges["backers"].sum())
print(f"funded: {raised / 25000:.1%}")
''', '''
pledges.loc[2, "backers"] += 26          # pledges of the last night
pledges["amount"] = pledges["price"] * pledges["backers"]
raised = pledges["amount"].sum()
backers = pledges["backers"].sum()
print("raised:", raised)
print("backers:", backers)
print(f"funded: {raised / 25000:.1%}")
print(f"mean pledge: {raised / backers:.2f}")
print("missing:", 25000 - raised)
''', '''
print("success rate of similar projects: 38 %")
'''],
    "answers": [
        ("plain", "You have raised 20,790 from 730 backers, 83.2 % of the goal of 25,000.", [
            ("stale value", "raised 20,790", "raised 19,230", "19,230"),
            ("stale value", "83.2 %", "76.9 %"),
            ("question number given as result", "You have raised 20,790", "You have raised 25,000", "raised 25,000"),
            ("number of something else", "730 backers", "384 backers", "384")]),
        ("derived", "4,210 are still missing, and the last night brought 1,560.", [
            ("miscomputed derivation", "1,560", "1,650"),
            ("digit", "4,210", "4,120")]),
        ("plain", "The mean pledge is 28.48; the book is the most popular tier with 384 backers.", [
            ("swapped entity", "the book is the most popular tier with 384 backers", "the box is the most popular tier with 384 backers", "384"),
            ("digit", "28.48", "24.88"),
            ("typed literal", "The mean pledge is 28.48", "Of similar projects 38 % succeed", "38 %")]),
        ("small integers", "11 people became patrons.", [
            ("digit", "11 people", "17 people"),
            ("swapped entity", "11 people became patrons", "212 people became patrons", "212")]),
        ("percent", "Books bring 46.2 % of the money.", [
            ("miscomputed derivation", "46.2 %", "42.6 %")]),
        ("counted", "There are 4 tiers.", [
            ("digit", "4 tiers", "6 tiers")]),
    ],
}
