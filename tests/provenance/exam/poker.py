{
    "domain": "poker",
    "question": "I hold Ah9h on Kh6h2c, villain shows KdQs after shoving 60 into 85. How often do I get there, and was calling right? I thought I had around 35%.",
    "cells": [
r"""from itertools import combinations
from math import comb

# hero: Ah 9h, flop: Kh 6h 2c  -> flush draw; villain has Kd Qs (top pair)
deck = [r + s for r in "23456789TJQKA" for s in "shdc"]
known = {"Ah", "9h", "Kh", "6h", "2c", "Kd", "Qs"}
live = [c for c in deck if c not in known]
hearts = [c for c in live if c[1] == "h"]
print(len(live), len(hearts))
flush = sum(1 for t, r in combinations(live, 2) if t[1] == "h" or r[1] == "h")
flush, comb(len(live), 2)""",
r"""def hero_wins(t, r):
    # simple model: hero wins with a flush unless villain fills up, or with aces (pair) when villain does not improve
    board = [t, r]
    fl = any(c[1] == "h" for c in board)
    ranks = [c[0] for c in ["Kh", "6h", "2c", *board]]
    v = ranks + ["K", "Q"]
    cnt = sorted((v.count(x) for x in set(v)), reverse=True)
    full = cnt[0] >= 4 or (cnt[0] == 3 and len(cnt) > 1 and cnt[1] >= 2)
    if fl:
        return not full
    aces = ranks.count("A")
    v_two = v.count("K") >= 3 or v.count("Q") >= 2
    return (aces == 1 and not v_two) or aces == 2
wins = sum(hero_wins(t, r) for t, r in combinations(live, 2))
equity = wins / comb(len(live), 2)
print(f"{wins} wins, equity {equity:.4f}")""",
r"""pot, bet = 85, 60
need = bet / (pot + bet + bet)
ev_call = equity * (pot + bet) - (1 - equity) * bet
dict(required=round(need, 4), ev_call=round(ev_call, 2), margin=round(equity - need, 4))"""],
    "answers": [
        ("plain", "You win 442 of the 990 possible runouts, an equity of 44.65%.", [
            ("wrong statistic", "442 of", "360 of", "360 of"),
            ("digit", "44.65%", "46.45%"),
            ("question number given as result", "44.65%", "35%"),
        ]),
        ("derived", "The flush alone comes in on 360 of 990 boards, i.e. 36.4% of the time, so your 35% estimate was close for the flush. Everything else (mostly your aces) adds another 8.3 percentage points net.", [
            ("miscomputed derivation", "36.4%", "38.4%"),
            ("miscomputed derivation", "another 8.3", "another 9.3", "9.3"),
        ]),
        ("summary of an analysis", "Calling was right: you need 29.27% equity to break even on a call of 60 into a final pot of 205 and you have 44.65%, a cushion of more than 15 points. The call earns you 31.53 chips on average.", [
            ("wrong statistic", "you need 29.27%", "you need 41.38%", "41.38%"),
            ("digit", "31.53 chips", "35.13 chips", "35.13"),
            ("miscomputed derivation", "final pot of 205", "final pot of 145", "145"),
        ]),
        ("plain", "Calling has a positive expected value of about 31.5, whereas folding is worth 0.", [
            ("sign or direction", "a positive expected value of about 31.5", "a negative expected value of about −31.5", "−31.5"),
        ]),
        ("counted", "With seven cards known, 45 are left in the deck, and 9 of those are hearts, so you hit on the very next card 20% of the time.", [
            ("digit", "45 are left", "47 are left", "47"),
            ("miscomputed derivation", "20% of the time", "18% of the time", "18%"),
            ("digit", "and 9 of those", "and 8 of those", "8 of those"),
        ]),
        ("derived", "Villain wins the remaining 548 runouts, so he is still a 55% favourite before the turn.", [
            ("miscomputed derivation", "548 runouts", "558 runouts", "558"),
            ("swapped entity", "a 55% favourite", "a 64% favourite", "64%"),
        ]),
    ],
}
