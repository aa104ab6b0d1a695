{
    "domain": "logs",
    "question": "Analyse the web server log: errors, traffic, slow requests.",
    "cells": ['''
import random, collections, statistics
random.seed(5)
paths = ["/", "/login", "/api/items", "/api/orders", "/static/app.js"]
log = []
for i in range(3000):
    path = random.choices(paths, [40, 10, 25, 15, 10])[0]
    status = random.choices([200, 304, 404, 500], [86, 7, 5, 2])[0]
    ms = random.lognormvariate(3.6 + (0.9 if path.startswith("/api") else 0), .5)
    log.append((path, status, ms))
status = collections.Counter(s for _, s, _ in log)
print("requests:", len(log))
for code, n in status.most_common():
    print(f"  {code}: {n} ({n/len(log):.1%})")
''', '''
by = collections.defaultdict(list)
for p, s, ms in log: by[p].append(ms)
print(f"{'path':<16}{'n':>6}{'mean':>9}{'p95':>9}{'max':>9}")
for p, v in sorted(by.items(), key=lambda kv: -len(kv[1])):
    v = sorted(v)
    print(f"{p:<16}{len(v):>6}{statistics.mean(v):>9.1f}{v[int(.95*len(v))]:>9.1f}{v[-1]:>9.1f}")
slow = sum(ms > 200 for _, _, ms in log)
print("slower than 200 ms:", slow)
'''],
    "answers": [
        ("summary of an analysis", "Of 3,000 requests 85.6 % were answered with status 200, 152 were not found (404) and 62 failed with a server error (500). The API is slowest: /api/orders takes 104.1 ms on average (95th percentile 215.5 ms), /api/items 101.0 ms. 65 requests took longer than 200 ms.", [
            ("swapped entity", "152 were not found (404) and 62 failed", "62 were not found (404) and 152 failed", ["62", "152"]),
            ("wrong statistic", "104.1 ms on average", "335.8 ms on average", "335.8"),
            ("swapped entity", "215.5 ms", "198.7 ms"),
            ("number of something else", "65 requests", "62 requests", "62 requests")]),
        ("percent", "The error rate is 2.1 % for server errors and 5.1 % for pages that were not found.", [
            ("swapped entity", "2.1 % for server errors and 5.1 %", "5.1 % for server errors and 2.1 %", ["5.1 %", "2.1 %"])]),
        ("derived", "Together 214 requests, or 7.1 %, ended in an error (404 or 500).", [
            ("miscomputed derivation", "214", "241"),
            ("miscomputed derivation", "7.1 %", "7.4 %")]),
        ("fractions in words", "About a quarter of the traffic, 743 requests, went to /api/items, and roughly two fifths to the start page.", [
            ("swapped entity", "743", "445")]),
        ("plain", "The slowest single request took 397.6 ms (/api/items).", [
            ("swapped entity", "397.6", "335.8"),
            ("wrong statistic", "397.6", "198.7")]),
        ("small integers", "The log has 5 different paths and 4 status codes.", [
            ("digit", "5 different", "6 different", "6"),
            ("digit", "4 status", "7 status", "7")]),
        ("derived", "/api/orders needs about 2.5 times as long as the start page (104.1 ms against 41.9 ms).", [
            ("miscomputed derivation", "2.5 times", "3.5 times", "3.5"),
            ("swapped entity", "104.1 ms against 41.9 ms", "41.9 ms against 104.1 ms", ["41.9", "104.1"])]),
    ],
}
