{
    "domain": "election",
    "question": "Allocate the 31 council seats by d'Hondt with a 5% threshold, and then tell me what Sainte-Laguë would change.",
    "cells": [
r"""
votes = {"Civic List": 18742, "Greens": 12391, "Labour": 15208, "Harbour Party": 6127, "Liberals": 4880, "Pensioners": 2214, "Free Town": 3307}
total = sum(votes.values())
valid = {k: v for k, v in votes.items() if v / total >= 0.05}

def allocate(v, n, step):
    seats = dict.fromkeys(v, 0)
    for _ in range(n):
        w = max(v, key=lambda k: v[k] / (1 + step * seats[k]))
        seats[w] += 1
    return seats
seats = allocate(valid, 31, 1)
print("valid votes", total, "turnout", f"{total / 98350:.1%}", "of 98,350 registered")
for k, v in sorted(votes.items(), key=lambda x: -x[1]):
    print(f"{k:<14}{v:>7}{100 * v / total:>7.2f}%{seats.get(k, 0):>4}")
""",
r"""
print("Sainte-Lague:")
seats = allocate(valid, 31, 2)
for k, n in seats.items():
    print(f"  {k}: {n} seats ({100 * n / 31:.1f}%), {votes[k] / n:.0f} votes per seat")
print("votes without seat:", total - sum(valid.values()))
"""],
    "answers": [
        ("list or table", "d'Hondt gives: Civic List 10, Labour 8, Greens 7, Harbour Party 3, Liberals 2, Free Town 1.", [
            ("swapped entity", "Labour 8, Greens 7", "Labour 7, Greens 8", ["7", "8"]),
            ("number of something else", "Greens 7", "Greens 6", "6"),
        ]),
        ("small integers", "Sainte-Laguë changes little: the Greens drop from 7 to 6 seats, Free Town goes from 1 to 2, everyone else keeps theirs.", [
            ("stale value", "drop from 7 to 6 seats", "stay at 7 seats", "7"),
            ("digit", "from 7 to 6", "from 8 to 6", "8"),
        ]),
        ("percent", "The Pensioners, at 3.52%, fall short of the threshold, so 2,214 votes remain without a seat.", [
            ("swapped entity", "3.52%", "5.26%"),
            ("swapped entity", "2,214", "3,307"),
        ]),
        ("plain", "Turnout was 63.9%: 62,869 valid votes out of 98,350 registered.", [
            ("digit", "63.9%", "69.3%"),
            ("digit", "62,869", "68,269"),
            ("invented", "registered.", "registered, 2.7 points up on last time.", "2.7"),
        ]),
        ("derived", "Civic List leads Labour by 3,534 votes, or 5.6 percentage points.", [
            ("miscomputed derivation", "3,534", "3,354"),
            ("miscomputed derivation", "5.6", "6.6"),
            ("sign or direction", "leads Labour", "trails Labour", ["3,534", "5.6"]),
        ]),
        ("derived", "A majority takes 16 of the 31 seats; Civic List and Labour together have 18.", [
            ("miscomputed derivation", "have 18", "have 19", "19"),
            ("digit", "16 of", "13 of", "13"),
        ]),
        ("plain", "Under Sainte-Laguë a seat cost the Liberals 2,440 votes but Free Town only 1,654.", [
            ("swapped entity", "the Liberals 2,440 votes but Free Town only 1,654", "the Liberals 1,654 votes but Free Town only 2,440", ["1,654", "2,440"]),
            ("digit", "2,440", "2,404"),
        ]),
    ],
}
