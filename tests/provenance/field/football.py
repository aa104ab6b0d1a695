{
    "domain": 'sports, football league season',
    "question": 'Final table for our little league from the match results. Who won, how big was home advantage, how many goals per game?',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(1863)
teams = {"Aldham": 1.9, "Brookvale": 1.5, "Carrow": 1.3, "Denby": 1.6, "Eastmoor": 0.9, "Fenwick": 1.1, "Garston": 1.4, "Holt": 0.7}
rows = [(h, a, rng.poisson(teams[h]*1.2), rng.poisson(teams[a]*0.9)) for h in teams for a in teams if h != a]
m = pd.DataFrame(rows, columns=["home", "away", "hg", "ag"])
print(len(m), "matches,", m.hg.sum() + m.ag.sum(), "goals,", round((m.hg + m.ag).mean(), 2), "per match")
print("home wins", (m.hg > m.ag).sum(), "draws", (m.hg == m.ag).sum(), "away wins", (m.hg < m.ag).sum())
print("home goals", round(m.hg.mean(), 2), "away goals", round(m.ag.mean(), 2))""",
r"""t = pd.DataFrame(0, index=list(teams), columns=["W", "D", "L", "GF", "GA"])
for h, a, x, y in m.itertuples(index=False):
    t.loc[h, ["GF", "GA"]] += [x, y]; t.loc[a, ["GF", "GA"]] += [y, x]
    if x > y: t.loc[h, "W"] += 1; t.loc[a, "L"] += 1
    elif x < y: t.loc[a, "W"] += 1; t.loc[h, "L"] += 1
    else: t.loc[[h, a], "D"] += 1
t["GD"] = t.GF - t.GA
t["Pts"] = 3*t.W + t.D
t = t.sort_values(["Pts", "GD", "GF"], ascending=False)
t""",
r"""m["tot"] = m.hg + m.ag
x = m.loc[m.tot.idxmax()]
print("most goals:", x.home, f"{x.hg}:{x.ag}", x.away)
print("goalless:", ((m.hg == 0) & (m.ag == 0)).sum(), " over 2.5:", (m.tot > 2.5).sum())
hp = (3*(m.hg > m.ag) + (m.hg == m.ag)).groupby(m.home).sum()
print(hp.to_dict())""",
    ],
    "answers": [
        ('plain', 'Aldham won the league with 26 points, three ahead of Brookvale.', [
            ('wrong column', '26 points', '31 points', '31'),
            ('swapped entity', '26 points', '23 points', '23'),
            ('miscomputed derivation', 'three ahead', '5 ahead', '5'),
        ]),
        ('derived', 'Home sides scored 1.41 goals per match, 0.27 more than the visitors.', [
            ('sign or direction', '0.27 more', '0.27 fewer', '0.27'),
            ('miscomputed derivation', '0.27', '0.37'),
            ('swapped entity', '1.41', '1.14'),
        ]),
        ('percent', 'Of the 56 matches 45% were home wins, 30% away wins and a quarter draws.', [
            ('swapped entity', '45% were home wins, 30% away wins', '30% were home wins, 45% away wins', ['30', '45']),
            ('number of something else', '45%', '52%', '52'),
            ('number of something else', 'the 56 matches', 'the 143 matches', '143'),
        ]),
        ('list or table', '| # | Team | W-D-L | Goals | Pts |\n|---|---|---|---|---|\n| 1 | Aldham | 7-5-2 | 31:16 | 26 |\n| 2 | Brookvale | 7-2-5 | 19:19 | 23 |\n| 3 | Denby | 6-3-5 | 17:19 | 21 |\n| 4 | Garston | 5-5-4 | 19:18 | 20 |', [
            ('digit', '31:16', '13:16', '13'),
            ('digit', '| 21 |', '| 12 |', '12'),
            ('miscomputed derivation', '| 20 |', '| 22 |', '22'),
        ]),
        ('summary of an analysis', "143 goals were scored in 56 games, 2.55 on average; 29 matches had three or more and 4 ended goalless. Aldham scored 31 of them, 22% of all goals, and had by far the best difference at +15. The wildest game was Eastmoor's 5:2 against Denby. At the bottom four teams are tied on 16 points, with Holt and Carrow last on goal difference (-5 each).", [
            ('miscomputed derivation', '22% of', '32% of', '32'),
            ('number of something else', '29 matches', '25 matches', '25'),
            ('swapped entity', 'tied on 16', 'tied on 20', '20'),
            ('sign or direction', 'at +15', 'at -15', '15'),
        ]),
        ('small integers', 'Holt took only 5 points at home, but 11 away.', [
            ('swapped entity', 'only 5 points', 'only 10 points', '10'),
            ('number of something else', '11 away', '16 away', '16'),
        ]),
    ],
}
