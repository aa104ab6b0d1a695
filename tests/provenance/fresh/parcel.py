{
    "domain": "parcel",
    "question": "How many parcels were late, and why?",
    "cells": ['''
log = [("DHL", "on time", 412), ("DHL", "late", 38), ("UPS", "on time", 287), ("UPS", "late", 13), ("GLS", "on time", 171), ("GLS", "late", 29)]
total = sum(n for *_, n in log)
late = sum(n for _, s, n in log if s == "late")
print(total, late, round(late / total * 100, 2))
stats = {}
for carrier, status, n in log:
    stats.setdefault(carrier, {})[status] = n
print(stats)
''', '''
rates = {c: round(100 * v["late"] / sum(v.values()), 2) for c, v in stats.items()}
print(rates)
reasons = {"weather": 31, "address": 24, "depot": 17, "other": 8}
for k, v in reasons.items():
    print("-", k, v)
''', '''
# five of the GLS parcels turned out to be returns
stats["GLS"]["late"] -= 5
late -= 5
total -= 5
rates = {c: round(100 * v["late"] / sum(v.values()), 2) for c, v in stats.items()}
print("corrected rates:", rates)
print("corrected late parcels:", late, "of", total)
'''],
    "answers": [
        ("plain", "After the correction 75 of 945 parcels were late.", [
            ("stale value", "75 of 945", "80 of 945", "80"),
            ("digit", "945", "954")]),
        ("percent", "GLS has the worst late rate, 12.31 %.", [
            ("stale value", "12.31 %", "14.5 %"),
            ("swapped entity", "GLS", "DHL", "12.31 %")]),
        ("plain", "UPS is the most reliable carrier with only 4.33 % late.", [
            ("swapped entity", "4.33 %", "8.44 %"),
            ("scale", "4.33 %", "43.3 %")]),
        ("plain", "DHL delivered 412 parcels on time and 38 late.", [
            ("swapped entity", "412 parcels on time and 38 late", "38 parcels on time and 412 late", ["38", "412"]),
            ("swapped entity", "412", "287")]),
        ("plain", "Weather was the main reason (31 parcels), then wrong addresses (24).", [
            ("swapped entity", "(31 parcels), then wrong addresses (24)", "(24 parcels), then wrong addresses (31)", ["24 parcels", "(31)"]),
            ("number of something else", "(31 parcels)", "(38 parcels)", "38")]),
        ("derived", "Overall 7.94 % of the parcels are late now.", [
            ("stale value", "7.94 %", "8.42 %"),
            ("miscomputed derivation", "7.94 %", "7.49 %")]),
        ("derived", "Weather and addresses explain 55 of the late parcels.", [
            ("miscomputed derivation", "55", "57")]),
        ("derived", "DHL carried 450 parcels in all.", [
            ("miscomputed derivation", "450", "540")]),
        ("counted", "Three carriers and 4 reasons were distinguished.", [
            ("digit", "4 reasons", "6 reasons", "6")]),
    ],
}
