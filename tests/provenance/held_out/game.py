{
    "domain": "game telemetry",
    "question": "How do players progress through the first ten levels, and where do they leave?",
    "cells": ['''
import pandas as pd

levels = pd.DataFrame({
    "level": range(1, 11),
    "started": [20000, 18640, 17911, 16874, 14210, 13755, 13102, 9844, 9421, 9017],
    "finished": [18902, 18105, 17120, 14433, 13921, 13288, 10012, 9533, 9160, 7312],
    "minutes": [3.2, 4.1, 4.8, 9.6, 5.2, 5.9, 12.4, 6.3, 6.8, 14.1],
    "deaths": [0.4, 0.9, 1.3, 5.8, 1.6, 1.9, 8.7, 2.2, 2.5, 9.9],
})
levels["success"] = (levels["finished"] / levels["started"]).round(4)
print(levels.to_string(index=False))
''', '''
print("hardest:", levels.loc[levels["success"].idxmin(), "level"])
print("minutes for all ten:", round(levels["minutes"].sum(), 1))
print("mean deaths per level:", round(levels["deaths"].mean(), 2))
print("median deaths per level:", round(levels["deaths"].median(), 2))
'''],
    "answers": [
        ("plain", "Level 7 is the hardest: only 76.42% of those who start it finish it.", [
            ("digit", "76.42%", "74.62%"),
            ("swapped entity", "Level 7", "Level 4", "76.42%")]),
        ("plain", "Players die 3.52 times per level on average, while the median is 2.05.", [
            ("wrong statistic", "die 3.52 times per level on average, while the median is 2.05", "die 2.05 times per level on average, while the median is 3.52", "2.05"),
            ("invented", "3.52", "4.18")]),
        ("derived", "Of 20,000 who start level 1, 7,312 finish level 10, i.e. 36.6 %; 10,983 never even begin it.", [
            ("miscomputed derivation", "36.6 %", "33.6 %"),
            ("miscomputed derivation", "10,983", "10,893"),
            ("scale", "20,000", "200,000")]),
        ("units or currency", "All ten levels together take 72.4 minutes, a good hour.", [
            ("digit", "72.4", "74.2"),
            ("scale", "72.4 minutes", "7.24 minutes")]),
        ("summary of an analysis", "There are three walls. Level 4 (85.53 % success, 9.6 minutes), level 7 (76.42 %, 12.4 minutes, 8.7 deaths) and level 10 (81.09 %, 14.1 minutes). Everywhere else more than 94 % of players get through.", [
            ("swapped entity", "Level 4 (85.53 % success, 9.6 minutes), level 7 (76.42 %, 12.4 minutes", "Level 4 (85.53 % success, 12.4 minutes), level 7 (76.42 %, 9.6 minutes", ["12.4", "9.6"]),
            ("wrong column", "8.7 deaths", "5.8 deaths", "5.8"),
            ("digit", "81.09 %", "89.01 %")]),
        ("derived", "Level 7 loses 3,090 players between start and finish.", [
            ("miscomputed derivation", "3,090", "3,900"),
            ("sign or direction", "Level 7 loses 3,090 players", "Level 7 gains 3,090 players", "3,090")]),
        ("constants of a method", "Over the first 10 levels success falls below 80 % only once.", []),
    ],
}
