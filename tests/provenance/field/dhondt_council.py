{
    "domain": 'elections',
    "question": "Council election in our town, 21 seats, D'Hondt with a 4% threshold. Who gets how many seats, and would Sainte-Laguë have changed anything?",
    "cells": [
r"""votes = {"Labour": 6412, "Greens": 4987, "Centre": 3844, "Citizens": 1730, "Left": 1105, "Pirates": 512}
valid = sum(votes.values())
print("valid votes", valid)
for p, v in votes.items():
    print(f"{p:9s} {v:5d} {v / valid:6.1%}")
elig = {p: v for p, v in votes.items() if v / valid >= 0.04}
print(len(elig), "parties above the threshold; registered 30,915, turnout", f"{(valid + 233) / 30915:.1%}", "(233 spoiled)")
""",
r"""def alloc(v, n, step):
    seats = dict.fromkeys(v, 0)
    for _ in range(n):
        p = max(v, key=lambda k: v[k] / (step * seats[k] + 1))
        seats[p] += 1
    return seats
d = alloc(elig, 21, 1)
s = alloc(elig, 21, 2)
print("D'Hondt      ", d)
print("Sainte-Lague ", s)
for p in elig:
    print(p, "votes per seat", round(elig[p] / d[p]))
q = sorted(((v / k, p) for p, v in elig.items() for k in range(1, 22)), reverse=True)
print("last seat:", q[20], "next:", q[21])
""",
    ],
    "answers": [
        ('plain', 'Labour gets 8 seats, the Greens 6, Centre 4, Citizens 2 and the Left 1. Sainte-Laguë would give exactly the same result.', [
            ('swapped entity', 'Centre 4', 'Centre 3', '3'),
            ('invented', 'Labour gets 8', 'Labour gets 9', '9'),
            ('miscomputed derivation', 'the Greens 6', 'the Greens 5', '5'),
        ]),
        ('derived', 'No two-party majority without Labour: Greens and Centre together have 10 seats and need 11. Labour plus Centre would have 12.', [
            ('miscomputed derivation', '10 seats', '9 seats', '9'),
            ('miscomputed derivation', 'would have 12', 'would have 14', '14'),
            ('miscomputed derivation', 'need 11', 'need 13', '13'),
        ]),
        ('inequalities', 'The Pirates got 512 votes, 2.8%, so they miss the 4% threshold by 1.2 points.', [
            ('miscomputed derivation', '1.2 points', '2.2 points', '2.2'),
            ('swapped entity', '2.8%', '5.9%'),
            ('digit', '512', '521'),
            ('scale', '2.8%', '0.28%'),
        ]),
        ('percent', 'Turnout was 60.9%; of the 18,590 valid votes Labour took 34.5%, 7.7 points ahead of the Greens.', [
            ('sign or direction', '7.7 points ahead of', '7.7 points behind', '7.7'),
            ('number of something else', '18,590', '30,915'),
            ('swapped entity', '34.5%', '26.8%'),
            ('miscomputed derivation', '7.7 points', '13.8 points', '13.8'),
        ]),
        ('derived', 'Labour is a little overrepresented: 38% of the seats on 34.5% of the votes. It pays 802 votes per seat, while the Left needed 1,105.', [
            ('miscomputed derivation', '38%', '32%'),
            ('swapped entity', '802', '831'),
            ('swapped entity', '1,105', '961'),
        ]),
        ('plain', 'The 21st seat went to Labour with a quotient of 801.5, and the Centre was next in line at 768.8.', [
            ('digit', '801.5', '810.5'),
            ('digit', '768.8', '786.8'),
            ('number of something else', '21st', '22nd', '22'),
        ]),
    ],
}
