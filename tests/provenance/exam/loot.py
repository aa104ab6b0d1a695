{
    "domain": "game design",
    "question": "balance check for my rpg: dps of the four starter weapons vs a 600 hp boss, and how many chests until the legendary drops (2% chance, pity at 60)?",
    "cells": [
r"""import random
random.seed(99)
weapons = {
    "dagger":     dict(dmg=(8, 12), rate=2.4, crit=0.25, mult=2.0),
    "longsword":  dict(dmg=(18, 26), rate=1.1, crit=0.10, mult=2.0),
    "warhammer":  dict(dmg=(40, 58), rate=0.55, crit=0.05, mult=2.5),
    "crossbow":   dict(dmg=(30, 34), rate=0.70, crit=0.18, mult=2.2),
}
for name, w in weapons.items():
    avg = sum(w["dmg"]) / 2
    dps = avg * w["rate"] * (1 + w["crit"] * (w["mult"] - 1))
    ttk = 600 / dps
    print(f"{name:>10}: avg hit {avg:g}, dps {dps:.2f}, 600-HP boss in {ttk:.1f}s")""",
r"""# legendary drop: 2% per chest, pity timer guarantees it on the 60th chest
def chests(p=0.02, pity=60):
    for i in range(1, pity + 1):
        if i == pity or random.random() < p:
            return i
runs = sorted(chests() for _ in range(20_000))
print("mean", sum(runs) / len(runs))
print("median", runs[len(runs) // 2], "p90", runs[int(.9 * len(runs))])
print("share hitting pity", sum(r == 60 for r in runs) / len(runs))""",
r"""p, pity = 0.02, 60
exact = (1 - (1 - p) ** pity) / p
exact, (1 - p) ** (pity - 1)"""],
    "answers": [
        ("list or table", "DPS ranking:\n1. Dagger: 30.00 (boss dead in 20.0 s)\n2. Warhammer: 28.97 (20.7 s)\n3. Crossbow: 27.24 (22.0 s)\n4. Longsword: 26.62 (22.5 s)", [
            ("digit", "Crossbow: 27.24", "Crossbow: 26.26", "26.26"),
            ("digit", "28.97", "29.87"),
            ("miscomputed derivation", "(20.7 s)", "(21.3 s)", "21.3"),
        ]),
        ("plain", "On average a player opens 35.12 chests until the legendary drops (exact value; the simulation of 20,000 players gave 35.10).", [
            ("wrong statistic", "opens 35.12 chests", "opens 50 chests", "50"),
            ("digit", "gave 35.10", "gave 35.01", "35.01"),
            ("scale", "20,000 players", "200,000 players", "200,000"),
        ]),
        ("percent", "About 30% of players will need the pity timer: 30.62% in the simulation, 30.36% in theory.", [
            ("swapped entity", "30.62% in the simulation, 30.36% in theory", "30.36% in the simulation, 30.62% in theory", ["30.36%", "30.62%"]),
            ("miscomputed derivation", "30.36%", "29.76%"),
        ]),
        ("derived", "The weapons are close together: the dagger does only 12.7% more damage per second than the longsword and 3.6% more than the warhammer, although the warhammer's average hit (49) is almost five times as hard as the dagger's (10).", [
            ("miscomputed derivation", "12.7% more", "11.3% more", "11.3%"),
            ("swapped entity", "average hit (49)", "average hit (32)", "32"),
            ("scale", "3.6% more", "36% more", "36%"),
        ]),
        ("summary of an analysis", "Half of the players have it after at most 35 chests, but the 90th percentile is already the pity limit of 60. Without pity the expected number would be 50 chests, so the timer cuts it by about 15.", [
            ("wrong statistic", "at most 35 chests", "at most 30 chests", "30"),
            ("miscomputed derivation", "by about 15", "by about 25", "25"),
            ("miscomputed derivation", "would be 50 chests", "would be 98 chests", "98"),
        ]),
        ("derived", "Killing the boss takes 2.5 s longer with the longsword than with the dagger (22.5 s vs 20.0 s).", [
            ("sign or direction", "takes 2.5 s longer with", "takes 2.5 s less with", "takes 2.5"),
            ("miscomputed derivation", "takes 2.5 s", "takes 3.5 s", "3.5"),
        ]),
    ],
}
