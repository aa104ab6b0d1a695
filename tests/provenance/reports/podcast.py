{
    "domain": 'podcast analytics',
    "question": 'Here is the JSON of our last eight episodes. Do guests help? Do people finish the long ones? And what did we earn from sponsors at a 24 dollar CPM?',
    "cells": [
r'''import json, statistics
feed = json.loads("""[
 {"ep": 41, "guest": "Okafor", "minutes": 48, "downloads": 12850, "completed": 0.61, "sponsor": true},
 {"ep": 42, "guest": null, "minutes": 27, "downloads": 9410, "completed": 0.78, "sponsor": false},
 {"ep": 43, "guest": "Lindqvist", "minutes": 66, "downloads": 15320, "completed": 0.49, "sponsor": true},
 {"ep": 44, "guest": "Marino", "minutes": 52, "downloads": 13275, "completed": 0.58, "sponsor": true},
 {"ep": 45, "guest": null, "minutes": 31, "downloads": 9985, "completed": 0.74, "sponsor": false},
 {"ep": 46, "guest": "Tanaka", "minutes": 71, "downloads": 21640, "completed": 0.44, "sponsor": true},
 {"ep": 47, "guest": null, "minutes": 29, "downloads": 8760, "completed": 0.77, "sponsor": true},
 {"ep": 48, "guest": "Bauer", "minutes": 45, "downloads": 12190, "completed": 0.63, "sponsor": true}
]""")
len(feed), sum(e["downloads"] for e in feed)''',
r'''def stats(es):
    return {"episodes": len(es), "mean_downloads": round(statistics.mean(e["downloads"] for e in es)),
            "median_downloads": statistics.median(e["downloads"] for e in es),
            "mean_completed": round(statistics.mean(e["completed"] for e in es), 3),
            "minutes": sum(e["minutes"] for e in es)}
print(json.dumps({"guest": stats([e for e in feed if e["guest"]]), "solo": stats([e for e in feed if not e["guest"]])}, indent=2))''',
r'''mins = [e["minutes"] for e in feed]; comp = [e["completed"] for e in feed]; dl = [e["downloads"] for e in feed]
print("corr(minutes, completed) =", round(statistics.correlation(mins, comp), 3))
print("corr(minutes, downloads) =", round(statistics.correlation(mins, dl), 3))
CPM = 24.0
rev = {e["ep"]: e["downloads"] / 1000 * CPM for e in feed if e["sponsor"]}
print("sponsor revenue", {k: round(v, 2) for k, v in rev.items()}, "total", round(sum(rev.values()), 2))''',
    ],
    "answers": [
        ('summary of an analysis', 'Guests help a lot with reach: episodes with a guest average 15,055 downloads against 9,385 for solo ones, about 60% more. But they are also longer, and listeners finish only 55% of them compared with 76.3% of the solo episodes. Sponsoring brought in $2,016.84.', [
            ('miscomputed derivation', 'about 60% more', 'about 38% more', '38%'),
            ('wrong statistic', 'average 15,055', 'average 13,275', '13,275'),
            ('swapped entity', 'only 55% of them compared with 76.3%', '76.3% of them compared with only 55%', ['76.3%', '55%']),
            ('digit', '$2,016.84', '$2,106.84'),
        ]),
        ('plain', 'Length and completion are almost perfectly negatively correlated (r = −0.998), while longer episodes get more downloads (r = 0.93).', [
            ('sign or direction', 'r = −0.998', 'r = 0.998', '0.998'),
            ('digit', 'r = 0.93', 'r = 0.39', '0.39'),
        ]),
        ('units or currency', 'Episode 46 (Tanaka) was the best earner at $519.36, roughly a quarter of the $2,016.84 total; episode 47 made the least, $210.24.', [
            ('swapped entity', '$519.36', '$367.68'),
            ('scale', '$2,016.84', '$20,168.40'),
            ('number of something else', 'episode 47', 'episode 42', '42'),
        ]),
        ('counted', 'Six of the eight episodes had a sponsor. Selling the other two (42 and 45) at the same $24 CPM would have added about $465.', [
            ('miscomputed derivation', 'about $465', 'about $645', '$645'),
            ('question number given as result', 'about $465', 'about $24.00', '$24.00'),
            ('number of something else', '(42 and 45)', '(42 and 47)', '47'),
        ]),
        ('derived', "The eight episodes were downloaded 103,430 times. Tanaka's alone accounts for 21,640 of that, more than one in five, and more than double any solo episode.", [
            ('digit', '103,430', '130,430'),
            ('swapped entity', '21,640', '15,320'),
            ('scale', '103,430', '1,034,300'),
        ]),
        ('small integers', 'You released 5 guest episodes with 282 minutes in total and 3 solo ones with 87 minutes, so a guest episode is on average 56 minutes long and a solo one 29.', [
            ('miscomputed derivation', 'average 56 minutes', 'average 65 minutes', '65'),
            ('swapped entity', 'with 87 minutes', 'with 78 minutes', '78'),
            ('miscomputed derivation', 'solo one 29', 'solo one 39', '39'),
        ]),
    ],
}
