{
    "domain": "Controlling",
    "question": "Plan-Ist-Vergleich der Kostenstellen (TEUR) für das Geschäftsjahr, bitte mit Vorjahr. Wo laufen uns die Kosten davon? Achtung: 38,5 TEUR Lizenzen wurden falsch auf IT gebucht und gehören zur Entwicklung.",
    "cells": [
r"""import pandas as pd
pd.options.display.float_format = "{:,.1f}".format
df = pd.DataFrame({
    "Kostenstelle": ["Fertigung", "Logistik", "Vertrieb", "Verwaltung", "IT", "Entwicklung"],
    "Plan": [1840.0, 620.0, 935.0, 410.0, 285.0, 760.0],
    "Ist": [1926.5, 588.4, 1012.3, 397.8, 341.2, 748.6],
    "Vorjahr": [1788.2, 601.5, 884.0, 402.1, 262.7, 695.4],
})   # TEUR
df["Abw"] = df["Ist"] - df["Plan"]
df["Abw_%"] = df["Abw"] / df["Plan"] * 100
df["ggVj_%"] = (df["Ist"] / df["Vorjahr"] - 1) * 100
print(df.to_string(index=False))""",
r"""s = df[["Plan", "Ist", "Vorjahr"]].sum()
print(s)
print(f"Abweichung gesamt: {s['Ist'] - s['Plan']:.1f} TEUR ({(s['Ist'] / s['Plan'] - 1) * 100:.2f} %)")
print(f"gegen Vorjahr: {(s['Ist'] / s['Vorjahr'] - 1) * 100:.2f} %")""",
r"""# Nachbuchung: Lizenzkosten 38,5 TEUR gehören in die Entwicklung, nicht in die IT
df.loc[df.Kostenstelle == "IT", "Ist"] -= 38.5
df.loc[df.Kostenstelle == "Entwicklung", "Ist"] += 38.5
df["Abw"] = df["Ist"] - df["Plan"]
df["Abw_%"] = df["Abw"] / df["Plan"] * 100
df.loc[df.Kostenstelle.isin(["IT", "Entwicklung"]), ["Kostenstelle", "Plan", "Ist", "Abw", "Abw_%"]]"""],
    "answers": [
        ("German", "Die Ist-Kosten liegen mit 5.014,8 TEUR um 164,8 TEUR bzw. 3,40 % über Plan und um 8,22 % über dem Vorjahr.", [
            ("sign or direction", "bzw. 3,40 % über Plan", "bzw. 3,40 % unter Plan", ["3,40 %", "164,8"]),
            ("digit", "5.014,8 TEUR", "5.041,8 TEUR", "5.041,8"),
            ("swapped entity", "um 8,22 % über dem Vorjahr", "um 4,66 % über dem Vorjahr", "4,66 %"),
        ]),
        ("German", "Nach der Umbuchung überschreitet die IT ihren Plan nur noch um 17,7 TEUR (6,2 %), die Entwicklung dagegen um 27,1 TEUR (3,6 %).", [
            ("stale value", "17,7 TEUR (6,2 %)", "56,2 TEUR (19,7 %)", ["56,2", "19,7 %"]),
            ("digit", "um 27,1 TEUR (3,6 %)", "um 28,1 TEUR (3,6 %)", "28,1"),
        ]),
        ("German", "Die größten Überschreitungen entfallen auf die Fertigung mit 86,5 TEUR und den Vertrieb mit 77,3 TEUR; zusammen sind das 163,8 TEUR. Unter Plan blieben die Logistik (−31,6 TEUR) und die Verwaltung (−12,2 TEUR).", [
            ("miscomputed derivation", "163,8 TEUR", "173,8 TEUR", "173,8"),
            ("swapped entity", "die Logistik (−31,6 TEUR)", "die Logistik (−11,4 TEUR)", "11,4"),
            ("digit", "77,3 TEUR", "73,7 TEUR", "73,7"),
        ]),
        ("German", "Der Vertrieb kostete 14,5 % mehr als im Vorjahr: gut 1,01 Mio. Euro nach 884 TEUR.", [
            ("wrong column", "14,5 % mehr", "8,3 % mehr", "8,3 %"),
            ("scale", "gut 1,01 Mio. Euro", "gut 10,1 Mio. Euro", "10,1"),
        ]),
        ("German", "| Kostenstelle | Plan | Ist | Abweichung |\n|---|---|---|---|\n| Fertigung | 1.840,0 | 1.926,5 | +4,7 % |\n| Logistik | 620,0 | 588,4 | −5,1 % |\n| Vertrieb | 935,0 | 1.012,3 | +8,3 % |\n| Verwaltung | 410,0 | 397,8 | −3,0 % |\n| IT (korrigiert) | 285,0 | 302,7 | +6,2 % |\n| Entwicklung (korrigiert) | 760,0 | 787,1 | +3,6 % |", [
            ("stale value", "| 302,7 |", "| 341,2 |", "341,2"),
            ("stale value", "| 787,1 |", "| 748,6 |", "748,6"),
            ("sign or direction", "−5,1 %", "+5,1 %", "5,1 %"),
            ("digit", "1.926,5", "1.962,5"),
        ]),
        ("German", "Vier der sechs Kostenstellen liegen nach der Korrektur über Plan, zwei darunter; am stärksten reißt der Vertrieb aus (+8,3 %). Auf die Fertigung allein entfallen rund 38 % der gesamten Kosten.", [
            ("miscomputed derivation", "rund 38 %", "rund 48 %", "48 %"),
            ("swapped entity", "(+8,3 %)", "(+4,7 %)", "4,7 %"),
        ]),
    ],
}
