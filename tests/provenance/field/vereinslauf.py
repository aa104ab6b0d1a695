{
    "domain": 'fitness',
    "question": 'Spendenlauf unserer Schule: Runden je Klasse und was pro Runde gespendet wurde. Welche Klasse war am fleißigsten, was kam zusammen?',
    "cells": [
r"""import pandas as pd
df = pd.DataFrame({
    "cls": ["5a", "5b", "6a", "6b", "7a", "7b"],
    "kids": [26, 24, 28, 23, 25, 27],
    "laps": [338, 341, 406, 276, 385, 351],
    "euro_per_lap": [1.5, 1.2, 0.9, 2.0, 1.0, 1.4],
})
df["laps_per_kid"] = (df.laps / df.kids).round(2)
df["donation"] = df.laps * df.euro_per_lap
df
""",
r"""print("kids", df.kids.sum(), "laps", df.laps.sum(), "donations", round(df.donation.sum(), 2))
print("total km", df.laps.sum() * 0.4)
print("mean per kid", round(df.laps.sum() / df.kids.sum(), 2), "laps,", round(df.donation.sum() / df.kids.sum(), 2), "EUR")
print("mean of class means", round(df.laps_per_kid.mean(), 2))
df.sort_values("donation", ascending=False)[["cls", "donation"]].head(3)
""",
    ],
    "answers": [
        ('German', 'Zusammengekommen sind 2.710 Euro bei 2.097 Runden, also rund 839 km.', [
            ('swapped entity', '2.710 Euro bei 2.097 Runden', '2.097 Euro bei 2.710 Runden', ['2.097', '2.710']),
            ('scale', '839 km', '83,9 km', '83,9'),
            ('digit', '2.097 Runden', '2.907 Runden', '2.907'),
        ]),
        ('German', 'Am fleißigsten war die 7a mit 15,4 Runden pro Kind, das Schlusslicht bildet die 6b mit 12.', [
            ('swapped entity', '15,4', '14,5'),
            ('swapped entity', 'mit 12.', 'mit 13.', '13'),
            ('wrong column', '15,4 Runden', '385 Runden', '385'),
        ]),
        ('German', 'Am meisten Geld brachte aber ausgerechnet die 6b: 552 €, gut ein Fünftel der Summe, weil es dort 2 € je Runde gab.', [
            ('swapped entity', '552 €', '507 €', '507'),
            ('digit', '552 €', '525 €', '525'),
            ('swapped entity', '2 € je Runde', '1,40 € je Runde', '1,40'),
        ]),
        ('German', 'Die 6a lief mit 406 zwar die meisten Runden, sammelte mit 365,40 € aber am wenigsten, 186,60 € weniger als die 6b.', [
            ('sign or direction', '186,60 € weniger', '186,60 € mehr', '186,60'),
            ('miscomputed derivation', '186,60 €', '168,60 €', '168,60'),
            ('swapped entity', '406', '385'),
            ('swapped entity', '365,40 €', '409,20 €', '409,20'),
        ]),
        ('German', 'Im Schnitt schaffte jedes der 153 Kinder 13,7 Runden und damit 17,71 Euro.', [
            ('digit', '153 Kinder', '135 Kinder', '135'),
            ('number of something else', '17,71 Euro', '13,00 Euro', '13,00'),
            ('rounding', '13,7 Runden', '13,8 Runden', '13,8'),
        ]),
        ('German', '| Klasse | Kinder | Runden | Spende |\n|---|---|---|---|\n| 5a | 26 | 338 | 507,00 € |\n| 5b | 24 | 341 | 409,20 € |\n| 6a | 28 | 406 | 365,40 € |\n| 6b | 23 | 276 | 552,00 € |\n| 7a | 25 | 385 | 385,00 € |\n| 7b | 27 | 351 | 491,40 € |', [
            ('digit', '409,20 €', '490,20 €', '490,20'),
            ('digit', '276', '267'),
            ('invented', '491,40 €', '478,80 €', '478,80'),
        ]),
    ],
}
