{
    "domain": 'hours',
    "question": 'Where does our support time go?',
    "cells": [
        r"""
import pandas as pd
log = pd.DataFrame({"agent": ["Ana", "Ben", "Cleo", "Ana", "Ben", "Cleo", "Ana", "Ben", "Cleo"], "category": ["billing"] * 3 + ["login"] * 3 + ["bugs"] * 3,
                    "tickets": [31, 28, 19, 44, 52, 37, 12, 9, 26], "minutes": [372, 301, 247, 264, 338, 229, 318, 261, 702]})
pt = log.pivot_table(index="agent", columns="category", values="minutes", aggfunc="sum", margins=True)
print(pt)
by = log.groupby("category")[["tickets", "minutes"]].sum()
by["min_per_ticket"] = (by["minutes"] / by["tickets"]).round(1)
print(by.sort_values("minutes", ascending=False))
""",
        r"""
print("tickets per agent:", log.groupby("agent")["tickets"].sum().to_dict())
print("total hours:", round(log["minutes"].sum() / 60, 1))
""",
    ],
    "answers": [
        ('plain', 'Bugs take most of the time: 1,281 of 3,032 minutes, although there were only 47 such tickets.', [
            ('swapped entity', '1,281', '920'),
            ('swapped entity', '47', '78'),
            ('digit', '3,032', '3,302'),
        ]),
        ('plain', 'A bug ticket takes 27.3 minutes, a login problem only 6.2.', [
            ('swapped entity', '27.3 minutes, a login problem only 6.2', '6.2 minutes, a login problem only 27.3', ['6.2', '27.3']),
            ('swapped entity', '6.2', '11.8'),
        ]),
        ('plain', 'Cleo spent 702 minutes on bugs, more than Ana (318) and Ben (261) together.', [
            ('swapped entity', '702', '247'),
            ('swapped entity', 'Ana (318) and Ben (261)', 'Ana (261) and Ben (318)', ['261', '318']),
        ]),
        ('plain', 'Altogether the team worked 50.5 hours on 258 tickets.', [
            ('digit', '50.5', '55.0'),
            ('miscomputed derivation', '258', '285'),
        ]),
        ('percent', 'Bugs account for 42.2 % of the time but only 18.2 % of the tickets.', [
            ('miscomputed derivation', '42.2 %', '24.2 %'),
            ('swapped entity', '42.2 % of the time but only 18.2 %', '18.2 % of the time but only 42.2 %', ['18.2 %', '42.2 %']),
        ]),
        ('plain', 'Ben closed the most tickets (89), Cleo the fewest (82).', [
            ('swapped entity', 'Ben closed the most tickets (89), Cleo the fewest (82)', 'Ben closed the most tickets (82), Cleo the fewest (89)', ['82', '89']),
            ('digit', '89', '98'),
        ]),
    ],
}
