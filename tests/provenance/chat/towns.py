{
    "domain": "census",
    "question": "How did the population of our five towns change between the 2011 and the 2021 census? Which one grows fastest, and when would Elmford reach 250,000?",
    "cells": [
r"""import math
census = {"Elmford": (198_340, 221_905), "Oakley": (84_112, 79_650), "Ashby": (1_204_870, 1_318_226),
          "Thornton": (45_990, 52_731), "Wickham": (310_400, 308_915)}
for town, (a, b) in census.items():
    print(f"{town:9} {a:>9,d} {b:>9,d} {b - a:>+8,d} {100 * (b / a - 1):>+6.2f}%")""",
r"""tot11 = sum(a for a, b in census.values()); tot21 = sum(b for a, b in census.values())
print(tot11, tot21, round(100 * (tot21 / tot11 - 1), 2))
a, b = census["Elmford"]
g = (b / a) ** 0.1 - 1
print("annual growth", round(100 * g, 3), "% -> year", math.ceil(2021 + math.log(250_000 / b) / math.log(1 + g)))"""],
    "answers": [
        ("percent", "Thornton grows fastest, by 14.7% in ten years.", [
            ("swapped entity", "14.7%", "11.9%"),
            ("scale", "14.7%", "1.47%"),
        ]),
        ("scale words", "The five towns together now have 1.98 million inhabitants, 1.3 million of them in Ashby.", [
            ("scale", "1.98 million", "19.8 million", "19.8"),
            ("wrong column", "1.98 million", "1.84 million", "1.84"),
        ]),
        ("plain", "At its growth of 1.13% a year Elmford reaches 250,000 in 2032.", [
            ("wrong statistic", "1.13%", "11.88%"),
            ("question number given as result", "in 2032", "in 2021", "2021"),
        ]),
        ("small integers", "2 of the 5 towns shrank: Oakley lost 4,462 people and Wickham 1,485.", [
            ("swapped entity", "Oakley lost 4,462 people and Wickham 1,485", "Oakley lost 1,485 people and Wickham 4,462", ["1,485", "4,462"]),
            ("number of something else", "2 of the", "3 of the", "3 of"),
        ]),
        ("fractions in words", "Ashby is home to about two thirds of the people and accounts for 113,356 of the net gain of 137,715.", [
            ("miscomputed derivation", "137,715", "127,715"),
        ]),
        ("derived", "Elmford is still 28,095 short of 250,000.", [
            ("miscomputed derivation", "28,095", "38,095"),
            ("number of something else", "28,095", "23,565"),
        ]),
        ("summary of an analysis", "Between 2011 and 2021 the five towns grew by 7.47%, to 1,981,427. Thornton (+14.66%) and Elmford (+11.88%) grew fastest; Oakley lost 5.3%. In absolute terms Ashby is ahead with 113,356 more people.", [
            ("typed literal", "to 1,981,427", "to 1,318,226", "1,318,226"),
            ("sign or direction", "Oakley lost 5.3%", "Oakley gained 5.3%", "5.3%"),
            ("digit", "7.47%", "4.77%"),
        ]),
    ],
}
