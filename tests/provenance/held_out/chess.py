{
    "domain": "chess",
    "question": "Analyse my 120 rated games. I began at 1540.",
    "cells": ['''
import random
from collections import Counter

random.seed(29)
rating, games = 1540, []
for number in range(120):
    colour = random.choice(["white", "black"])
    opponent = round(random.gauss(1560, 70))
    expected = 1 / (1 + 10 ** ((opponent - rating) / 400))
    draw = random.random() < 0.12
    score = 0.5 if draw else float(random.random() < expected + (0.06 if colour == "white" else 0))
    rating += 20 * (score - expected)
    games.append((colour, opponent, score, rating))
results = Counter(score for _, _, score, _ in games)
print("won", results[1.0], "drawn", results[0.5], "lost", results[0.0])
print("rating at the end", round(rating))
print("highest rating", round(max(g[3] for g in games)))
print("lowest rating", round(min(g[3] for g in games)))
''', '''
for colour in ("white", "black"):
    mine = [g for g in games if g[0] == colour]
    print(f"{colour}: {len(mine)} games, score {sum(g[2] for g in mine):.1f}, {sum(g[2] for g in mine) / len(mine):.1%}")
print("mean opponent:", round(sum(g[1] for g in games) / len(games), 1))
'''],
    "answers": [
        ("plain", "You won 60 games, drew 14 and lost 46.", [
            ("swapped entity", "drew 14 and lost 46", "drew 46 and lost 14", ["46", "14"]),
            ("digit", "drew 14", "drew 24", "24")]),
        ("derived", "Your rating went up by 85 points, from 1540 to 1625.", [
            ("miscomputed derivation", "85 points", "75 points"),
            ("sign or direction", "went up by 85 points, from 1540 to 1625", "went down by 85 points, from 1540 to 1625", "85")]),
        ("percent", "With white you scored 68.3 %, with black 43.3 %, a gap of 25 points.", [
            ("swapped entity", "With white you scored 68.3 %, with black 43.3 %", "With black you scored 68.3 %, with white 43.3 %", ["68.3 %", "43.3 %"]),
            ("invented", "43.3 %", "47.9 %")]),
        ("plain", "Your opponents had a mean rating of 1554.0.", [
            ("digit", "1554.0", "1545.0"),
            ("wrong statistic", "a mean rating of 1554.0", "a mean rating of 1511", "1511")]),
        ("fractions in words", "You won exactly half of your 120 games.", [
            ("question number given as result", "You won exactly half of your 120 games", "You won 120 games", "120")]),
        ("summary of an analysis", "120 games: 60 wins, 14 draws, 46 losses. Rating now 1625, which is also the peak; the low was 1511. White (60 games, 41.0 points) suits you much better than black (60 games, 26.0 points).", [
            ("wrong statistic", "the low was 1511", "the low was 1554", "1554"),
            ("number of something else", "White (60 games, 41.0 points)", "White (60 games, 46 points)", "46 points")]),
    ],
}
