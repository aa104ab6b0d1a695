{
    "domain": "container port",
    "question": "Summarise the vessel calls of this week, please: TEU, crane productivity, delays. (the Electra had 3 cranes for the first day, then 4; take 3.5)",
    "cells": [
r"""import json
calls = [
    {"ship": "Aldebaran", "teu": 8450, "moves": 5120, "cranes": 4, "hours": 41.5, "delay_h": 2.0},
    {"ship": "Bellatrix", "teu": 3120, "moves": 1985, "cranes": 2, "hours": 34.0, "delay_h": 0.0},
    {"ship": "Capella",   "teu": 14980, "moves": 9240, "cranes": 6, "hours": 52.0, "delay_h": 11.5},
    {"ship": "Deneb",     "teu": 1740, "moves": 1102, "cranes": 2, "hours": 19.5, "delay_h": 0.0},
    {"ship": "Electra",   "teu": 6215, "moves": 3870, "cranes": 3, "hours": 47.0, "delay_h": 5.0},
]
def rates():
    for c in calls:
        c["rate"] = round(c["moves"] / c["cranes"] / c["hours"], 1)
    return {c["ship"]: c["rate"] for c in calls}
rates()""",
r"""calls[4]["cranes"] = 3.5
rates()
print(json.dumps({c["ship"]: {"teu": c["teu"], "moves": c["moves"], "moves_per_crane_hour": c["rate"], "delay_h": c["delay_h"]} for c in calls}, indent=2))""",
r"""tot = {k: sum(c[k] for c in calls) for k in ("teu", "moves", "delay_h")}
tot["rate"] = round(tot["moves"] / sum(c["cranes"] * c["hours"] for c in calls), 2)
tot"""],
    "answers": [
        ("scale words", "About 34.5 thousand TEU were handled, 15 thousand of them on the Capella.", [
            ("scale", "34.5 thousand", "34.5 million", "34.5"),
            ("wrong column", "15 thousand", "9.2 thousand", "9.2"),
        ]),
        ("percent", "The Capella alone accounts for 43% of the TEU and 62% of the delay.", [
            ("miscomputed derivation", "43%", "53%"),
            ("invented", "62%", "78%"),
        ]),
        ("units or currency", "Average productivity was 28.4 moves per crane hour; the Electra was slowest with 23.5.", [
            ("stale value", "23.5", "27.4"),
            ("question number given as result", "with 23.5", "with 3.5", "3.5"),
        ]),
        ("counted", "3 of the 5 ships were late, together 18.5 hours.", [
            ("miscomputed derivation", "18.5", "16.5"),
            ("number of something else", "3 of the", "2 of the", "2 of"),
        ]),
        ("inequalities", "Only the Aldebaran managed more than 30 moves per crane hour, namely 30.8.", [
            ("swapped entity", "30.8", "29.6"),
            ("typed literal", "30.8", "41.5"),
        ]),
        ("summary of an analysis", "Five vessels, 34,505 TEU and 21,317 moves this week. Productivity was 28.4 moves per crane hour on average, from 23.5 on the Electra to 30.8 on the Aldebaran. Delays add up to 18.5 hours, 11.5 of them on the Capella; the Bellatrix and the Deneb were on time.", [
            ("stale value", "from 23.5", "from 27.4", "27.4"),
            ("swapped entity", "11.5 of them", "5.0 of them", "5.0"),
            ("invented", "were on time.", "were on time. That is 4% more TEU than the week before.", "4%"),
        ]),
    ],
}
