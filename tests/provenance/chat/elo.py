{
    "domain": "chess ratings",
    "question": "I'm 1640 and played a 7 round open. What's my performance rating and my new rating with K=20?",
    "cells": [
r"""opponents = [1712, 1588, 1805, 1490, 1699, 1921, 1643]
scores    = [0.5, 1, 0, 1, 1, 0.5, 0.5]
me, K = 1640, 20
expected = [1 / (1 + 10 ** ((o - me) / 400)) for o in opponents]
print("score", sum(scores), "expected", round(sum(expected), 2))
new = me + K * (sum(scores) - sum(expected))
print("new rating", round(new))
print("average opponent", round(sum(opponents) / 7, 1))
print("performance", round(sum(opponents) / 7 + 400 * (2 * sum(scores) - 7) / 7))""",
r"""for o, s, e in zip(opponents, scores, expected):
    print(o, s, f"{e:.3f}", f"{K * (s - e):+.1f}")"""],
    "answers": [
        ("plain", "Your new rating is 1669 (+29).", [
            ("wrong statistic", "1669", "1808"),
            ("sign or direction", "+29", "-29"),
        ]),
        ("plain", "You performed at 1808 against an average opposition of 1694.", [
            ("wrong statistic", "1808 against an average opposition of 1694", "1694 against an average opposition of 1808", ["1694", "1808"]),
            ("question number given as result", "at 1808", "at 1640", "1640"),
        ]),
        ("derived", "You scored 4.5 out of 7, about 1.5 points more than the 3.03 your rating predicted.", [
            ("miscomputed derivation", "1.5 points", "2.5 points", "2.5"),
            ("sign or direction", "1.5 points more", "1.5 points less", "1.5"),
        ]),
        ("constants of a method", "With K = 20 that makes 1669; the formula uses the usual 400-point scale.", [
            ("typed literal", "1669", "1643"),
            ("digit", "1669", "1696"),
        ]),
        ("small integers", "Three wins, three draws and one loss make 4.5 points from 7 rounds.", [
            ("digit", "4.5 points", "5.5 points", "5.5"),
            ("invented", "7 rounds", "9 rounds", "9"),
        ]),
        ("units or currency", "Beating the 1699 gained you the most, 11.7 points, and the loss against the 1805 cost 5.6.", [
            ("swapped entity", "11.7 points", "8.5 points", "8.5"),
            ("sign or direction", "the 1805 cost 5.6", "the 1805 still brought 5.6", "5.6"),
        ]),
    ],
}
