{
    "domain": 'software, web server log analysis',
    "question": 'Which endpoints are slow in this log extract, and how many errors do we have?',
    "cells": [
r"""import random, collections, statistics
random.seed(2024)
eps = [("/api/search", 0.30, 340, .9), ("/api/items", 0.42, 65, .5), ("/login", 0.12, 120, .4), ("/export", 0.03, 2600, .6), ("/health", 0.13, 3, .2)]
log = []
for i in range(4000):
    u = random.random(); acc = 0
    for e, w, med, s in eps:
        acc += w
        if u <= acc: break
    ms = med * random.lognormvariate(0, s)
    r = random.random()
    st = 200
    if e == "/export" and r < .11: st = 504
    elif e == "/login" and r < .09: st = 401
    elif e == "/api/search" and r < .008: st = 500
    log.append((e, ms, st))
print(len(log), collections.Counter(s for _, _, s in log))""",
r"""def q(v, p): return sorted(v)[int(p * (len(v) - 1))]
tot = sum(m for _, m, _ in log)
print(f"{'endpoint':12s} {'n':>5s} {'p50':>7s} {'mean':>7s} {'p95':>7s} {'p99':>8s} {'time%':>6s} 5xx")
for e, *_ in eps:
    v = [m for x, m, _ in log if x == e]
    er = sum(1 for x, _, s in log if x == e and s >= 500)
    print(f"{e:12s} {len(v):5d} {statistics.median(v):7.1f} {statistics.mean(v):7.1f} {q(v,.95):7.1f} {q(v,.99):8.1f} {100*sum(v)/tot:6.1f} {er}")""",
r"""a = [m for _, m, _ in log]
print(f"overall mean {statistics.mean(a):.1f} ms, median {statistics.median(a):.1f} ms, >1 s: {sum(x > 1000 for x in a)}, max {max(a)/1000:.1f} s")""",
    ],
    "answers": [
        ('plain', '/export is the slow one: median 2.8 s, p95 6.3 s.', [
            ('wrong statistic', 'p95 6.3 s', 'p95 7.0 s', '7.0'),
            ('wrong statistic', 'median 2.8 s', 'median 3.1 s', '3.1'),
            ('scale', 'median 2.8 s', 'median 28 s', '28'),
        ]),
        ('counted', 'There are 17 server errors in 4,000 requests (0.4%): ten 500s on search and seven 504s on export. The 47 401s are just failed logins.', [
            ('miscomputed derivation', '17 server errors', '64 server errors', '64'),
            ('scale', '0.4%', '4%', '4%'),
            ('digit', 'The 47 401s', 'The 74 401s', '74'),
        ]),
        ('derived', 'Search and export together take 84% of the total processing time although they are only a third of the requests.', [
            ('miscomputed derivation', '84%', '74%', '74'),
            ('swapped entity', '84%', '52.7%', '52.7'),
        ]),
        ('list or table', '| Endpoint | Requests | Median (ms) | p95 (ms) | Share of time |\n|---|---|---|---|---|\n| /api/search | 1226 | 331 | 1444 | 52.7% |\n| /api/items | 1673 | 65 | 149 | 10.5% |\n| /login | 471 | 121 | 244 | 5.4% |\n| /export | 118 | 2819 | 6327 | 31.3% |\n| /health | 512 | 3 | 4 | 0.1% |', [
            ('wrong statistic', '| 331 |', '| 502 |', '502'),
            ('swapped entity', '| 244 |', '| 345 |', '345'),
            ('digit', '31.3%', '13.3%', '13.3'),
            ('typed literal', '| 2819 |', '| 2600 |', '2600'),
        ]),
        ('summary of an analysis', 'Over all 4,000 requests the mean latency is 292 ms but the median only 92 ms, so a few slow calls dominate. 247 requests (6.2%) took longer than a second and the worst one 11.1 s. Search is the biggest consumer with 53% of the time; its p99 is 2.3 s. /api/items has the most traffic (1,673 calls) and is harmless at 65 ms median.', [
            ('swapped entity', '1,673', '1,226'),
            ('wrong statistic', 'p99 is 2.3 s', 'p99 is 1.4 s', '1.4'),
            ('miscomputed derivation', '6.2%', '2.6%', '2.6'),
            ('scale', '11.1 s', '11.1 ms', '11.1'),
        ]),
        ('percent', 'About 6% of exports time out (7 of 118), whereas 10% of login attempts are rejected.', [
            ('swapped entity', 'of 118', 'of 512', '512'),
            ('miscomputed derivation', '10% of login', '1.2% of login', '1.2'),
            ('digit', 'About 6%', 'About 9%', '9'),
        ]),
    ],
}
