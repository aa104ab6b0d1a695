{
    "domain": "Messreihe Zugversuch",
    "question": "Ich habe zwei Chargen Stahlproben zerrissen (Zugfestigkeit in MPa). Unterscheiden sich die Chargen und gibt es Ausreißer? Grenzwert ist 510 MPa.",
    "cells": [r"""
import statistics as st

charge = {
    "A": [538.2, 541.7, 529.9, 545.3, 536.8, 533.1, 540.0, 548.6, 531.4, 537.5, 484.2, 543.9],
    "B": [521.6, 515.3, 527.8, 519.9, 509.2, 524.4, 518.7, 530.1, 512.5, 522.0, 517.6, 525.5],
}
for k, w in charge.items():
    q = st.quantiles(w, n=4)
    print(k, "n =", len(w), "Mittel =", round(st.mean(w), 2), "s =", round(st.stdev(w), 2), "Median =", round(st.median(w), 2),
          "min/max =", min(w), max(w), "Quartile =", [round(x, 2) for x in q])
""", r"""
for k, w in charge.items():
    q1, _, q3 = st.quantiles(w, n=4)
    iqr = q3 - q1
    lo, hi = q1 - 1.5 * iqr, q3 + 1.5 * iqr
    print(k, "IQR", round(iqr, 2), "Zaun", round(lo, 2), round(hi, 2), "Ausreisser", [x for x in w if not lo <= x <= hi],
          "unter 510:", sum(x < 510 for x in w))
""", r"""
import math
a = [x for x in charge["A"] if x != 484.2]
b = charge["B"]
ma, mb, sa, sb = st.mean(a), st.mean(b), st.stdev(a), st.stdev(b)
se = math.sqrt(sa**2 / len(a) + sb**2 / len(b))
t = (ma - mb) / se
df = se**4 / ((sa**2 / len(a))**2 / (len(a) - 1) + (sb**2 / len(b))**2 / (len(b) - 1))
print(f"A bereinigt: n = {len(a)}, Mittel = {ma:.2f}, s = {sa:.2f}")
print(f"Differenz = {ma - mb:.2f} MPa, SE = {se:.3f}, t = {t:.2f}, df = {df:.1f}")
print(f"Variationskoeffizient A {sa / ma:.2%}, B {sb / mb:.2%}")
"""],
    "answers": [
        ("German", "Charge A enthält einen Ausreißer: 484,2 MPa liegt unter dem unteren Zaun von 514,54 MPa (1,5 × IQR). Ohne diesen Wert beträgt der Mittelwert von A 538,76 MPa bei einer Standardabweichung von 5,89 MPa.", [
            ("stale value", "538,76", "534,22"),
            ("stale value", "5,89", "16,72"),
            ("swapped entity", "514,54", "501,85"),
            ("digit", "484,2", "448,2"),
        ]),
        ("German", "Die Chargen unterscheiden sich deutlich: A ist nach der Bereinigung im Mittel um 18,38 MPa fester als B (t = 7,31 bei rund 21 Freiheitsgraden).", [
            ("stale value", "18,38", "13,84"),
            ("digit", "7,31", "3,71"),
            ("digit", "rund 21", "rund 23", "23"),
        ]),
        ("German", "In jeder Charge liegt genau 1 von 12 Proben unter dem Grenzwert von 510 MPa; bei B ist das mit 509,2 MPa aber nur um 0,8 MPa der Fall, bei A um 25,8 MPa.", [
            ("miscomputed derivation", "0,8 MPa", "1,8 MPa", "1,8"),
            ("miscomputed derivation", "25,8", "35,8"),
            ("digit", "1 von 12", "1 von 15", "15"),
        ]),
        ("German", "Der Median von A (537,85 MPa) liegt 17,1 MPa über dem von B (520,75 MPa). Die Streuung ist nach Entfernen des Ausreißers fast gleich: Variationskoeffizient 1,09 % gegenüber 1,19 %.", [
            ("wrong statistic", "537,85", "534,22"),
            ("miscomputed derivation", "17,1 MPa", "18,1 MPa", "18,1"),
            ("swapped entity", "1,09 % gegenüber 1,19 %", "1,19 % gegenüber 1,09 %", ["1,19 %", "1,09 %"]),
        ]),
        ("German", "| | A (alle) | A (bereinigt) | B |\n|---|---|---|---|\n| n | 12 | 11 | 12 |\n| Mittelwert | 534,22 | 538,76 | 520,38 |\n| Standardabweichung | 16,72 | 5,89 | 6,18 |", [
            ("digit", "520,38", "523,08"),
            ("digit", "6,18", "8,16"),
            ("digit", "534,22", "534,32"),
        ]),
        ("German", "Ein einziger Messwert verzerrt hier alles: Er drückt das Mittel von A um 4,5 MPa und macht die Standardabweichung fast dreimal so groß. Charge B reicht von 509,2 bis 530,1 MPa, Spannweite also 20,9 MPa.", [
            ("miscomputed derivation", "4,5 MPa", "5,4 MPa", "5,4"),
            ("miscomputed derivation", "20,9", "64,4"),
            ("swapped entity", "530,1", "548,6"),
        ]),
        ("German", "Insgesamt haben 2 der 24 Proben den Grenzwert verfehlt, also gut 8 %. Der Standardfehler der Differenz beträgt 2,516 MPa, und B liegt im Mittel nur 10,4 MPa über der Grenze.", [
            ("miscomputed derivation", "gut 8 %", "gut 12 %", "12 %"),
            ("digit", "2,516", "2,156"),
            ("miscomputed derivation", "10,4 MPa", "28,8 MPa", "28,8"),
        ]),
    ],
}
