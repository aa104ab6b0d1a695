{
    "domain": "sports",
    "question": "Summarise the runners' season.",
    "cells": ['''
import pandas as pd
runs = pd.DataFrame([("Mara","2024-04-07",10,47.2),("Mara","2024-05-12",21.1,104.5),("Mara","2024-06-16",10,45.9),("Tom","2024-04-07",10,52.8),("Tom","2024-05-12",21.1,118.3),("Tom","2024-06-16",10,51.1),("Lia","2024-04-07",10,43.4),("Lia","2024-06-16",10,42.7)], columns=["runner","date","km","minutes"])
runs["pace"] = (runs.minutes/runs.km).round(2)
print(runs)
best = runs[runs.km==10].groupby("runner").minutes.min()
print(best)
tot = runs.groupby("runner").agg(races=("km","size"), km=("km","sum"), minutes=("minutes","sum"))
print(tot)
'''],
    "answers": [
        ("summary of an analysis", "Lia is the fastest over 10 km with 42.7 minutes, ahead of Mara (45.9) and Tom (51.1). Mara and Tom ran 3 races each, 41.1 km in total; Lia ran 2. Mara needed 104.5 minutes for the half marathon, Tom 118.3.", [
            ("swapped entity", "Mara (45.9) and Tom (51.1)", "Mara (51.1) and Tom (45.9)", ["51.1", "45.9"]),
            ("swapped entity", "Mara needed 104.5 minutes for the half marathon, Tom 118.3", "Mara needed 118.3 minutes for the half marathon, Tom 104.5", ["118.3", "104.5"]),
            ("number of something else", "with 42.7", "with 43.4", "43.4")]),
        ("derived", "Mara improved her 10 km time by 1.3 minutes between April and June.", [
            ("miscomputed derivation", "1.3", "3.1")]),
        ("derived", "Over 10 km Tom is 8.4 minutes slower than Lia.", [
            ("miscomputed derivation", "8.4", "9.4"),
            ("sign or direction", "slower", "faster", "8.4")]),
        ("plain", "Tom's pace in the half marathon was 5.61 minutes per kilometre.", [
            ("swapped entity", "5.61", "4.95"),
            ("number of something else", "5.61", "5.11")]),
        ("derived", "All three together ran 102.2 km.", [
            ("miscomputed derivation", "102.2", "122.0")]),
    ],
}
