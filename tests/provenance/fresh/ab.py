{
    "domain": "ab",
    "question": "Did variant B of the landing page convert better than A?",
    "cells": ['''
import math
vis = {"A": 5120, "B": 5087}; conv = {"A": 389, "B": 452}
rate = {k: conv[k]/vis[k] for k in vis}
for k in vis: print(k, vis[k], conv[k], f"{rate[k]:.4f}")
p = (conv["A"]+conv["B"])/(vis["A"]+vis["B"])
se = math.sqrt(p*(1-p)*(1/vis["A"]+1/vis["B"]))
z = (rate["B"]-rate["A"])/se
pv = math.erfc(abs(z)/math.sqrt(2))
print("pooled rate", round(p, 4))
print("z", round(z, 3), "p-value", round(pv, 4))
print("relative uplift", round((rate["B"]/rate["A"]-1)*100, 1), "%")
'''],
    "answers": [
        ("summary of an analysis", "Variant B converted 8.89 % of its 5,087 visitors (452), variant A 7.60 % of 5,120 (389). The difference is significant (z = 2.366, p = 0.018), a relative uplift of 16.9 %.", [
            ("swapped entity", "B converted 8.89 % of its 5,087 visitors (452), variant A 7.60 %", "B converted 7.60 % of its 5,087 visitors (452), variant A 8.89 %", ["7.60 %", "8.89 %"]),
            ("swapped entity", "(452), variant", "(389), variant", "389), variant"),
            ("digit", "p = 0.018", "p = 0.081", "0.081")]),
        ("derived", "B's conversion rate is 1.29 percentage points higher.", [
            ("miscomputed derivation", "1.29", "1.92"),
            ("sign or direction", "higher", "lower", "1.29")]),
        ("constants of a method", "At the usual 5 % level the result is significant (p = 0.018 < 0.05).", [
            ("digit", "0.018", "0.180")]),
        ("derived", "B brought 63 more conversions than A.", [
            ("miscomputed derivation", "63", "36"),
            ("sign or direction", "more", "fewer", "63")]),
        ("derived", "In total 10,207 people visited the page and 841 converted.", [
            ("miscomputed derivation", "10,207", "10,270"),
            ("miscomputed derivation", "841", "814")]),
    ],
}
