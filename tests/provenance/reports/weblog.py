{
    "domain": "web server log",
    "question": "can you check this access log excerpt for errors and slow requests? which endpoint is the problem",
    "cells": [r"""
import random, re
from collections import Counter, defaultdict

rng = random.Random(404)
paths = ["/api/orders", "/api/search", "/login", "/static/app.js", "/api/export"]
weights = [30, 25, 12, 28, 5]
base_ms = {"/api/orders": 120, "/api/search": 210, "/login": 90, "/static/app.js": 8, "/api/export": 1400}
err = {"/api/orders": 0.02, "/api/search": 0.04, "/login": 0.01, "/static/app.js": 0.0, "/api/export": 0.22}
lines = []
for i in range(1200):
    p = rng.choices(paths, weights)[0]
    ms = max(1, int(rng.gauss(base_ms[p], base_ms[p] * 0.3)))
    status = rng.choice([500, 503]) if rng.random() < err[p] else (404 if rng.random() < 0.015 else 200)
    ip = f"10.0.{rng.randint(0, 3)}.{rng.randint(1, 40)}"
    lines.append(f'{ip} - - [14/Mar/2025:{9 + i // 400:02d}:{(i % 400) * 60 // 400:02d}:00] "GET {p} HTTP/1.1" {status} {rng.randint(200, 9000)} {ms}')
print(len(lines), "lines")
print(lines[0])
print(lines[-1])
""", r"""
pat = re.compile(r'(\S+) - - \[(.+?)\] "GET (\S+) HTTP/1.1" (\d+) (\d+) (\d+)')
rows = [pat.match(l).groups() for l in lines]
status = Counter(r[3] for r in rows)
print(status)
print("distinct clients:", len({r[0] for r in rows}))
print("5xx:", sum(v for k, v in status.items() if k.startswith("5")))
by_hour = Counter(r[1].split(":")[1] for r in rows if r[3].startswith("5"))
print("5xx by hour:", dict(sorted(by_hour.items())))
""", r"""
per = defaultdict(list)
fails = Counter()
for ip, ts, path, code, size, ms in rows:
    per[path].append(int(ms))
    fails[path] += code.startswith("5")
print(f"{'path':<16}{'hits':>6}{'5xx':>5}{'rate':>8}{'avg ms':>9}{'p95 ms':>8}")
for path, ms in sorted(per.items(), key=lambda kv: -len(kv[1])):
    ms.sort()
    print(f"{path:<16}{len(ms):>6}{fails[path]:>5}{fails[path] / len(ms):>8.1%}{sum(ms) / len(ms):>9.1f}{ms[int(.95 * len(ms))]:>8}")
""", r"""
slow = [(r[2], int(r[5])) for r in rows if int(r[5]) > 1000]
print("slower than 1 s:", len(slow), Counter(p for p, _ in slow).most_common())
print("slowest:", max(slow, key=lambda x: x[1]))
print(Counter(r[0] for r in rows).most_common(3))
"""],
    "answers": [
        ("summary of an analysis", "The problem is **/api/export**: 16 of its 52 requests failed with a 5xx (30.8%), and it averages 1,362 ms with a p95 of 2,101 ms. Everything else stays under 5% errors and below 330 ms at the 95th percentile.", [
            ("swapped entity", "16 of its", "13 of its", "13"),
            ("digit", "1,362 ms", "1,632 ms"),
            ("wrong statistic", "p95 of 2,101 ms", "p95 of 2,172 ms", "2,172"),
            ("scale", "30.8%", "3.08%"),
        ]),
        ("percent", "Of the 1,200 requests, 42 ended in a server error, i.e. 3.5%, split evenly between 500 and 503 (21 each). Another 11 were 404s.", [
            ("miscomputed derivation", "3.5%", "4.4%"),
            ("digit", "21 each", "24 each", "24"),
            ("number of something else", "Another 11 were", "Another 53 were", "53"),
        ]),
        ("derived", "/api/export accounts for only 4.3% of the traffic but 38% of all 5xx responses. Together with /api/search (13 errors) it causes 29 of the 42.", [
            ("miscomputed derivation", "38%", "31%"),
            ("swapped entity", "(13 errors)", "(16 errors)", "16"),
            ("miscomputed derivation", "29 of the", "25 of the", "25"),
        ]),
        ("dates, versions, ordinals", "The excerpt covers 14 March 2025 from 09:00 to 11:59. Errors were spread fairly evenly: 13 in the first hour, 16 between ten and eleven, and 13 after that.", [
            ("digit", "14 March", "15 March", "15"),
            ("digit", "16 between", "18 between", "18"),
        ]),
        ("counted", "42 requests took longer than a second and all of them hit /api/export. The slowest one needed 2,172 ms. There were 160 distinct clients; the busiest, 10.0.0.22, sent 15 requests, twice the average of 7.5.", [
            ("wrong statistic", "2,172 ms", "2,101 ms", "2,101"),
            ("digit", "160 distinct", "106 distinct", "106"),
            ("miscomputed derivation", "average of 7.5", "average of 8.5", "8.5"),
            ("swapped entity", "sent 15 requests", "sent 14 requests", "14"),
        ]),
        ("list or table", "Hits and 5xx rate by endpoint:\n\n1. /api/orders – 379 hits, 2.4%\n2. /static/app.js – 350 hits, 0%\n3. /api/search – 275 hits, 4.7%\n4. /login – 144 hits, 2.8%\n5. /api/export – 52 hits, 30.8%", [
            ("swapped entity", "275 hits, 4.7%", "275 hits, 2.8%", "275 hits, 2.8%"),
            ("digit", "379 hits", "397 hits", "397"),
            ("digit", "144 hits", "114 hits", "114"),
        ]),
        ("derived", "An export call is about 6.4 times slower than a search (1362.3 ms versus 213.7 ms on average), and it's roughly 11 times slower than an order request.", [
            ("miscomputed derivation", "6.4 times", "4.6 times"),
            ("wrong column", "213.7 ms", "320 ms", "320"),
            ("miscomputed derivation", "roughly 11 times", "roughly 15 times", "15"),
        ]),
    ],
}
