{
    "domain": 'Mietwohnungen',
    "question": 'Kannst du die Mietangebote auswerten? Was kostet der Quadratmeter im Schnitt und in welchem Viertel ist es am teuersten? Ich suche 3 Zimmer für höchstens 900 Euro kalt.',
    "cells": [r"""import numpy as np
import pandas as pd

rng = np.random.default_rng(64)
n = 318
viertel = rng.choice(["Altstadt", "Nordend", "Südvorstadt", "Hafen"], n, p=[0.2, 0.34, 0.3, 0.16])
flaeche = np.round(rng.gamma(9, 8.2, n), 1)
zimmer = np.clip((flaeche / 26).round(), 1, 6).astype(int)
qm = {"Altstadt": 16.4, "Nordend": 12.1, "Südvorstadt": 13.3, "Hafen": 14.9}
miete = np.round(np.array([qm[v] for v in viertel]) * flaeche * rng.normal(1, 0.09, n), 0)
w = pd.DataFrame({"viertel": viertel, "flaeche": flaeche, "zimmer": zimmer, "kaltmiete": miete,
                  "baujahr": rng.integers(1898, 2023, n)})
w.loc[rng.choice(n, 6, replace=False), "kaltmiete"] = 0
w["eur_qm"] = (w["kaltmiete"] / w["flaeche"]).round(2)
print(w.describe().round(2).to_string())""",
r"""# 0 Euro Miete = fehlende Angabe
w = w[w["kaltmiete"] > 0]
print(w.describe().round(2).to_string())
print(w.groupby("viertel")[["kaltmiete", "flaeche", "eur_qm"]].agg(["count", "mean", "median"]).round(2).to_string())""",
r"""print(w[["flaeche", "zimmer", "kaltmiete", "baujahr", "eur_qm"]].corr().round(3).to_string())
print((w["kaltmiete"] <= 900).sum(), ((w["kaltmiete"] <= 900) & (w["zimmer"] >= 3)).sum())
print(w["zimmer"].value_counts().sort_index().to_dict())"""],
    "answers": [
        ('German', 'Im Schnitt kostet der Quadratmeter 13,65 € (Median 13,42 €). Am teuersten ist die Altstadt mit 16,07 €/m², am günstigsten das Nordend mit 12,13 €/m². Sechs Angebote mit einer Miete von 0 € habe ich als fehlende Angaben entfernt, es bleiben 312.', [
            ('stale value', '13,65 €', '13,39 €', '13,39'),
            ('swapped entity', 'mit 16,07', 'mit 14,68', '14,68'),
            ('stale value', 'es bleiben 312', 'es bleiben 318', '318'),
            ('stale value', 'Median 13,42', 'Median 13,38', '13,38'),
        ]),
        ('summary of an analysis', 'Die 312 gültigen Angebote haben im Mittel 73,15 m² und 2,77 Zimmer und kosten 1.000,52 € kalt (Median 947 €, Spanne 331 bis 2.362 €). Die Kaltmiete hängt vor allem an der Fläche (r = 0,92), das Baujahr spielt keine Rolle (r = -0,05). Für höchstens 900 € gibt es 134 Wohnungen, davon 22 mit mindestens 3 Zimmern.', [
            ('stale value', '1.000,52 €', '981,64 €', '981,64'),
            ('wrong statistic', 'Median 947', 'Median 1.197', '1.197'),
            ('swapped entity', '134 Wohnungen, davon 22', '120 Wohnungen, davon 22', '120'),
            ('wrong column', 'r = -0,05', 'r = 0,42', '0,42'),
        ]),
        ('German', 'Für dein Budget von 900 Euro kommen 22 Wohnungen mit drei oder mehr Zimmern in Frage, das sind rund 7 % aller Angebote.', [
            ('number of something else', '22 Wohnungen', '134 Wohnungen', '134'),
            ('miscomputed derivation', '7 %', '16 %'),
            ('digit', '22 Wohnungen', '32 Wohnungen', '32'),
        ]),
        ('list or table', 'Nach Vierteln (Mittelwerte):\n\n| Viertel | Anzahl | Kaltmiete | Fläche | €/m² |\n|---|---|---|---|---|\n| Altstadt | 55 | 1.111,15 € | 69,21 m² | 16,07 |\n| Hafen | 46 | 1.128,78 € | 77,05 m² | 14,68 |\n| Nordend | 95 | 835,24 € | 68,81 m² | 12,13 |\n| Südvorstadt | 116 | 1.032,55 € | 77,01 m² | 13,33 |', [
            ('wrong statistic', '835,24', '813,00'),
            ('digit', '1.128,78', '1.182,78'),
            ('digit', '| 46 |', '| 64 |', '64'),
            ('wrong statistic', '69,21', '67,00'),
        ]),
        ('derived', 'Ein Quadratmeter in der Altstadt kostet 3,94 € mehr als im Nordend, das ist knapp ein Drittel Aufschlag. Bei der Kaltmiete liegt der Hafen trotzdem vorn, mit 1.128,78 € gut 17 € über der Altstadt, weil die Wohnungen dort größer sind (77,05 statt 69,21 m²).', [
            ('miscomputed derivation', '3,94 €', '2,55 €', '2,55'),
            ('miscomputed derivation', 'gut 17 €', 'gut 71 €', '71'),
            ('swapped entity', '77,05 statt 69,21', '69,21 statt 77,05', ['69,21', '77,05']),
        ]),
        ('counted', 'Am häufigsten sind Dreizimmerwohnungen (120), dann Zweizimmerwohnungen (110). Fünf oder mehr Zimmer haben nur 10 Wohnungen, ein einziges Zimmer 19.', [
            ('swapped entity', '(120), dann Zweizimmerwohnungen (110)', '(110), dann Zweizimmerwohnungen (120)', ['110', '120']),
            ('miscomputed derivation', 'nur 10', 'nur 8', '8'),
            ('digit', 'Zimmer 19', 'Zimmer 91', '91'),
        ]),
        ('inequalities', 'Drei Viertel der Wohnungen kosten unter 1.200 €, ein Viertel weniger als 740 €. Teurer als 2.400 € ist keine.', [
            ('wrong statistic', 'unter 1.200 €', 'unter 950 €', '950'),
            ('invented', 'Teurer als 2.400 €', 'Teurer als 2.100 €', '2.100'),
        ]),
    ],
}
