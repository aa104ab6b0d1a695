{
    "domain": "web server logs",
    "question": "Parse the access log and tell me about errors and latency. I'm worried about anything above 500 ms.",
    "cells": [
r'''
import re, random, statistics as st
from collections import Counter, defaultdict
random.seed(77)
paths = ["/", "/login", "/api/items", "/api/search", "/static/app.js"]
lines = []
for k in range(1200):
    p = random.choices(paths, [30, 12, 28, 18, 12])[0]
    base = {"/": 60, "/login": 95, "/api/items": 140, "/api/search": 310, "/static/app.js": 12}[p]
    ms = int(random.lognormvariate(0, 0.45) * base)
    code = random.choices([200, 304, 404, 500, 503], [86, 6, 4, 3, 1])[0]
    lines.append(f'10.0.{k % 7}.{k % 251} - - [14/Mar/2025:{k // 50:02d}:{k % 50:02d}:00 +0000] "GET {p} HTTP/1.1" {code} {ms}')
pat = re.compile(r'^(\S+) .*"GET (\S+) HTTP/1\.1" (\d{3}) (\d+)$')
status, lat = Counter(), defaultdict(list)
err = Counter()
for l in lines:
    ip, path, code, ms = pat.match(l).groups()
    status[int(code)] += 1
    lat[path].append(int(ms))
    if code[0] == "5":
        err[path] += 1
print("\n".join(lines[:60]))
print("requests:", len(lines))
for c, n in sorted(status.items()):
    print(f"  {c}: {n}")
''',
r"""
def pct(v, q):
    v = sorted(v)
    return v[min(len(v) - 1, int(q * len(v)))]
print(f"{'path':<16}{'n':>6}{'5xx':>6}{'p50':>7}{'p95':>7}{'p99':>7}{'max':>7}")
for p in paths:
    v = lat[p]
    print(f"{p:<16}{len(v):>6}{err[p]:>6}{pct(v, .5):>7}{pct(v, .95):>7}{pct(v, .99):>7}{max(v):>7}")
allv = [x for v in lat.values() for x in v]
slow = sum(x > 500 for x in allv)
print("uptime 99.95%, cache hit rate 71%")
print(f"overall mean {st.mean(allv):.1f} ms, median {st.median(allv):.1f} ms, slower than 500 ms: {slow}")
"""],
    "answers": [
        ("counted", "Of 1,200 requests, 1,045 returned 200. There were 47 not-found responses and 46 server errors (34 × 500 and 12 × 503).", [
            ("digit", "1,045", "1,054"),
            ("number of something else", "47 not-found", "62 not-found", "62"),
            ("miscomputed derivation", "46", "56"),
        ]),
        ("percent", "The 5xx rate is 3.8%, and a further 3.9% were 404s.", [
            ("digit", "3.8%", "8.3%"),
            ("number of something else", "3.9%", "5.2%"),
        ]),
        ("inequalities", "Slow ones are rare: just 28 requests took longer than 500 ms, which is under 2.5% of the traffic.", [
            ("digit", "28", "82"),
            ("miscomputed derivation", "under 2.5%", "under 1.5%", "1.5%"),
        ]),
        ("plain", "/api/search is the slow one, p50 301 ms and p95 611 ms; its worst request took 825 ms.", [
            ("wrong column", "611", "796"),
            ("swapped entity", "301", "134"),
            ("question number given as result", "825", "500"),
        ]),
        ("derived", "At the median, search takes more than twice as long as /api/items (301 vs 134 ms) and about 30 times as long as the static file.", [
            ("miscomputed derivation", "30 times", "45 times", "45"),
            ("wrong column", "134", "302"),
        ]),
        ("summary of an analysis", "The mean of 139.4 ms sits well above the median of 100 ms, so the distribution has a long tail. In absolute numbers /api/items has the most server errors (14), but relative to its traffic /static/app.js is worst: 7 of 143, or 4.9%.", [
            ("wrong statistic", "mean of 139.4 ms sits well above the median of 100 ms", "mean of 100 ms sits well above the median of 139.4 ms", ["100", "139.4"]),
            ("swapped entity", "(14)", "(11)", "11"),
            ("miscomputed derivation", "4.9%", "9.4%"),
        ]),
        ("dates, versions, ordinals", "The log covers one day, 14 March 2025, with 50 requests in each hour.", [
            ("typed literal", "in each hour.", "in each hour and a cache hit rate of 71%.", "71%"),
            ("digit", "14 March", "15 March", "15"),
        ]),
    ],
}
