{
    "domain": "podcasts",
    "question": "How did our show do in season 3? The sponsor expects 40,000 downloads per episode.",
    "cells": ['''
import pandas as pd

season = pd.DataFrame({
    "episode": range(1, 13),
    "downloads": [38120, 36475, 41208, 35990, 37644, 52311, 40187, 39562, 38801, 42975, 44130, 47296],
    "minutes": [42, 38, 51, 35, 47, 66, 44, 40, 39, 53, 49, 58],
    "finished": [0.61, 0.66, 0.58, 0.71, 0.6, 0.47, 0.62, 0.64, 0.67, 0.55, 0.59, 0.52],
})
print(season.to_string(index=False))
print(season.describe().round(3))
''', '''
season.loc[5, "downloads"] = 45311        # 7,000 downloads of a bot are taken out
print("downloads in the season:", season["downloads"].sum())
print("mean per episode:", round(season["downloads"].mean(), 1))
print("median per episode:", season["downloads"].median())
print("best episode:", season.loc[season["downloads"].idxmax(), "episode"], "with", season["downloads"].max())
print("episodes above 40000:", (season["downloads"] > 40000).sum())
''', '''
print("average of comparable shows:", 33500)
'''],
    "answers": [
        ("plain", "After taking out the bot the season has 487,699 downloads, 40,641.6 per episode on average.", [
            ("stale value", "40,641.6", "41,224.9"),
            ("wrong statistic", "40,641.6 per episode on average", "39,874.5 per episode on average", "39,874.5"),
            ("digit", "487,699", "478,699")]),
        ("plain", "The best episode is number 12 with 47,296 downloads.", [
            ("stale value", "The best episode is number 12 with 47,296", "The best episode is number 6 with 52,311", "52,311"),
            ("wrong column", "47,296 downloads", "58 downloads", "58")]),
        ("small integers", "6 of the 12 episodes got more than 40,000 downloads.", [
            ("digit", "6 of the 12", "8 of the 12", "8 of")]),
        ("derived", "On average you are 641.6 downloads above the 40,000 that the sponsor expects.", [
            ("miscomputed derivation", "641.6", "614.6"),
            ("sign or direction", "641.6 downloads above", "641.6 downloads below", "641.6"),
            ("typed literal", "you are 641.6 downloads above the 40,000 that the sponsor expects", "comparable shows get 33,500 downloads", "33,500"),
            ("question number given as result", "you are 641.6 downloads above the 40,000 that the sponsor expects", "you get 40,000 downloads", "40,000")]),
        ("summary of an analysis", "Long episodes do well but are finished less often: episode 12 (58 minutes) has 47,296 downloads and a completion of 0.52, episode 4 (35 minutes) 35,990 and 0.71. The average episode lasts 46.833 minutes; the median is 45.5.", [
            ("swapped entity", "a completion of 0.52, episode 4 (35 minutes) 35,990 and 0.71", "a completion of 0.71, episode 4 (35 minutes) 35,990 and 0.52", ["0.71", "0.52"]),
            ("wrong statistic", "The average episode lasts 46.833 minutes; the median is 45.5", "The average episode lasts 45.5 minutes; the median is 46.833", ["45.5", "46.833"]),
            ("digit", "35,990", "39,590")]),
        ("fractions in words", "Exactly half of the episodes reach what the sponsor asks for.", []),
    ],
}
