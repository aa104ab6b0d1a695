{
    "domain": "hotel bookings",
    "question": "How full was the hotel in May?",
    "cells": ['''
import json

rooms, days = 84, 31
sold = {"single": 612, "double": 1187, "suite": 203}
rate = {"single": 89.0, "double": 124.0, "suite": 245.0}
revenue = {kind: sold[kind] * rate[kind] for kind in sold}
nights = sum(sold.values())
report = {
    "room_nights_sold": nights,
    "room_nights_available": rooms * days,
    "occupancy": round(nights / (rooms * days), 4),
    "revenue": revenue,
    "total_revenue": sum(revenue.values()),
    "average_daily_rate": round(sum(revenue.values()) / nights, 2),
    "revenue_per_available_room": round(sum(revenue.values()) / (rooms * days), 2),
    "cancellations": {"single": 41, "double": 66, "suite": 9},
}
print(json.dumps(report, indent=2))
'''],
    "answers": [
        ("percent", "Occupancy was 76.88 %: 2,002 of 2,604 room nights were sold.", [
            ("digit", "76.88 %", "78.68 %"),
            ("swapped entity", "2,002 of 2,604 room nights were sold", "of 2,002 room nights 2,604 were sold", ["2,002", "2,604"])]),
        ("plain", "Doubles brought in 147,188, more than singles (54,468) and suites (49,735) together.", [
            ("swapped entity", "singles (54,468) and suites (49,735)", "suites (54,468) and singles (49,735)", ["54,468", "49,735"]),
            ("digit", "147,188", "148,177")]),
        ("units or currency", "Average daily rate €125.57, revenue per available room €96.54.", [
            ("wrong statistic", "Average daily rate €125.57, revenue per available room €96.54", "Average daily rate €96.54, revenue per available room €125.57", ["€96.54", "€125.57"]),
            ("invented", "€96.54", "€101.20")]),
        ("derived", "602 room nights stayed empty, 23.1 % of capacity.", [
            ("miscomputed derivation", "602", "620"),
            ("miscomputed derivation", "23.1 %", "21.3 %")]),
        ("derived", "In total 116 bookings were cancelled, 66 of them for double rooms.", [
            ("miscomputed derivation", "116", "126"),
            ("swapped entity", "66 of them for double rooms", "66 of them for single rooms", "66")]),
        ("scale words", "May revenue was about a quarter of a million: 251.4 thousand.", [
            ("scale", "251.4 thousand", "251.4 million")]),
        ("French", "Le taux d'occupation atteint 76,88 % pour un chiffre d'affaires de 251 391 €.", [
            ("digit", "251 391", "251 931"),
            ("scale", "76,88 %", "7,688 %")]),
    ],
}
