{
    "domain": "airline delays",
    "question": "How punctual were the carriers in June 2024?",
    "cells": ['''
import pandas as pd

flights = pd.DataFrame({
    "carrier": ["BlueJet", "Condorra", "Nordair", "Sunways"],
    "flights": [1284, 932, 1571, 608],
    "delayed": [219, 203, 188, 151],
    "cancelled": [14, 21, 9, 17],
    "mean_delay": [11.8, 17.4, 7.9, 21.3],
})
flights["delayed_share"] = (flights["delayed"] / flights["flights"] * 100).round(2)
flights
''', '''
import json
summary = {
    "flights": int(flights["flights"].sum()),
    "delayed": int(flights["delayed"].sum()),
    "cancelled": int(flights["cancelled"].sum()),
    "worst": flights.sort_values("delayed_share").iloc[-1]["carrier"],
    "best": flights.sort_values("delayed_share").iloc[0]["carrier"],
}
print(json.dumps(summary, indent=2))
'''],
    "answers": [
        ("plain", "Nordair was the most punctual carrier: 11.97% of its 1,571 flights were delayed.", [
            ("swapped entity", "Nordair", "BlueJet", ["11.97%", "1,571"]),
            ("digit", "11.97%", "19.17%"),
            ("wrong column", "11.97%", "7.9%")]),
        ("derived", "Of 4,395 flights in June 2024, 761 were delayed, a share of 17.3 %, and 61 cancelled (1.4 %).", [
            ("miscomputed derivation", "17.3 %", "13.7 %"),
            ("swapped entity", "761 were delayed, a share of 17.3 %, and 61 cancelled", "61 were delayed, a share of 17.3 %, and 761 cancelled", "761"),
            ("digit", "4,395", "4,935")]),
        ("plain", "Sunways was worst with 24.84% delayed and a mean delay of 21.3 minutes.", [
            ("digit", "21.3", "23.1"),
            ("wrong column", "24.84% delayed", "17% delayed", "17%")]),
        ("derived", "A delayed passenger of Sunways loses 13.4 minutes more than one of Nordair (21.3 vs 7.9).", [
            ("miscomputed derivation", "13.4", "14.3"),
            ("sign or direction", "13.4 minutes more than", "13.4 minutes less than", "13.4")]),
        ("dates, versions, ordinals", "In June 2024 BlueJet (ranked 2nd) had 219 delays on 1,284 flights.", [
            ("digit", "1,284", "1,248"),
            ("swapped entity", "BlueJet (ranked 2nd)", "Condorra (ranked 2nd)", "219")]),
        ("fractions in words", "Roughly one in four Sunways flights was late, against one in eight at Nordair.", []),
    ],
}
