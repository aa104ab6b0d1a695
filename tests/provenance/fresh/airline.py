{
    "domain": "airline delays",
    "question": "How punctual are the three carriers, and is it getting worse?",
    "cells": ['''
import pandas as pd
flights = pd.DataFrame({
    "carrier": ["Aero", "Aero", "Aero", "Bluejet", "Bluejet", "Bluejet", "Condora", "Condora", "Condora"],
    "quarter": ["Q1", "Q2", "Q3"] * 3,
    "flights": [412, 455, 498, 610, 640, 702, 188, 201, 240],
    "delayed": [61, 82, 104, 73, 70, 91, 41, 52, 66],
    "cancelled": [4, 7, 9, 3, 2, 6, 5, 4, 8],
})
by = flights.groupby("carrier")[["flights", "delayed", "cancelled"]].sum()
by["delay_rate"] = (by.delayed / by.flights * 100).round(1)
print(by)
''', '''
q = flights.pivot_table(index="quarter", columns="carrier", values="delayed", aggfunc="sum")
print(q)
print("worst quarter for Aero:", q["Aero"].idxmax(), q["Aero"].max())
''', '''
print("total flights", flights.flights.sum())
print("total delayed", flights.delayed.sum())
print("overall delay rate", round(flights.delayed.sum() / flights.flights.sum() * 100, 2))
'''],
    "answers": [
        ("summary of an analysis", "**Condora** is the least punctual carrier: 25.3 % of its 629 flights were late. Aero follows with 18.1 %, and Bluejet does best at 12.0 % although it operates the most flights (1,952).", [
            ("swapped entity", "Aero follows with 18.1 %, and Bluejet does best at 12.0 %", "Aero follows with 12.0 %, and Bluejet does best at 18.1 %", ["12.0 %", "18.1 %"]),
            ("wrong column", "629 flights", "159 flights"),
            ("digit", "25.3 %", "23.5 %")]),
        ("plain", "Aero's delays climbed from 61 in Q1 to 104 in Q3.", [
            ("sign or direction", "climbed from 61 in Q1 to 104", "dropped from 61 in Q1 to 104", ["61", "104"]),
            ("swapped entity", "from 61 in Q1", "from 73 in Q1", "73")]),
        ("derived", "For Aero that means 43 more late departures in the third quarter than in the first, an increase of 70 %.", [
            ("miscomputed derivation", "43 more", "34 more", "34"),
            ("miscomputed derivation", "70 %", "80 %")]),
        ("percent", "Across all carriers 640 of 3,946 flights were delayed, or 16.22 %.", [
            ("digit", "16.22 %", "12.66 %"),
            ("number of something else", "640 of", "247 of", "247")]),
        ("small integers", "Bluejet cancelled only 11 flights; Aero cancelled 20 and Condora 17.", [
            ("swapped entity", "11 flights; Aero cancelled 20", "20 flights; Aero cancelled 11", ["20 flights", "cancelled 11"]),
            ("digit", "only 11", "only 13", "13")]),
        ("derived", "In total 48 flights were cancelled.", [
            ("miscomputed derivation", "48", "46")]),
        ("derived", "Nearly half of all flights (49.5 %) were operated by Bluejet.", [
            ("miscomputed derivation", "49.5 %", "45.9 %"),
            ("swapped entity", "Bluejet", "Aero", "49.5 %")]),
        ("German", "Bei Bluejet waren 12,0 % der Flüge verspätet, bei Condora 25,3 %.", [
            ("swapped entity", "12,0 % der Flüge verspätet, bei Condora 25,3 %", "25,3 % der Flüge verspätet, bei Condora 12,0 %", ["25,3 %", "12,0 %"])]),
    ],
}
