{
    "domain": "data cleaning",
    "question": "Clean the delivery times and tell me the average.",
    "cells": ['''
import random
import pandas as pd

random.seed(77)
times = [round(random.gauss(34, 6), 1) for _ in range(240)] + [999.0] * 6 + [-1.0] * 4
df = pd.DataFrame({"minutes": times})
print("rows:", len(df))
print("mean:", round(df["minutes"].mean(), 2))
print("max:", df["minutes"].max())
''', '''
df = df[df["minutes"] < 900]
print("rows:", len(df))
print("mean:", round(df["minutes"].mean(), 2))
print("max:", df["minutes"].max())
''', '''
df = df[df["minutes"] > 0]
print("rows:", len(df))
print("mean:", round(df["minutes"].mean(), 2))
print("median:", df["minutes"].median())
print("min:", df["minutes"].min(), "max:", df["minutes"].max())
'''],
    "answers": [
        ("plain", "After cleaning, 240 deliveries remain, with a mean of 33.68 minutes.", [
            ("stale value", "a mean of 33.68 minutes", "a mean of 56.3 minutes", "56.3"),
            ("stale value", "a mean of 33.68 minutes", "a mean of 33.11 minutes", "33.11"),
            ("stale value", "240 deliveries", "244 deliveries"),
            ("digit", "33.68", "36.38")]),
        ("plain", "On average a delivery takes 33.68 minutes; the median is 34.0.", [
            ("wrong statistic", "On average a delivery takes 33.68 minutes; the median is 34.0", "On average a delivery takes 34.0 minutes; the median is 33.68", ["34.0", "33.68"]),
            ("stale value", "takes 33.68 minutes", "takes 56.3 minutes", "56.3")]),
        ("derived", "I removed 10 of the 250 rows (4 %), which brought the mean down from 56.3 to 33.68 minutes.", [
            ("miscomputed derivation", "10 of the 250", "16 of the 250", "16"),
            ("sign or direction", "brought the mean down from 56.3 to 33.68", "brought the mean down from 33.68 to 56.3", ["33.68", "56.3"])]),
        ("inequalities", "Deliveries take between 9.3 and 48.9 minutes.", [
            ("stale value", "between 9.3 and 48.9", "between 9.3 and 999.0", "999.0"),
            ("digit", "48.9", "49.8")]),
        ("derived", "Before cleaning the mean was 56.3 minutes, 22.62 minutes too high.", [
            ("miscomputed derivation", "22.62", "26.22")]),
        ("German", "Nach der Bereinigung bleiben 240 Zeilen, der Mittelwert beträgt 33,68 Minuten.", [
            ("stale value", "33,68", "56,3"),
            ("stale value", "240 Zeilen", "250 Zeilen")]),
    ],
}
