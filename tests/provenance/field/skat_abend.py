{
    "domain": 'games',
    "question": 'Wir haben gestern Skat gespielt. Wer hat gewonnen, wie oft wurde verloren, und was muss jeder zahlen (1 Cent je Punkt Rückstand auf jeden Besseren)?',
    "cells": [
r"""spiele = [("Anke", 48, True), ("Bernd", 23, True), ("Anke", 60, False), ("Carsten", 72, True), ("Bernd", 46, False),
          ("Anke", 30, True), ("Carsten", 24, True), ("Carsten", 55, False), ("Bernd", 120, True), ("Anke", 59, True),
          ("Bernd", 40, True), ("Carsten", 27, True), ("Anke", 33, True), ("Bernd", 44, False), ("Carsten", 96, True),
          ("Anke", 22, True), ("Carsten", 36, False), ("Bernd", 50, True)]
stand = {"Anke": 0, "Bernd": 0, "Carsten": 0}
zahl = {k: [0, 0] for k in stand}
for name, wert, gew in spiele:
    stand[name] += wert if gew else -2 * wert
    zahl[name][0 if gew else 1] += 1
print(stand)
for k, (g, v) in zahl.items():
    print(k, "gewonnen", g, "verloren", v, "von", g + v)
""",
r"""print("Spiele", len(spiele), "verloren", sum(not s[2] for s in spiele), "hoechstes", max(s[1] for s in spiele if s[2]))
print("Durchschnitt gewonnene", sum(s[1] for s in spiele if s[2]) / sum(s[2] for s in spiele))
for k in stand:
    zahlt = sum(stand[j] - stand[k] for j in stand if stand[j] > stand[k])
    print(k, "zahlt", zahlt / 100)
""",
    ],
    "answers": [
        ('German', 'Anke hat mit 72 Punkten gewonnen, vor Bernd mit 53 und Carsten mit 37.', [
            ('swapped entity', 'Bernd mit 53 und Carsten mit 37', 'Bernd mit 37 und Carsten mit 53', ['37', '53']),
            ('digit', '72 Punkten', '27 Punkten', '27'),
            ('sign or direction', 'Carsten mit 37', 'Carsten mit -37', '-37'),
        ]),
        ('German', 'Carsten zahlt 51 Cent und Bernd 19, zusammen also 70 Cent in die Kasse.', [
            ('miscomputed derivation', '70 Cent', '80 Cent', '80'),
            ('miscomputed derivation', '51 Cent', '35 Cent', '35'),
            ('digit', 'Bernd 19', 'Bernd 91', '91'),
        ]),
        ('German', 'Von den 18 Spielen gingen 5 verloren, das sind knapp 28 %.', [
            ('number of something else', 'gingen 5 verloren', 'gingen 13 verloren', '13'),
            ('miscomputed derivation', '28 %', '38 %', '38'),
            ('number of something else', '18 Spielen', '16 Spielen', '16'),
        ]),
        ('German', 'Jeder war sechsmal Alleinspieler. Anke hat nur einmal verloren, die anderen je 2-mal.', [
            ('wrong column', 'je 2-mal', 'je 4-mal', '4'),
            ('miscomputed derivation', 'sechsmal', '9-mal', '9'),
        ]),
        ('German', 'Das teuerste gewonnene Spiel war Bernds mit 120 Punkten; im Schnitt brachte ein gewonnenes Spiel 49,5.', [
            ('swapped entity', '120 Punkten', '96 Punkten', '96'),
            ('digit', '49,5', '45,9'),
            ('invented', '49,5', '58,2'),
        ]),
        ('German', 'Bernd fehlten 19 Punkte auf Anke, Carsten 35.', [
            ('miscomputed derivation', 'Carsten 35', 'Carsten 16', '16'),
            ('miscomputed derivation', '19 Punkte', '29 Punkte', '29'),
            ('sign or direction', 'Bernd fehlten 19 Punkte auf Anke', 'Bernd lag 19 Punkte vor Anke', '19'),
        ]),
    ],
}
