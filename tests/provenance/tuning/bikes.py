{
    "domain": "bike sharing",
    "question": "Explore the bike rentals of one week, hour by hour.",
    "cells": ['''
import math
import pandas as pd

rows = []
for day, name in enumerate(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]):
    for hour in range(0, 24, 3):
        base = 60 + 45 * math.sin((hour - 6) / 24 * 2 * math.pi) + (25 if hour in (6, 15) and day < 5 else 0) + (12 if day > 4 else 0)
        rows.append((name, hour, round(base + (day * 37 + hour * 11) % 17)))
rentals = pd.DataFrame(rows, columns=["day", "hour", "rentals"])
table = rentals.pivot(index="hour", columns="day", values="rentals")[["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]]
print(table)
''', '''
per_day = rentals.groupby("day", sort=False)["rentals"].sum()
print(per_day)
print("week:", per_day.sum())
print("busiest hour on average:", rentals.groupby("hour")["rentals"].mean().idxmax())
print(rentals.groupby("hour")["rentals"].mean().round(2).to_string())
'''],
    "answers": [
        ("plain", "Saturday was the busiest day (668 rentals), Wednesday the quietest (567).", [
            ("swapped entity", "Saturday was the busiest day (668 rentals), Wednesday the quietest (567)", "Wednesday was the busiest day (668 rentals), Saturday the quietest (567)", ["668", "567"]),
            ("digit", "668", "686")]),
        ("summary of an analysis", "In the whole week 4,280 bikes were rented. The afternoon peak is around 15:00 with 122.14 rentals on average; at midnight there are only 25. The single best slot was Tuesday 15:00 with 132.", [
            ("swapped entity", "Tuesday 15:00 with 132", "Friday 15:00 with 132", "with 132"),
            ("digit", "4,280", "4,820"),
            ("number of something else", "at midnight there are only 25", "at midnight there are only 71", "only 71")]),
        ("derived", "The weekend accounts for 1,326 rentals, 31.0 % of the week.", [
            ("miscomputed derivation", "1,326", "1,236"),
            ("miscomputed derivation", "31.0 %", "33.0 %")]),
        ("derived", "That makes 611 rentals per day on average.", [
            ("miscomputed derivation", "611", "661")]),
        ("small integers", "On Sunday at 12 o'clock 131 bikes were rented, on Monday 118.", [
            ("swapped entity", "On Sunday at 12 o'clock 131 bikes were rented, on Monday 118", "On Monday at 12 o'clock 131 bikes were rented, on Sunday 118", ["131", "118"])]),
        ("list or table", "| day | rentals |\n|---|---:|\n| Mon | 621 |\n| Tue | 594 |\n| Wed | 567 |\n| Thu | 574 |\n| Fri | 598 |\n| Sat | 668 |\n| Sun | 658 |", [
            ("swapped entity", "| Thu | 574 |", "| Thu | 594 |", "Thu | 594"),
            ("digit", "| Mon | 621 |", "| Mon | 612 |", "612")]),
    ],
}
