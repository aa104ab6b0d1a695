{
    "domain": "hospital stays",
    "question": "How long do patients stay, by ward, and how many come back within 30 days?",
    "cells": ['''
import random
import pandas as pd

random.seed(61)
rows = []
for _ in range(420):
    ward = random.choices(["Cardiology", "Surgery", "Geriatrics", "Maternity"], [30, 35, 20, 15])[0]
    mean = {"Cardiology": 5.2, "Surgery": 4.1, "Geriatrics": 9.8, "Maternity": 2.9}[ward]
    rows.append((ward, max(1, round(random.gauss(mean, mean / 3))), random.random() < (0.16 if ward == "Geriatrics" else 0.07)))
stays = pd.DataFrame(rows, columns=["ward", "days", "readmitted"])
print(stays.groupby("ward")["days"].describe().round(2))
print(stays.groupby("ward")["readmitted"].sum())
''', '''
print("stays:", len(stays))
print("days in all:", stays["days"].sum())
print("mean stay:", round(stays["days"].mean(), 3))
print("median stay:", stays["days"].median())
print(f"readmission rate: {stays['readmitted'].mean():.2%}")
'''],
    "answers": [
        ("plain", "Patients stay 5.457 days on average, with a median of 5.", [
            ("wrong statistic", "stay 5.457 days on average", "stay 5.13 days on average", "5.13"),
            ("digit", "5.457", "5.547")]),
        ("plain", "Geriatrics has the longest stays (mean 10.23 days), Maternity the shortest (3.10).", [
            ("swapped entity", "Geriatrics has the longest stays (mean 10.23 days), Maternity the shortest (3.10)", "Maternity has the longest stays (mean 10.23 days), Geriatrics the shortest (3.10)", ["10.23", "3.10"]),
            ("wrong statistic", "(mean 10.23 days)", "(mean 11 days)", "11"),
            ("wrong statistic", "(mean 10.23 days)", "(mean 2.92 days)", "2.92")]),
        ("percent", "7.14 % of the patients came back within 30 days.", [
            ("digit", "7.14 %", "7.41 %"),
            ("question number given as result", "7.14 % of the patients came back within 30 days", "30 % of the patients came back", "30 %")]),
        ("small integers", "Cardiology had 10 readmissions, Maternity 4.", [
            ("swapped entity", "Cardiology had 10 readmissions, Maternity 4", "Cardiology had 4 readmissions, Maternity 10", ["4 readmissions", "10"]),
            ("digit", "Maternity 4", "Maternity 7", "7")]),
        ("derived", "Geriatric patients stay 3.3 times as long as those in Maternity, and 10.1 % of them return.", [
            ("miscomputed derivation", "3.3 times", "3.9 times"),
            ("miscomputed derivation", "10.1 %", "11.0 %"),
            ("swapped entity", "those in Maternity", "those in Surgery", "3.3")]),
        ("summary of an analysis", "The 420 stays add up to 2,292 days. Surgery sees most patients (148), ahead of Cardiology (134), Geriatrics (79) and Maternity (59). The longest single stay, 17 days, was in Geriatrics; no stay in Maternity exceeded 5 days.", [
            ("swapped entity", "Geriatrics (79) and Maternity (59)", "Geriatrics (59) and Maternity (79)", ["59", "79"]),
            ("number of something else", "The 420 stays", "The 148 stays", "The 148"),
            ("digit", "2,292", "2,922")]),
        ("counted", "Four wards are covered, with 420 stays.", [
            ("scale", "420 stays", "42 stays")]),
    ],
}
