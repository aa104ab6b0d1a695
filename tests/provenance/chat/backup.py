{
    "domain": "backup storage",
    "question": "How long until the backup NAS is full? It has 24 TB, I'd like to know per dataset too",
    "cells": [
r"""used = {"photos": 6.82, "vm-images": 4.15, "mail": 0.94, "home": 3.37, "db-dumps": 2.61}     # TB
growth = {"photos": 118, "vm-images": 62, "mail": 9, "home": 41, "db-dumps": 85}             # GB per month
total, rate = sum(used.values()), sum(growth.values())
print(f"{'dataset':<12}{'TB':>8}{'GB/month':>10}{'share':>8}")
for k in used:
    print(f"{k:<12}{used[k]:>8.2f}{growth[k]:>10}{used[k] / total:>8.1%}")
print(f"{'all':<12}{total:>8.2f}{rate:>10}")""",
r"""free = 24 - total
print("free", round(free, 2), "TB;", round(free * 1000 / rate, 1), "months left")
# without pruning db-dumps: keep 30 days instead of 90
used["db-dumps"] /= 3; growth["db-dumps"] /= 3
free = 24 - sum(used.values())
print("after pruning: free", round(free, 2), "TB;", round(free * 1000 / sum(growth.values()), 1), "months left")"""],
    "answers": [
        ("plain", "As things are, with 315 GB a month, the NAS is full in 19.4 months.", [
            ("number of something else", "19.4", "30.4"),
            ("question number given as result", "in 19.4 months", "in 24 months", "24"),
        ]),
        ("derived", "Pruning the dumps to 30 days buys you 11 more months (30.4 instead of 19.4).", [
            ("miscomputed derivation", "11 more", "13 more", "13"),
            ("sign or direction", "30.4 instead of 19.4", "19.4 instead of 30.4", ["19.4", "30.4"]),
        ]),
        ("units or currency", "17.89 of the 24 TB are in use at the moment, 6.11 TB are free.", [
            ("question number given as result", "6.11 TB", "24 TB", "24 TB are free"),
            ("scale", "6.11 TB", "611 TB", "611"),
        ]),
        ("fractions in words", "About three quarters of the NAS is full; photos alone are 38% of the data.", [
            ("wrong column", "38%", "6.82%"),
            ("swapped entity", "38%", "23%"),
        ]),
        ("small integers", "You have 5 datasets; 2 of them, photos and db-dumps, cause 203 of the 315 GB growth a month.", [
            ("miscomputed derivation", "203", "193"),
            ("invented", "5 datasets", "7 datasets", "7 datasets"),
        ]),
        ("scale words", "You store close to 18 thousand gigabytes, 6.8 thousand of them photos.", [
            ("scale", "6.8 thousand", "6.8 million", "6.8"),
            ("swapped entity", "6.8 thousand", "4.2 thousand", "4.2"),
        ]),
    ],
}
