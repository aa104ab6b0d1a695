{
    "domain": "podcast statistics",
    "question": "Can you tell me how season 2 of my podcast did vs season 1? downloads and how long people listen. I was hoping for 20,000 downloads per episode",
    "cells": [
r"""import pandas as pd
ep = pd.DataFrame({
    "season":    [1]*6 + [2]*6,
    "title":     ["Pilot", "Tides", "Salt", "Harbour", "Fog", "Wreck", "Ice", "Lighthouse", "Storm", "Crew", "Map", "Home"],
    "downloads": [8420, 9115, 12680, 11034, 10212, 14550, 16204, 21877, 19340, 17655, 18102, 24960],
    "minutes":   [31, 42, 38, 45, 36, 52, 40, 44, 47, 39, 41, 58],
    "listened":  [0.61, 0.58, 0.66, 0.57, 0.63, 0.54, 0.69, 0.72, 0.64, 0.70, 0.68, 0.59]})
print(ep.groupby("season").agg(episodes=("title", "size"), downloads=("downloads", "sum"), mean=("downloads", "mean"), median=("downloads", "median"), listened=("listened", "mean")).round(3).to_string())""",
r"""ep.nlargest(3, "downloads")[["title", "downloads", "minutes", "listened"]]"""],
    "answers": [
        ("percent", "Season 2 had 118,138 downloads, up 79% from season 1.", [
            ("sign or direction", "up 79%", "down 79%", "79%"),
            ("miscomputed derivation", "up 79%", "up 56%", "56%"),
        ]),
        ("plain", "On average 19,690 downloads per episode, so you just missed your 20,000.", [
            ("wrong statistic", "19,690", "18,721"),
            ("question number given as result", "19,690 downloads per episode, so you just missed your 20,000", "20,000 downloads per episode, so you hit your target", "20,000"),
        ]),
        ("counted", "Two of the six episodes in season 2 passed 20,000 downloads: Home (24,960) and Lighthouse (21,877).", [
            ("wrong column", "Home (24,960)", "Home (58)", "58"),
            ("digit", "21,877", "21,787"),
        ]),
        ("scale words", "Together the two seasons have about 184 thousand downloads, 118 thousand of them in season 2.", [
            ("scale", "184 thousand", "184 million", "184"),
            ("swapped entity", "118 thousand", "66 thousand", "66"),
        ]),
        ("derived", "An episode of season 2 gets roughly 8,700 more downloads than one of season 1, about 1.8 times as many.", [
            ("sign or direction", "8,700 more", "8,700 fewer", "8,700"),
            ("miscomputed derivation", "1.8 times", "2.8 times", "2.8"),
        ]),
        ("units or currency", "Home is your top episode with 24,960 downloads, although people only heard 59% of its 58 minutes.", [
            ("swapped entity", "59%", "72%"),
            ("swapped entity", "58 minutes", "44 minutes", "44"),
        ]),
    ],
}
