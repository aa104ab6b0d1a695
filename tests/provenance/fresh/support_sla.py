{
    "domain": "support sla",
    "question": "What are the response times per priority and which team breaks its target?",
    "cells": ['''
import pandas as pd
t = pd.DataFrame([
    ("alpha", "high", 14, 3), ("alpha", "normal", 41, 9), ("alpha", "low", 22, 27),
    ("beta", "high", 9, 5), ("beta", "normal", 57, 13), ("beta", "low", 31, 36),
    ("gamma", "high", 21, 2), ("gamma", "normal", 36, 8), ("gamma", "low", 18, 19),
], columns=["team", "priority", "tickets", "hours"])
print(t.pivot(index="team", columns="priority", values="hours"))
print(t.pivot(index="team", columns="priority", values="tickets"))
''', '''
t["work"] = t.tickets * t.hours
g = t.groupby("team")[["tickets", "work"]].sum()
g["mean_hours"] = (g.work / g.tickets).round(2)
print(g)
print("overall mean response:", round(t.work.sum() / t.tickets.sum(), 2), "h over", t.tickets.sum(), "tickets")
''', '''
target = {"high": 4, "normal": 12, "low": 36}
for row in t.itertuples():
    if row.hours > target[row.priority]:
        print(f"{row.team} misses the {row.priority} target: {row.hours} h instead of {target[row.priority]} h")
'''],
    "answers": [
        ("plain", "Beta is the slowest team with a mean of 19.61 hours, gamma the fastest with 8.96.", [
            ("swapped entity", "19.61 hours, gamma the fastest with 8.96", "8.96 hours, gamma the fastest with 19.61", ["8.96", "19.61"]),
            ("digit", "19.61", "16.91")]),
        ("plain", "Beta needs 5 hours for high priority tickets although the target is 4.", [
            ("swapped entity", "Beta needs 5 hours", "Beta needs 3 hours", "3"),
            ("number of something else", "needs 5 hours", "needs 9 hours", "9")]),
        ("plain", "Team alpha handled 77 tickets, beta 97 and gamma 75.", [
            ("swapped entity", "beta 97 and gamma 75", "beta 75 and gamma 97", ["beta 75", "gamma 97"]),
            ("digit", "97", "79")]),
        ("summary of an analysis", "Across 249 tickets the mean response was 14.37 h. Only beta breaks targets: 13 h instead of 12 h for normal and 5 h instead of 4 h for high priority.", [
            ("wrong statistic", "the mean response was 14.37 h", "the mean response was 13.05 h", "13.05"),
            ("wrong column", "13 h instead", "36 h instead", "36 h")]),
        ("derived", "Beta takes 10.65 hours longer than gamma on average.", [
            ("miscomputed derivation", "10.65", "10.56"),
            ("swapped entity", "longer than gamma", "longer than alpha", "10.65")]),
        ("small integers", "Gamma answers high priority tickets within 2 hours.", [
            ("swapped entity", "2 hours", "3 hours", "3"),
            ("wrong column", "2 hours", "8 hours", "8")]),
        ("list or table", "| team | tickets | mean hours |\n|---|---|---|\n| alpha | 77 | 13.05 |\n| beta | 97 | 19.61 |\n| gamma | 75 | 8.96 |", [
            ("swapped entity", "| 77 | 13.05 |\n| beta | 97 | 19.61 |", "| 77 | 19.61 |\n| beta | 97 | 13.05 |", ["77 | 19.61", "97 | 13.05"])]),
        ("percent", "Beta handled 39 % of all tickets.", [
            ("miscomputed derivation", "39 %", "43 %"),
            ("swapped entity", "Beta", "Alpha", "39 %")]),
        ("counted", "All 3 teams were compared in 3 priorities.", [
            ("digit", "3 teams", "5 teams", "5")]),
    ],
}
