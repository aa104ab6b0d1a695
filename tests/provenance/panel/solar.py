{
    "domain": "Photovoltaik",
    "question": "Wie viel hat meine Solaranlage (9,8 kWp) im letzten Jahr gebracht, und wie hoch war der Eigenverbrauch? Strom kostet mich 34 Cent, Einspeisung 8,2 Cent.",
    "cells": [
r"""
import pandas as pd
df = pd.DataFrame({
    "monat": ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"],
    "ertrag": [214, 388, 802, 1103, 1287, 1341, 1318, 1166, 847, 519, 248, 171],
    "einspeisung": [62, 171, 468, 742, 901, 968, 940, 795, 521, 258, 84, 43],
    "netzbezug": [402, 331, 228, 146, 118, 97, 104, 121, 173, 262, 358, 417]})
df["eigen"] = df.ertrag - df.einspeisung
df["verbrauch"] = df.eigen + df.netzbezug
df["autarkie"] = (100 * df.eigen / df.verbrauch).round(1)
print(df.to_string(index=False))
s = df[["ertrag", "einspeisung", "netzbezug", "eigen", "verbrauch"]].sum()
print(s)
print(f"Eigenverbrauchsquote {100 * s.eigen / s.ertrag:.1f} %, Autarkie {100 * s.eigen / s.verbrauch:.1f} %")
print(f"spezifischer Ertrag {s.ertrag / 9.8:.1f} kWh/kWp")
print(f"Ersparnis {s.eigen * 0.34:.2f} EUR, Vergütung {s.einspeisung * 0.082:.2f} EUR")
"""],
    "answers": [
        ("German", "Die Anlage hat 9.404 kWh erzeugt, davon wurden 5.953 kWh eingespeist und 3.451 kWh selbst verbraucht.", [
            ("swapped entity", "5.953 kWh eingespeist und 3.451 kWh selbst", "3.451 kWh eingespeist und 5.953 kWh selbst", ["3.451", "5.953"]),
            ("digit", "9.404", "9.044"),
        ]),
        ("German", "Die Eigenverbrauchsquote lag bei 36,7 %, der Autarkiegrad bei 55,6 %.", [
            ("number of something else", "36,7 %", "63,3 %"),
            ("rounding", "36,7 %", "36,6 %"),
            ("swapped entity", "36,7 %, der Autarkiegrad bei 55,6 %", "55,6 %, der Autarkiegrad bei 36,7 %", ["55,6 %", "36,7 %"]),
        ]),
        ("German", "Unterm Strich bringt das 1.661,49 € im Jahr: 1.173,34 € gesparter Netzstrom plus 488,15 € Vergütung.", [
            ("miscomputed derivation", "1.661,49", "1.616,49"),
            ("digit", "488,15", "448,15"),
        ]),
        ("German", "Bester Monat war der Juni mit 1.341 kWh, fast das Achtfache vom Dezember (171 kWh).", [
            ("swapped entity", "1.341", "1.318"),
            ("wrong column", "171 kWh", "417 kWh", "417"),
        ]),
        ("German", "Pro kWp sind das knapp 960 kWh.", [
            ("digit", "960", "690"),
            ("invented", "960 kWh.", "960 kWh, 7 % mehr als im Bundesschnitt.", "7 %"),
            ("scale", "960", "9.600"),
        ]),
        ("German", "Aus dem Netz kamen trotzdem noch 2.757 kWh, gut 44 % des Verbrauchs von 6.208 kWh.", [
            ("number of something else", "44 %", "56 %"),
            ("wrong column", "6.208", "9.404"),
        ]),
        ("German", "Von Mai bis Juli kamen 3.946 kWh zusammen, also rund 42 % des Jahresertrags.", [
            ("miscomputed derivation", "3.946", "3.496"),
            ("miscomputed derivation", "42 %", "24 %"),
        ]),
    ],
}
