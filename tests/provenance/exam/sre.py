{
    "domain": "service reliability",
    "question": "We rolled out v2.14.0 of the checkout service this morning and folks say it got slower. Compare with v2.13.4 and tell me whether we blew the error budget (SLO 99.5%).",
    "cells": [
r"""import numpy as np, json
rng = np.random.default_rng(20241)

def gen(n, med, sigma, err):
    lat = rng.lognormal(np.log(med), sigma, n)
    status = np.where(rng.random(n) < err, 503, 200)
    return lat, status

before = gen(18000, 42, 0.55, 0.0021)
after = gen(15500, 47, 0.75, 0.0094)

def summary(lat, status):
    return {
        "requests": int(lat.size),
        "p50_ms": round(float(np.percentile(lat, 50)), 1),
        "p95_ms": round(float(np.percentile(lat, 95)), 1),
        "p99_ms": round(float(np.percentile(lat, 99)), 1),
        "max_ms": round(float(lat.max()), 1),
        "errors": int((status == 503).sum()),
        "error_rate": round(float((status == 503).mean()), 5),
        "over_250ms": int((lat > 250).sum()),
    }

res = {"v2.13.4": summary(*before), "v2.14.0": summary(*after)}
print(json.dumps(res, indent=2))""",
r"""slo = 0.995
window = res["v2.14.0"]
budget = (1 - slo) * window["requests"]
print(f"allowed errors: {budget:.1f}, actual: {window['errors']}, budget consumed: {window['errors'] / budget:.0%}")
print(f"availability: {1 - window['errors'] / window['requests']:.4%}")"""],
    "answers": [
        ("summary of an analysis", "v2.14.0 is clearly worse: p95 latency rose from 104.8 ms to 161.9 ms (+54%), p99 from 154.4 ms to 272.3 ms (+76%), and the error rate went from 0.20% to 0.95%. The median barely moved, 42.2 ms vs. 47.0 ms.", [
            ("miscomputed derivation", "(+54%)", "(+35%)", "35%"),
            ("digit", "p99 from 154.4 ms", "p99 from 145.4 ms", "145.4"),
            ("scale", "to 0.95%", "to 9.5%", "9.5%"),
            ("typed literal", "from 0.20%", "from 0.21%", "0.21%"),
            ("wrong statistic", "The median barely", "The mean barely", ["42.2", "47.0"]),
        ]),
        ("plain", "Yes, the budget is gone: 148 errors against 77.5 allowed, so 191% of the budget was consumed. Availability was 99.0452%.", [
            ("digit", "191%", "119%"),
            ("digit", "99.0452%", "99.4502%"),
            ("question number given as result", "Availability was 99.0452%", "Availability was 99.5%", "99.5%"),
        ]),
        ("derived", "The new version produced 148 errors in 15,500 requests, the old one 36 in 18,000; per request that is 4.8 times as many.", [
            ("miscomputed derivation", "4.8 times", "4.1 times", "4.1"),
            ("digit", "148 errors in 15,500 requests", "148 errors in 18,500 requests", "18,500"),
        ]),
        ("inequalities", "Requests slower than 250 ms went from 9 to 197, that is from 0.05% to more than 1.2% of the traffic.", [
            ("digit", "to 197", "to 179", "179"),
            ("scale", "from 0.05%", "from 0.5%", "0.5%"),
            ("sign or direction", "more than 1.2%", "less than 1.2%", "1.2%"),
        ]),
        ("dates, versions, ordinals", "v2.14.0 exceeded its allowance by 70.5 errors; its slowest request took 667.4 ms, compared with 507.9 ms on v2.13.4.", [
            ("miscomputed derivation", "by 70.5 errors", "by 75.5 errors", "75.5"),
            ("invented", "507.9 ms on v2.13.4.", "507.9 ms on v2.13.4, and CPU load peaked at 83%.", "83%"),
            ("swapped entity", "took 667.4 ms, compared with 507.9 ms", "took 507.9 ms, compared with 667.4 ms", ["507.9", "667.4"]),
        ]),
        ("scale words", "Across roughly 33.5 thousand requests in both versions there were 184 errors in total, about 0.55%.", [
            ("miscomputed derivation", "184 errors", "194 errors", "194"),
            ("scale", "33.5 thousand", "3.35 thousand", "3.35"),
        ]),
        ("list or table", "| | v2.13.4 | v2.14.0 |\n|:--|--:|--:|\n| p50 | 42.2 ms | 47.0 ms |\n| p95 | 104.8 ms | 161.9 ms |\n| p99 | 154.4 ms | 272.3 ms |\n| errors | 36 | 148 |", [
            ("swapped entity", "| p99 | 154.4 ms | 272.3 ms |", "| p99 | 272.3 ms | 154.4 ms |", ["272.3", "154.4"]),
            ("digit", "161.9", "169.1"),
        ]),
    ],
}
