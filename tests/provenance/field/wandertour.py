{
    "domain": 'travel',
    "question": 'Wir planen eine Hüttentour in 4 Tagen. Wie lang ist sie, wie viele Höhenmeter, und wie lange gehen wir nach DIN-Formel?',
    "cells": [
r"""etappen = {"Di": (12.4, 1120, 310), "Mi": (9.8, 640, 890), "Do": (15.1, 870, 1040), "Fr": (11.3, 180, 1270)}
def gehzeit(km, auf, ab):
    h = km / 4
    v = auf / 300 + ab / 500
    return max(h, v) + min(h, v) / 2
zeiten = {}
for tag, (km, auf, ab) in etappen.items():
    zeiten[tag] = gehzeit(km, auf, ab)
    t = zeiten[tag]
    print(f"{tag}: {km} km, +{auf} m, -{ab} m, {int(t)} h {round(t % 1 * 60)} min")
""",
r"""km = sum(e[0] for e in etappen.values())
auf = sum(e[1] for e in etappen.values())
ab = sum(e[2] for e in etappen.values())
ges = sum(zeiten.values())
print(round(km, 1), auf, ab, round(ges, 1), round(ges / 4, 2))
preise = {"Hütte 1": 58.0, "Hütte 2": 64.5, "Hütte 3": 61.0}
bus, n = 14.8, 3
pro_kopf = sum(preise.values()) + bus
print("pro Kopf", pro_kopf, "Gruppe", n * pro_kopf)
start = 1040
h = start
for tag, (k, a, b) in etappen.items():
    h += a - b
    print(tag, "Ziel auf", h, "m")
""",
    ],
    "answers": [
        ('German', 'Insgesamt sind es 48,6 km mit 2.810 Höhenmetern im Aufstieg und 3.510 im Abstieg.', [
            ('swapped entity', '2.810 Höhenmetern im Aufstieg und 3.510', '3.510 Höhenmetern im Aufstieg und 2.810', ['3.510', '2.810']),
            ('digit', '48,6 km', '46,8 km', '46,8'),
            ('scale', '2.810', '281'),
        ]),
        ('German', 'Reine Gehzeit nach DIN: 22,5 Stunden, im Schnitt gut fünfeinhalb Stunden am Tag. Pausen kommen noch dazu.', [
            ('miscomputed derivation', '22,5 Stunden', '25,2 Stunden', '25,2'),
            ('miscomputed derivation', 'fünfeinhalb Stunden', '7,5 Stunden', '7,5'),
        ]),
        ('German', 'Der Donnerstag wird hart: 15,1 km und fast 7 Stunden. Am Freitag seid ihr dagegen schon nach 4 h 33 min unten.', [
            ('swapped entity', '15,1 km', '12,4 km', '12,4'),
            ('miscomputed derivation', '7 Stunden', '6 Stunden', '6'),
            ('swapped entity', '33 min', '54 min', '54'),
        ]),
        ('German', 'Pro Kopf kostet das 198,30 €, zu dritt 594,90 €. Ohne den Bus wären es 183,50 € für die drei Hütten.', [
            ('miscomputed derivation', '594,90 €', '793,20 €', '793,20'),
            ('miscomputed derivation', '183,50 €', '168,70 €', '168,70'),
            ('digit', '198,30 €', '189,30 €', '189,30'),
        ]),
        ('German', 'Ihr startet auf 1.040 m und kommt auf 340 m an, also 700 m tiefer. Die höchste Unterkunft ist die vom Dienstag auf 1.850 m.', [
            ('sign or direction', '700 m tiefer', '700 m höher', '700'),
            ('swapped entity', '1.850 m', '1.600 m', '1.600'),
            ('miscomputed derivation', '700 m', '810 m', '810'),
            ('digit', '1.040 m', '1.400 m', '1.400'),
        ]),
        ('German', '- Di: 12,4 km, 1.120 m rauf, 5 h 54\n- Mi: 9,8 km, 640 m rauf, 5 h 8\n- Do: 15,1 km, 870 m rauf, 6 h 52\n- Fr: 11,3 km, nur 180 m rauf, aber 1.270 m runter', [
            ('wrong column', '640 m', '890 m', '890'),
            ('digit', '870 m', '780 m', '780'),
            ('swapped entity', '1.270 m', '1.040 m', '1.040'),
            ('digit', '1.120 m', '1.210 m', '1.210'),
        ]),
    ],
}
