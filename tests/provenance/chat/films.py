{
    "domain": "film ratings",
    "question": "Which genres get the best ratings in my film diary, and am I harsher than the public?",
    "cells": [
r"""import pandas as pd, numpy as np
rng = np.random.default_rng(3)
genres = rng.choice(["Drama", "Comedy", "Horror", "SciFi", "Documentary"], 186, p=[.34, .25, .14, .17, .10])
base = {"Drama": 7.1, "Comedy": 6.2, "Horror": 5.6, "SciFi": 6.8, "Documentary": 7.6}
df = pd.DataFrame({"genre": genres})
df["mine"] = [np.clip(round(base[g] + rng.normal(0, 1.3)), 1, 10) for g in genres]
df["public"] = [round(base[g] + 0.3 + rng.normal(0, .6), 1) for g in genres]
df["genre"].value_counts()""",
r"""df.groupby("genre")[["mine", "public"]].agg(["mean", "std"]).round(2)""",
r"""df[["mine", "public"]].describe().round(2)""",
r"""print("corr", df["mine"].corr(df["public"]).round(3))
print("harsher on", (df.mine < df.public).sum(), "of", len(df))
print("tens:", (df.mine == 10).sum(), " below 4:", (df.mine < 4).sum())"""],
    "answers": [
        ("plain", "Documentaries come out on top with a mean of 7.87, horror is last with 5.74.", [
            ("wrong column", "7.87", "7.64"),
            ("swapped entity", "5.74", "6.16"),
        ]),
        ("derived", "You rate 0.4 points lower than the public (6.61 against 7.01).", [
            ("sign or direction", "0.4 points lower", "0.4 points higher", "0.4"),
            ("typed literal", "0.4 points", "0.3 points", "0.3"),
            ("wrong statistic", "6.61", "1.41"),
        ]),
        ("fractions in words", "You were harsher on 115 of the 186 films, a bit more than three fifths.", [
            ("number of something else", "115 of", "71 of", "71"),
            ("digit", "115 of", "151 of", "151"),
        ]),
        ("counted", "Only 3 films got full marks from you.", [
            ("number of something else", "3 films", "15 films", "15"),
            ("invented", "3 films", "11 films", "11"),
        ]),
        ("percent", "Drama makes up 32% of the diary, comedy 30%.", [
            ("typed literal", "32%", "34%"),
            ("typed literal", "30%", "25%"),
        ]),
        ("small integers", "Your ratings run from 3 to 10, with the middle half between 6 and 7.", [
            ("wrong column", "from 3", "from 5", "5"),
        ]),
        ("summary of an analysis", "Over 186 films your mean is 6.61, with a standard deviation of 1.41; the public is milder at 7.01 and much less spread out (0.76). The gap is widest for sci-fi, about 0.9 points. Your ratings correlate only moderately with theirs, r = 0.38.", [
            ("wrong statistic", "mean is 6.61", "mean is 7.00", "7.00"),
            ("miscomputed derivation", "about 0.9 points", "about 1.2 points", "1.2"),
            ("invented", "r = 0.38", "r = 0.52", "0.52"),
        ]),
    ],
}
