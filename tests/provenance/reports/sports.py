{
    "domain": "sports",
    "question": "Here are the 30 results of our regional basketball league. Could you make the standings and tell me if there is such a thing as home advantage this season?",
    "cells": [
r"""import pandas as pd
games = [
 ("Falcons","Bears",88,79),("Otters","Wolves",91,95),("Kings","Storm",102,84),("Bears","Otters",77,81),
 ("Wolves","Kings",90,99),("Storm","Falcons",73,86),("Falcons","Otters",94,90),("Kings","Bears",85,87),
 ("Storm","Wolves",80,92),("Otters","Kings",83,96),("Wolves","Falcons",101,98),("Bears","Storm",89,70),
 ("Bears","Falcons",82,85),("Wolves","Otters",88,86),("Storm","Kings",79,105),("Otters","Bears",92,84),
 ("Kings","Wolves",97,91),("Falcons","Storm",99,68),("Otters","Falcons",87,93),("Bears","Kings",80,94),
 ("Wolves","Storm",104,81),("Kings","Otters",100,89),("Falcons","Wolves",92,96),("Storm","Bears",78,76),
 ("Bears","Wolves",83,97),("Falcons","Kings",90,95),("Storm","Otters",85,88),("Wolves","Bears",93,86),
 ("Kings","Falcons",89,91),("Otters","Storm",98,77),
]
g = pd.DataFrame(games, columns=["home", "away", "hp", "ap"])
g["margin"] = g.hp - g.ap
g.describe().loc[["count", "mean", "std", "min", "50%", "max"]].round(2)""",
r"""long = pd.concat([
    g.rename(columns={"home": "team", "hp": "pf", "ap": "pa"})[["team", "pf", "pa"]].assign(venue="home"),
    g.rename(columns={"away": "team", "ap": "pf", "hp": "pa"})[["team", "pf", "pa"]].assign(venue="away"),
])
long["win"] = (long.pf > long.pa).astype(int)
table = long.groupby("team").agg(gp=("win", "size"), w=("win", "sum"), pf=("pf", "sum"), pa=("pa", "sum"))
table["l"] = table.gp - table.w
table["diff"] = table.pf - table.pa
table["ppg"] = (table.pf / table.gp).round(1)
table = table[["gp", "w", "l", "pf", "pa", "diff", "ppg"]].sort_values(["w", "diff"], ascending=False)
table""",
r"""print((g.margin > 0).value_counts())
print(long.pivot_table(index="team", columns="venue", values="win", aggfunc="sum"))
big = g.loc[g.margin.abs().nlargest(3).index]
print(big.to_string(index=False))
print("decided by 5 or fewer:", (g.margin.abs() <= 5).sum())""",
    ],
    "answers": [
        ("list or table", "**Standings after 10 games each**\n\n| # | Team | W–L | PF | PA | Diff |\n|---|---|---|---|---|---|\n| 1 | Kings | 8–2 | 962 | 864 | +98 |\n| 2 | Wolves | 8–2 | 947 | 893 | +54 |\n| 3 | Falcons | 7–3 | 916 | 860 | +56 |\n| 4 | Otters | 4–6 | 885 | 889 | −4 |\n| 5 | Bears | 2–8 | 823 | 863 | −40 |\n| 6 | Storm | 1–9 | 775 | 939 | −164 |", [
            ("digit", "916", "961"),
            ("sign or direction", "−40", "+40"),
            ("digit", "−164", "−146"),
            ("digit", "| 893 |", "| 839 |", "839"),
        ]),
        ("small integers", "No, there isn't. Home teams won 14 of the 30 games and lost 16. On average they scored 88.97 points against 87.97 for the visitors, so a single point more, which is nothing given a standard deviation of 12.78 in the margin.", [
            ("swapped entity", "won 14 of the 30 games and lost 16", "won 16 of the 30 games and lost 14", ["16 of", "14"]),
            ("wrong statistic", "12.78", "8.12"),
            ("digit", "87.97", "89.77"),
        ]),
        ("plain", "Kings and Wolves both finish 8–2, but Kings take first place on point difference (+98 versus +54). Falcons are one win behind with 7.", [
            ("swapped entity", "+54", "+56"),
            ("digit", "+98", "+89"),
            ("number of something else", "with 7.", "with 4.", "with 4"),
        ]),
        ("percent", "Visitors won 53.3% of the games. 12 of the 30 (40%) were decided by five points or fewer, so the league is tight – apart from Storm, who lost all of their away games and were outscored by 164 points over the season.", [
            ("miscomputed derivation", "53.3%", "46.7%"),
            ("digit", "12 of the 30", "15 of the 30", "15"),
            ("miscomputed derivation", "(40%)", "(36%)", "36%"),
        ]),
        ("derived", "Kings have the best attack at 96.2 points per game, 18.7 more than Storm (77.5). The best defence belongs to Falcons, who conceded 860, i.e. 86.0 per game – just ahead of Bears with 86.3.", [
            ("miscomputed derivation", "18.7 more", "19.7 more", "19.7"),
            ("swapped entity", "conceded 860", "conceded 889", "889"),
            ("wrong column", "Storm (77.5)", "Storm (93.9)", "93.9"),
        ]),
        ("list or table", "The three biggest wins:\n\n* Falcons 99–68 Storm (by 31)\n* Storm 79–105 Kings (by 26)\n* Wolves 104–81 Storm (by 23)\n\nStorm were on the losing side in all three.", [
            ("digit", "79–105", "79–115", "115"),
            ("miscomputed derivation", "(by 23)", "(by 33)", "33"),
            ("digit", "(by 26)", "(by 29)", "29"),
        ]),
        ("counted", "Six teams each played ten games. Kings were actually better on the road: 5 away wins against 3 at home. Wolves were even, with 4 of each, and Otters managed two and two.", [
            ("swapped entity", "5 away wins against 3 at home", "4 away wins against 3 at home", "4 away wins"),
            ("number of something else", "with 4 of each", "with 8 of each", "8 of each"),
        ]),
    ],
}
