{
    "domain": "Stromverbrauch",
    "question": "Hier sind meine Zählerstände vom Monatsende und die Erträge der PV-Anlage. Wie viel Strom habe ich 2024 verbraucht, wie hoch war die Eigenverbrauchsquote, und lohnt sich der dynamische Tarif?",
    "cells": [r"""
import calendar
stand = [18234.6, 18571.2, 18866.9, 19098.4, 19251.7, 19362.0, 19449.8, 19541.3, 19648.5, 19822.9, 20090.2, 20421.8, 20803.1]
bezug = [round(b - a, 1) for a, b in zip(stand, stand[1:])]
pv = [98.2, 176.5, 412.8, 588.1, 702.4, 741.9, 768.3, 659.7, 471.0, 263.6, 112.4, 71.1]
einsp = [11.4, 40.2, 171.9, 301.5, 402.8, 447.2, 470.6, 371.1, 214.3, 78.8, 14.9, 5.3]
for m in range(12):
    print(f"{m + 1:02d} Bezug {bezug[m]:6.1f}  PV {pv[m]:6.1f}  Einspeisung {einsp[m]:6.1f}")
""", r"""
B, P, E = sum(bezug), sum(pv), sum(einsp)
eigen = P - E
verbrauch = B + eigen
print(f"Bezug {B:.1f} kWh, PV {P:.1f} kWh, Einspeisung {E:.1f} kWh")
print(f"Eigenverbrauch {eigen:.1f} kWh, Gesamtverbrauch {verbrauch:.1f} kWh")
print(f"Eigenverbrauchsquote {eigen / P:.1%}, Autarkiegrad {eigen / verbrauch:.1%}")
""", r"""
fix = 0.3412
dyn = [0.298, 0.287, 0.271, 0.262, 0.259, 0.266, 0.272, 0.281, 0.284, 0.301, 0.318, 0.323]
kosten_fix = sum(b * fix for b in bezug) + 12 * 11.90
kosten_dyn = sum(b * d for b, d in zip(bezug, dyn)) + 12 * 17.50
verguetung = E * 0.0811
print(dict(fix=round(kosten_fix, 2), dynamisch=round(kosten_dyn, 2), differenz=round(kosten_fix - kosten_dyn, 2), verguetung=round(verguetung, 2)))
"""],
    "answers": [
        ("German", "Du hast 2024 insgesamt 5.104,5 kWh verbraucht: 2.568,5 kWh aus dem Netz und 2.536,0 kWh direkt vom Dach. Die Eigenverbrauchsquote lag bei 50,1 %, der Autarkiegrad bei 49,7 %.", [
            ("digit", "5.104,5", "5.140,5"),
            ("swapped entity", "50,1 %, der Autarkiegrad bei 49,7 %", "49,7 %, der Autarkiegrad bei 50,1 %", ["49,7 %", "50,1 %"]),
            ("wrong column", "2.536,0", "2.530,0"),
        ]),
        ("German", "Der dynamische Tarif hätte dich 963,60 € gekostet, der Festpreis 1.019,17 €. Die Ersparnis von 55,57 € im Jahr (rund 5,5 %) ist überschaubar, das sind etwa 4,63 € pro Monat.", [
            ("miscomputed derivation", "5,5 %", "6,5 %"),
            ("miscomputed derivation", "4,63 €", "5,63 €"),
            ("sign or direction", "963,60 € gekostet, der Festpreis 1.019,17 €", "1.019,17 € gekostet, der Festpreis 963,60 €", ["1.019,17", "963,60"]),
        ]),
        ("German", "Am meisten Netzstrom hast du im Dezember bezogen (381,3 kWh), am wenigsten im Juni mit 87,8 kWh; im Dezember war es also gut viermal so viel. Die Anlage brachte im Juli mit 768,3 kWh den besten Ertrag.", [
            ("swapped entity", "381,3 kWh", "336,6 kWh", "336,6"),
            ("wrong column", "87,8 kWh", "741,9 kWh", "741,9"),
            ("digit", "768,3", "786,3"),
        ]),
        ("German", "Für die eingespeisten 2.530 kWh gab es 205,18 € Vergütung. Zieht man die ab, bleiben beim Festpreistarif 813,99 € Stromkosten und beim dynamischen 758,42 €.", [
            ("miscomputed derivation", "813,99", "831,99"),
            ("scale", "205,18 €", "2.051,80 €", "2.051,80"),
            ("digit", "758,42", "788,42"),
        ]),
        ("German", "- Netzbezug: 2.568,5 kWh (im Schnitt 214 kWh pro Monat)\n- PV-Ertrag: 5.066,0 kWh\n- Einspeisung: 2.530,0 kWh\n- Eigenverbrauch: 2.536,0 kWh\n- Mehrkosten der Grundgebühr beim dynamischen Tarif: 67,20 € im Jahr", [
            ("digit", "5.066,0", "5.606,0"),
            ("miscomputed derivation", "214 kWh", "241 kWh", "241"),
            ("miscomputed derivation", "67,20 €", "210,00 €", "210,00"),
        ]),
        ("German", "Rund die Hälfte des Solarstroms ging ins Netz. In den drei Sommermonaten Juni bis August hat die Anlage 2.169,9 kWh geliefert, also etwa 43 % des Jahresertrags.", [
            ("miscomputed derivation", "2.169,9", "2.212,6"),
            ("miscomputed derivation", "43 %", "34 %"),
        ]),
        ("German", "Ja, der dynamische Tarif lohnt sich knapp: über 50 € weniger im Jahr, obwohl die Grundgebühr mit 17,50 € im Monat um 5,60 € höher liegt als die 11,90 € beim Fixtarif. Dein Festpreis beträgt 34,12 Cent pro kWh, dynamisch zahlst du im Mittel nur 29,3 Cent.", [
            ("miscomputed derivation", "5,60 €", "6,60 €", "6,60"),
            ("digit", "34,12 Cent", "31,42 Cent", "31,42"),
            ("miscomputed derivation", "29,3 Cent", "27,3 Cent", "27,3"),
            ("digit", "über 50 € weniger", "über 70 € weniger", "70"),
        ]),
    ],
}
