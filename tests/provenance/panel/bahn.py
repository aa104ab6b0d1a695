{
    "domain": "Zugverspätungen",
    "question": "Wie pünktlich waren die Züge am Bahnhof in KW 12? Pünktlich heißt unter 6 Minuten Verspätung.",
    "cells": [
r"""
import numpy as np, pandas as pd
rng = np.random.default_rng(612)
linien = {"ICE": (84, 9.0), "IC": (46, 7.5), "RE": (168, 3.6), "RB": (140, 2.4), "S": (312, 1.7)}
df = pd.DataFrame([(l, int(rng.exponential(m))) for l, (n, m) in linien.items() for _ in range(n)], columns=["linie", "min"])
df["ausfall"] = rng.random(len(df)) < 0.03
fahrt = df[~df.ausfall]
t = fahrt.groupby("linie")["min"].agg(zuege="size", mittel="mean", median="median", max="max")
t["puenktlich"] = fahrt[fahrt["min"] < 6].groupby("linie").size()
t["quote"] = (100 * t.puenktlich / t.zuege).round(1)
print(t.round(2))
print("Ausfälle:", df.ausfall.sum(), "von", len(df))
print("gesamt:", t.puenktlich.sum(), "von", t.zuege.sum(), f"= {100 * t.puenktlich.sum() / t.zuege.sum():.1f} %")
print("Verspätungsminuten:", fahrt["min"].sum(), "davon ICE:", fahrt[fahrt.linie == "ICE"]["min"].sum())
"""],
    "answers": [
        ("German", "Insgesamt waren 84,1 % der Züge pünktlich (622 von 740).", [
            ("digit", "84,1 %", "81,4 %"),
            ("number of something else", "740", "750"),
        ]),
        ("German", "Am schlechtesten schnitt der ICE ab: nur 53,6 % pünktlich, im Mittel 9,0 Minuten zu spät.", [
            ("swapped entity", "53,6 %", "56,5 %"),
            ("wrong statistic", "9,0", "5,0"),
        ]),
        ("German", "Spitzenreiter ist die S-Bahn mit 96,4 %, dahinter die RB mit 90,5 %.", [
            ("swapped entity", "96,4 %, dahinter die RB mit 90,5 %", "90,5 %, dahinter die RB mit 96,4 %", ["90,5 %", "96,4 %"]),
            ("digit", "96,4 %", "94,6 %"),
        ]),
        ("German", "10 von 750 Fahrten fielen aus, das sind 1,3 %.", [
            ("scale", "1,3 %", "13 %"),
            ("question number given as result", "10 von", "12 von"),
        ]),
        ("German", "Fast ein Drittel der 2.323 Verspätungsminuten geht auf den ICE zurück (755), obwohl er nur gut 11 % der Fahrten stellt.", [
            ("digit", "755", "575"),
            ("miscomputed derivation", "11 %", "21 %"),
        ]),
        ("German", "118 Züge waren unpünktlich, darunter 39 ICE und 35 RE.", [
            ("miscomputed derivation", "118", "128"),
            ("number of something else", "39 ICE", "45 ICE", "45"),
        ]),
        ("German", "Die größte Verspätung hatte ein ICE mit 47 Minuten; beim RE waren es höchstens 16.", [
            ("digit", "47", "74"),
            ("swapped entity", "16", "39"),
        ]),
    ],
}
