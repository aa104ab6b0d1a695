{
    "domain": "nursing ward",
    "question": "Hi, I work on a geriatric/internal ward and typed in 12 patients (systolic BP at admission and day 3, heart rate, pain score). Did the BP come down? Who is still at 140 or above?",
    "cells": [
r'''import pandas as pd
from io import StringIO

data = """patient,age,sys_adm,sys_day3,hr_adm,pain_adm,pain_day3
A,71,164,138,92,7,3
B,58,151,142,88,5,2
C,83,172,149,101,8,4
D,66,138,133,76,4,1
E,79,181,151,97,6,3
F,45,129,126,84,9,4
G,74,158,160,90,5,5
H,62,147,131,79,6,2
I,88,169,144,104,7,3
J,53,140,135,81,3,1
K,69,155,139,87,6,2
L,77,176,157,95,8,3
"""
df = pd.read_csv(StringIO(data))
df.describe().round(2)''',
r"""df["drop"] = df["sys_adm"] - df["sys_day3"]
print("mean drop:", round(df["drop"].mean(), 2), "mmHg, median:", df["drop"].median())
print("improved:", (df["drop"] > 0).sum(), "of", len(df))
print("largest drop:", df.loc[df["drop"].idxmax(), ["patient", "drop"]].tolist())
print("still >= 140 on day 3:", df.loc[df["sys_day3"] >= 140, "patient"].tolist())
print("corr(age, sys_adm) =", round(df["age"].corr(df["sys_adm"]), 3))"""],
    "answers": [
        ("plain", "Yes. Mean systolic pressure fell from 156.67 mmHg at admission to 142.08 mmHg on day 3, an average drop of 14.58 mmHg (median 16).", [
            ("sign or direction", "pressure fell from 156.67 mmHg at admission to 142.08 mmHg", "pressure rose from 142.08 mmHg at admission to 156.67 mmHg", ["142.08", "156.67"]),
            ("digit", "(median 16)", "(median 19)", "19"),
            ("invented", "(median 16)", "(median 16; p = 0.03)", "0.03"),
            ("digit", "average drop of 14.58", "average drop of 14.85", "14.85"),
        ]),
        ("counted", "Blood pressure improved in 11 of the 12 patients. Six of them – B, C, E, G, I and L – are still at 140 mmHg or more, compared with ten at admission.", [
            ("digit", "in 11 of the 12", "in 10 of the 12", "10 of"),
            ("number of something else", "140 mmHg or more", "150 mmHg or more", "150"),
        ]),
        ("summary of an analysis", "- Largest fall: patient E, 30 mmHg (181 → 151)\n- Only patient G got worse (158 → 160)\n- Pain went from 6.17 to 2.75 on average\n- Older patients came in with higher pressure (r = 0.874)", [
            ("swapped entity", "(181 → 151)", "(176 → 157)", ["176", "157"]),
            ("digit", "r = 0.874", "r = 0.784", "0.784"),
            ("wrong statistic", "6.17 to 2.75", "6.17 to 3.25", "3.25"),
        ]),
        ("percent", "The average systolic value came down by about 9.3 %, and the pain score more than halved: it dropped 3.4 points, i.e. 55 %.", [
            ("miscomputed derivation", "about 9.3 %", "about 14.6 %", "14.6 %"),
            ("miscomputed derivation", "i.e. 55 %", "i.e. 45 %", "45 %"),
        ]),
        ("plain", "The patients are 68.75 years old on average (range 45–88), and the median heart rate at admission was 89 bpm with a maximum of 104.", [
            ("wrong statistic", "median heart rate at admission was 89 bpm", "median heart rate at admission was 95.5 bpm", "95.5"),
            ("swapped entity", "68.75 years", "89.5 years", "89.5"),
            ("digit", "45–88", "45–83", "83"),
        ]),
        ("constants of a method", "Half of the admission values lie between 145.25 and 169.75 mmHg, so the interquartile range (25th to 75th percentile) is 24.5 mmHg; on day 3 it is only 15.", [
            ("miscomputed derivation", "is 24.5 mmHg", "is 25.4 mmHg", "25.4"),
            ("wrong column", "145.25 and", "134.50 and", "134.50"),
        ]),
        ("small integers", "Two patients had a heart rate above 100 at admission (C with 101 and I with 104), five came in with a systolic value of 160 or more, and nine of the twelve had a pain score of 3 or less on day 3.", [
            ("swapped entity", "C with 101", "C with 97", "97"),
            ("digit", "I with 104", "I with 140", "140"),
        ]),
    ],
}
