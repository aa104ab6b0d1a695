{
    "domain": "household budget",
    "question": "Wofür haben wir im letzten Quartal Geld ausgegeben?",
    "cells": ['''
import pandas as pd

ausgaben = pd.DataFrame({
    "Posten": ["Miete", "Lebensmittel", "Strom", "Auto", "Freizeit"],
    "Januar": [1250.0, 612.35, 98.2, 241.9, 310.0],
    "Februar": [1250.0, 587.9, 104.75, 198.4, 275.5],
    "März": [1250.0, 655.15, 91.3, 522.6, 341.25],
}).set_index("Posten")
ausgaben["Summe"] = ausgaben.sum(axis=1)
print(ausgaben)
''', '''
print("Gesamt:", round(ausgaben["Summe"].sum(), 2))
print("je Monat:", ausgaben[["Januar", "Februar", "März"]].sum().round(2).to_dict())
print("Anteil der Miete:", round(ausgaben.loc["Miete", "Summe"] / ausgaben["Summe"].sum() * 100, 1), "%")
'''],
    "answers": [
        ("German", "Insgesamt wurden 7.789,30 € ausgegeben, davon 48,1 % für die Miete.", [
            ("digit", "7.789,30", "7.798,30"),
            ("scale", "7.789,30", "77.893,00"),
            ("swapped entity", "für die Miete", "für Lebensmittel", "48,1 %")]),
        ("German", "Der teuerste Monat war der März mit 2.860,30 €, der günstigste der Februar mit 2.416,55 €.", [
            ("swapped entity", "der März mit 2.860,30 €, der günstigste der Februar mit 2.416,55 €", "der Februar mit 2.860,30 €, der günstigste der März mit 2.416,55 €", ["2.860,30", "2.416,55"]),
            ("digit", "2.416,55", "2.461,55")]),
        ("German", "Im März kostete das Auto 522,60 €, 324,20 € mehr als im Februar.", [
            ("miscomputed derivation", "324,20", "342,20"),
            ("sign or direction", "324,20 € mehr als", "324,20 € weniger als", "324,20"),
            ("swapped entity", "Im März kostete das Auto", "Im März kostete die Freizeit", "522,60")]),
        ("German", "Für Lebensmittel gaben Sie im Schnitt 618,47 € pro Monat aus.", [
            ("miscomputed derivation", "618,47", "681,47")]),
        ("German", "Strom: 294,25 € im Quartal.", [
            ("swapped entity", "Strom: 294,25 €", "Strom: 926,75 €", "926,75"),
            ("digit", "294,25", "249,25")]),
        ("German", "Knapp die Hälfte der Ausgaben entfällt auf die Miete, rund ein Viertel auf Lebensmittel (23,8 %).", [
            ("miscomputed derivation", "23,8 %", "28,3 %")]),
    ],
}
