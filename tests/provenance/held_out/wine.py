{
    "domain": "wine tasting",
    "question": "Was hat die Verkostung ergeben?",
    "cells": ['''
import pandas as pd

weine = pd.DataFrame({
    "Wein": ["Silvaner", "Riesling", "Grauburgunder", "Spätburgunder", "Dornfelder", "Lemberger"],
    "Jury A": [84, 91, 87, 89, 78, 85],
    "Jury B": [82, 93, 86, 90, 81, 83],
    "Jury C": [85, 89, 88, 86, 77, 88],
    "Alkohol": [12.0, 11.5, 13.0, 13.5, 12.5, 13.2],
    "Preis": [7.9, 11.5, 9.8, 14.9, 6.5, 10.4],
}).set_index("Wein")
weine["Mittel"] = weine[["Jury A", "Jury B", "Jury C"]].mean(axis=1).round(2)
weine["Punkte je Euro"] = (weine["Mittel"] / weine["Preis"]).round(2)
print(weine.sort_values("Mittel", ascending=False).to_string())
''', '''
print("Mittelwert aller Weine:", round(weine["Mittel"].mean(), 2))
print("Median:", round(weine["Mittel"].median(), 2))
print("Durchschnittspreis:", round(weine["Preis"].mean(), 2))
'''],
    "answers": [
        ("German", "Der Riesling liegt mit 91 Punkten im Mittel vorn, der Dornfelder ist mit 78,67 Letzter.", [
            ("swapped entity", "Der Riesling liegt mit 91 Punkten im Mittel vorn, der Dornfelder ist mit 78,67 Letzter", "Der Dornfelder liegt mit 91 Punkten im Mittel vorn, der Riesling ist mit 78,67 Letzter", ["91", "78,67"]),
            ("digit", "78,67", "76,87")]),
        ("German", "Am meisten fürs Geld bietet der Dornfelder: 12,10 Punkte je Euro bei einem Preis von 6,50 €.", [
            ("swapped entity", "der Dornfelder: 12,10 Punkte", "der Silvaner: 12,10 Punkte", "12,10"),
            ("wrong column", "12,10 Punkte je Euro", "12,5 Punkte je Euro", "12,5"),
            ("scale", "6,50 €", "65,0 €")]),
        ("German", "Der Mittelwert aller sechs Weine beträgt 85,67, der Median 86,16.", [
            ("wrong statistic", "Der Mittelwert aller sechs Weine beträgt 85,67, der Median 86,16", "Der Median aller sechs Weine beträgt 85,67, der Mittelwert 86,16", ["85,67", "86,16"]),
            ("invented", "85,67", "84,92")]),
        ("German", "Zwischen dem teuersten (14,90 €) und dem günstigsten Wein (6,50 €) liegen 8,40 €.", [
            ("miscomputed derivation", "8,40", "9,40")]),
        ("German", "Im Schnitt kostet eine Flasche 10,17 €.", [
            ("wrong statistic", "10,17", "9,80"),
            ("rounding", "10,17", "10,27")]),
        ("German", "Jury B gab dem Riesling 93 Punkte, Jury C nur 89.", [
            ("swapped entity", "Jury B gab dem Riesling 93 Punkte, Jury C nur 89", "Jury A gab dem Riesling 93 Punkte, Jury C nur 89", "93"),
            ("swapped entity", "dem Riesling 93", "dem Lemberger 93", ["93", "89"])]),
    ],
}
