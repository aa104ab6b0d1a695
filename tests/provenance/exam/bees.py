{
    "domain": "beekeeping",
    "question": "My four hives on the scale, kg at the end of each month, plus honey taken (kg) and mite boards. Which colony is the strongest, how much honey in total, and do I have to treat? My rule is 10 mites a day in August.",
    "cells": [
r"""import pandas as pd
w = pd.DataFrame(
    [("Linde", "Apr", 24.1, 0), ("Linde", "May", 31.6, 0), ("Linde", "Jun", 47.3, 14.2), ("Linde", "Jul", 38.9, 11.5), ("Linde", "Aug", 29.4, 0),
     ("Bach", "Apr", 21.8, 0), ("Bach", "May", 26.2, 0), ("Bach", "Jun", 39.5, 9.8), ("Bach", "Jul", 33.0, 6.1), ("Bach", "Aug", 27.7, 0),
     ("Wald", "Apr", 25.5, 0), ("Wald", "May", 35.9, 5.4), ("Wald", "Jun", 44.8, 12.9), ("Wald", "Jul", 46.1, 15.3), ("Wald", "Aug", 30.2, 0),
     ("Garten", "Apr", 19.3, 0), ("Garten", "May", 22.0, 0), ("Garten", "Jun", 28.4, 3.6), ("Garten", "Jul", 27.1, 2.2), ("Garten", "Aug", 23.6, 0)],
    columns=["hive", "month", "kg", "honey"])
months = ["Apr", "May", "Jun", "Jul", "Aug"]
w.pivot(index="hive", columns="month", values="kg")[months]""",
r"""honey = w.groupby("hive")["honey"].sum().sort_values(ascending=False)
honey""",
r"""mites = {"Linde": (38, 3), "Bach": (112, 7), "Wald": (21, 3), "Garten": (34, 4)}   # fallen mites, days on the board
for h, (n, d) in mites.items():
    print(h, n / d)"""],
    "answers": [
        ("plain", "You harvested 81 kg of honey this season, 33.6 kg of it from the Wald hive.", [
            ("miscomputed derivation", "81 kg", "79 kg", "79"),
            ("swapped entity", "33.6 kg", "25.7 kg", "25.7"),
        ]),
        ("summary of an analysis", "Wald is your strongest colony: 33.6 kg of honey (41% of the total) and the highest average weight, 36.5 kg. Linde follows with 25.7 kg of honey and had the heaviest single reading of all, 47.3 kg in June. Garten lags behind with 5.8 kg.", [
            ("miscomputed derivation", "(41% of", "(31% of", "31%"),
            ("swapped entity", "47.3 kg in June", "46.1 kg in June", "46.1"),
            ("digit", "with 5.8 kg", "with 8.5 kg", "8.5"),
            ("invented", "with 5.8 kg.", "with 5.8 kg, 12% less than last year.", "12%"),
        ]),
        ("inequalities", "Two hives are above your limit of 10 mites a day: Bach with 16 and Linde with 12.7. Garten (8.5) and Wald (7) are still below it.", [
            ("wrong column", "Bach with 16", "Bach with 112", "112"),
            ("swapped entity", "Garten (8.5) and Wald (7)", "Garten (7) and Wald (8.5)", ["7)", "8.5"]),
            ("rounding", "12.7", "12.6"),
        ]),
        ("derived", "Between May and June the hives gained a lot: Linde 15.7 kg, Bach 13.3 kg, Wald 8.9 kg and Garten 6.4 kg. Together they went from 115.7 to 160.0 kg.", [
            ("swapped entity", "Wald 8.9 kg and Garten 6.4 kg", "Wald 6.4 kg and Garten 8.9 kg", ["6.4", "8.9"]),
            ("miscomputed derivation", "Linde 15.7 kg", "Linde 16.7 kg", "16.7"),
            ("miscomputed derivation", "from 115.7", "from 110.9", "110.9"),
        ]),
        ("fractions in words", "Nearly three quarters of the honey (59.3 of 81 kg) came from Wald and Linde; Garten contributed only 7%.", [
            ("miscomputed derivation", "59.3 of", "49.5 of", "49.5"),
            ("scale", "only 7%", "only 0.7%", "0.7%"),
        ]),
        ("derived", "Only Wald still put on weight in July (+1.3 kg, to 46.1 kg), while Linde lost 8.4 kg, Bach 6.5 kg and Garten 1.3 kg.", [
            ("sign or direction", "while Linde lost 8.4 kg", "while Linde gained 8.4 kg", "8.4"),
            ("miscomputed derivation", "Bach 6.5 kg", "Bach 5.5 kg", "5.5"),
        ]),
        ("list or table", "Weights in August compared with April:\n\n* Linde: 29.4 kg (+5.3)\n* Bach: 27.7 kg (+5.9)\n* Wald: 30.2 kg (+4.7)\n* Garten: 23.6 kg (+4.3)", [
            ("swapped entity", "Bach: 27.7 kg", "Bach: 33.0 kg", "33.0"),
            ("miscomputed derivation", "(+4.7)", "(+5.7)", "5.7"),
        ]),
    ],
}
