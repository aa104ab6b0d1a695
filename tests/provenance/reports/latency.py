{
    "domain": 'web service latency',
    "question": 'API log, 24000 requests. what are avg response time, p95 and error rate? SLO: p95 under 500 ms and errors below 1 %. and which endpoint is the problem',
    "cells": [r"""import numpy as np
import pandas as pd

rng = np.random.default_rng(1312)
N = 24000
routes = rng.choice(["/search", "/cart", "/login", "/checkout", "/health"], N, p=[0.41, 0.22, 0.15, 0.07, 0.15])
scale = {"/search": 182, "/cart": 74, "/login": 121, "/checkout": 340, "/health": 3.2}
log = pd.DataFrame({"route": routes, "ms": [scale[r] * rng.lognormal(0, 0.55) for r in routes]})
log["status"] = np.where(rng.random(N) < 0.0125, 500, np.where(rng.random(N) < 0.03, 404, 200))
log["hour"] = rng.integers(0, 24, N)
avg_rt = log["ms"].mean()
p95 = log["ms"].quantile(0.95)
err = (log["status"] >= 500).mean()
print(avg_rt, p95, err)""",
r"""# health checks should not count as user traffic
u = log[log["route"] != "/health"]
avg_rt, p95, err = u["ms"].mean(), u["ms"].quantile(0.95), (u["status"] >= 500).mean()
print(len(u), avg_rt, p95, err)
r = u.groupby("route")["ms"].describe(percentiles=[0.5, 0.95, 0.99]).round(1)
print(r.to_string())""",
r"""slow = u[u["ms"] > 500]
print(len(slow), len(slow) / len(u))
print(slow["route"].value_counts().to_dict())
print(u["status"].value_counts())
h = u.groupby("hour")["ms"].agg(["size", "mean"]).round(1)
h"""],
    "answers": [
        ('summary of an analysis', 'Leaving out the health checks, 20,283 requests remain. Their average response time is 182.9 ms and the 95th percentile 456.9 ms, so you meet the 500 ms target. The error rate is 1.33 % (269 responses with status 500), which misses the 1 % target. The slow endpoint is /checkout: mean 395.9 ms, p95 851.8 ms, and 401 of the 751 requests that took longer than 500 ms.', [
            ('stale value', '182.9 ms', '155.1 ms', '155.1'),
            ('stale value', '456.9 ms', '431.0 ms', '431.0'),
            ('stale value', '1.33 %', '1.29 %'),
            ('wrong statistic', 'mean 395.9', 'mean 339.2', '339.2'),
        ]),
        ('plain', 'avg 182.88 ms, p95 456.92 ms, error rate 1.33 %', [
            ('stale value', '456.92', '430.99'),
            ('scale', '1.33 %', '0.0133 %'),
            ('digit', '182.88', '188.28'),
        ]),
        ('inequalities', 'p95 is below 500 ms overall, but not for /checkout, where it exceeds 850 ms. Fewer than 4 % of user requests took more than half a second, and over 95 % returned status 200.', [
            ('swapped entity', 'exceeds 850 ms', 'exceeds 900 ms', '900'),
            ('miscomputed derivation', 'Fewer than 4 %', 'Fewer than 3 %', '3 %'),
            ('sign or direction', 'over 95 %', 'under 95 %', '95 %'),
        ]),
        ('list or table', '| route | requests | median (ms) | p95 | p99 | max |\n|---|---|---|---|---|---|\n| /search | 9,837 | 181.1 | 458.0 | 667.9 | 1,600.5 |\n| /cart | 5,185 | 74.1 | 181.7 | 260.5 | 729.3 |\n| /login | 3,546 | 121.1 | 294.9 | 409.7 | 672.6 |\n| /checkout | 1,715 | 339.2 | 851.8 | 1,187.9 | 2,466.3 |', [
            ('wrong statistic', '| 121.1 |', '| 140.3 |', '140.3'),
            ('swapped entity', '260.5 | 729.3', '260.5 | 672.6', '260.5 | 672.6'),
            ('digit', '1,187.9', '1,178.9'),
            ('wrong column', '458.0', '212.0'),
        ]),
        ('derived', 'Excluding /health took 3,717 requests out (15.5 % of the log) and raised the mean by 27.8 ms. /checkout makes up just 8.5 % of user traffic but 53 % of the slow requests; nearly a quarter of checkouts take longer than 500 ms.', [
            ('miscomputed derivation', '27.8 ms', '25.9 ms', '25.9'),
            ('miscomputed derivation', '53 %', '44 %'),
            ('sign or direction', 'raised the mean by 27.8', 'lowered the mean by 27.8', '27.8'),
            ('digit', '3,717', '3,771'),
        ]),
        ('counted', 'There were 580 responses with 404 and 269 with 500, against 19,434 with 200. So 849 requests in all did not succeed.', [
            ('swapped entity', '580 responses with 404 and 269 with 500', '269 responses with 404 and 580 with 500', ['269', '580']),
            ('miscomputed derivation', '849', '489'),
            ('digit', '19,434', '19,344'),
        ]),
        ('units or currency', 'Hour of day hardly matters: the hourly mean lies between 172.4 ms (12:00) and 194.0 ms (15:00). The busiest hour was 1 a.m. with 928 requests, the quietest 10 a.m. with 801.', [
            ('swapped entity', '172.4 ms', '175.0 ms', '175.0'),
            ('digit', '194.0', '149.0'),
            ('swapped entity', '928 requests', '872 requests', '872'),
            ('swapped entity', '10 a.m. with 801', '10 a.m. with 837', '837'),
        ]),
        ('scale words', 'A typical /checkout request takes about a third of a second (median 339 ms), the worst one took almost 2.5 seconds.', [
            ('scale', '2.5 seconds', '25 seconds', '25'),
            ('swapped entity', '339 ms', '181 ms', '181'),
            ('wrong statistic', '2.5 seconds', '1.2 seconds', '1.2'),
        ]),
    ],
}
