{
    "domain": 'cooking',
    "question": 'Ich soll für den Basar Apfelkuchen vom Blech backen statt in der 26er Springform. Wie rechne ich um, und was kostet das Stück?',
    "cells": [
r"""import math
form = math.pi * 13 ** 2
blech = 38 * 30
faktor = blech / form
print(round(form, 1), blech, round(faktor, 3))
rezept = {"Mehl": 250, "Butter": 160, "Zucker": 140, "Äpfel": 900, "Eier": 3, "Sahne": 200}
neu = {z: m * faktor for z, m in rezept.items()}
for z, m in neu.items():
    print(f"{z:7s} {rezept[z]:>4} -> {m:.1f}")
""",
r"""preis = {"Mehl": 0.99 / 1000, "Butter": 2.29 / 250, "Zucker": 1.19 / 1000, "Äpfel": 1.80 / 1000, "Eier": 0.32, "Sahne": 1.09 / 200}
kosten = {z: round(neu[z] * preis[z], 2) for z in neu}
print(kosten)
summe = sum(kosten.values())
stuecke = 24
print("Summe", round(summe, 2), "je Stueck", round(summe / stuecke, 2))
verkauft, je = 21, 1.80
print("Einnahmen", round(verkauft * je, 2), "Gewinn", round(verkauft * je - summe, 2))
print("Stueckgroesse cm2", blech / stuecke)
""",
    ],
    "answers": [
        ('German', 'Das Blech ist gut doppelt so groß wie die Form: 1.140 statt 531 cm². Nimm also alles mal 2,15.', [
            ('digit', '2,15', '2,51'),
            ('digit', '531', '513'),
            ('scale', '1.140', '114'),
            ('invented', '2,15', '1,75'),
        ]),
        ('German', 'Du brauchst ca. 540 g Mehl, 345 g Butter, 300 g Zucker, 1,9 kg Äpfel, 6 Eier und 430 g Sahne.', [
            ('stale value', '345 g Butter', '160 g Butter', '160'),
            ('scale', '1,9 kg', '19 kg', '19'),
            ('stale value', '430 g Sahne', '200 g Sahne', '200'),
            ('miscomputed derivation', '6 Eier', '8 Eier', '8'),
        ]),
        ('German', 'Die Zutaten kosten 11,92 €, bei 24 Stücken sind das 50 Cent pro Stück.', [
            ('miscomputed derivation', '50 Cent', '57 Cent', '57'),
            ('digit', '11,92 €', '11,29 €', '11,29'),
            ('number of something else', '24 Stücken', '21 Stücken', '21'),
        ]),
        ('German', '21 verkaufte Stücke zu 1,80 € bringen 37,80 € ein, abzüglich Zutaten bleiben 25,88 € für die Kasse.', [
            ('miscomputed derivation', '25,88 €', '28,58 €', '28,58'),
            ('miscomputed derivation', '37,80 €', '43,20 €', '43,20'),
            ('wrong column', '25,88 €', '11,92 €', '11,92'),
        ]),
        ('German', 'Am teuersten sind die Äpfel (3,48 €) und die Butter (3,15 €), zusammen mehr als die Hälfte der Kosten, nämlich 6,63 €.', [
            ('swapped entity', '3,48 €', '2,34 €', '2,34'),
            ('miscomputed derivation', '6,63 €', '5,63 €', '5,63'),
            ('swapped entity', '3,15 €', '2,06 €', '2,06'),
        ]),
        ('German', 'Rechnerisch kommen 6,4 Eier heraus, nimm 6. Ein Stück ist dann 47,5 cm² groß.', [
            ('digit', '47,5', '45,7'),
            ('miscomputed derivation', '6,4 Eier', '5,4 Eier', '5,4'),
            ('miscomputed derivation', '47,5', '54,3'),
        ]),
    ],
}
