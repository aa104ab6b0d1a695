{
    "domain": "museum visitors",
    "question": "did the free Sundays pay off? visitors and shop revenue before/after (free since April)",
    "cells": [
r"""import pandas as pd
m = pd.DataFrame({
    "month":    ["Jan", "Feb", "Mar", "Apr", "May", "Jun"],
    "sunday":   [1840, 1765, 2012, 3388, 3571, 3106],
    "weekdays": [9120, 8874, 10233, 9987, 10410, 9655],
    "tickets":  [98640, 95750, 110205, 89883, 93690, 86895],
    "shop":     [14260, 13905, 16020, 21730, 22915, 20340]}).set_index("month")
m["free"] = m.index.isin(["Apr", "May", "Jun"])
m.groupby("free").mean().T""",
r"""after, before = m[m.free], m[~m.free]
for c in ["sunday", "weekdays", "tickets", "shop"]:
    d = after[c].sum() - before[c].sum()
    print(f"{c:10s} {before[c].sum():>8,} -> {after[c].sum():>8,}   {d:+,} ({d / before[c].sum():+.1%})")"""],
    "answers": [
        ("percent", "Sunday visitors rose by 79% with free entry, from 5,617 to 10,065.", [
            ("sign or direction", "rose by 79%", "fell by 79%", "79%"),
            ("wrong column", "by 79%", "by 47%", "47%"),
        ]),
        ("derived", "The shop made 20,800 more, but ticket sales dropped by 34,127, so you are 13,327 worse off.", [
            ("miscomputed derivation", "13,327", "14,327"),
            ("sign or direction", "13,327 worse off", "13,327 better off", "13,327"),
        ]),
        ("plain", "On average 3,355 people a month came on the free Sundays, against 1,872 before.", [
            ("wrong statistic", "3,355", "10,065"),
            ("swapped entity", "3,355 people a month came on the free Sundays, against 1,872", "1,872 people a month came on the free Sundays, against 3,355", ["1,872", "3,355"]),
        ]),
        ("fractions in words", "The extra shop revenue covers about three fifths of the lost ticket income (20,800 of 34,127).", [
            ("wrong column", "(20,800 of", "(30,052 of", "30,052"),
            ("digit", "20,800", "28,000"),
        ]),
        ("inequalities", "Weekday attendance hardly moved: less than 7% up, at 30,052.", [
            ("sign or direction", "less than 7%", "more than 7%", "7%"),
            ("swapped entity", "30,052", "28,227"),
        ]),
        ("summary of an analysis", "Free Sundays brought more people but less money. Sunday attendance went from 5,617 to 10,065 in the quarter, weekdays grew by 6.5%, and the shop gained 47.1%. Ticket revenue fell 11.2%, to 270,468, and that loss is larger than the gain in the shop.", [
            ("sign or direction", "Ticket revenue fell 11.2%", "Ticket revenue rose 11.2%", "11.2%"),
            ("invented", "in the quarter", "in the quarter (3,410 of them first-time visitors)", "3,410"),
            ("number of something else", "to 270,468", "to 304,595", "304,595"),
        ]),
        ("scale words", "Ticket revenue went down from 305 thousand to 270 thousand, while the shop climbed to 65 thousand.", [
            ("scale", "65 thousand", "6.5 thousand", "6.5"),
            ("wrong column", "to 270 thousand", "to 30 thousand", "30 thousand"),
        ]),
    ],
}
