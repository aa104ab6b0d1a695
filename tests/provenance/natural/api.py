{
    "domain": 'api',
    "question": 'How reliable is the API?',
    "cells": [
        r"""
import json
report = {"window_days": 30, "requests": 1843220, "errors": {"4xx": 20411, "5xx": 1329}, "latency_ms": {"p50": 38, "p90": 112, "p95": 187, "p99": 604}, "uptime": 0.99962,
          "slowest_endpoints": [{"path": "/search", "mean_ms": 241.3, "calls": 210442}, {"path": "/export", "mean_ms": 1890.7, "calls": 3120}, {"path": "/login", "mean_ms": 96.2, "calls": 88213}]}
report["error_rate_5xx"] = round(report["errors"]["5xx"] / report["requests"], 6)
print(json.dumps(report, indent=1))
""",
        r"""
down = (1 - report["uptime"]) * report["window_days"] * 24 * 60
print(f"downtime: {down:.1f} minutes")
print(f"requests per second: {report['requests'] / (30 * 86400):.2f}")
""",
    ],
    "answers": [
        ('plain', 'The API handled 1.84 million requests in 30 days, or 0.71 per second.', [
            ('scale', '1.84 million', '1.84 billion'),
            ('digit', '0.71', '0.17'),
        ]),
        ('plain', 'Uptime was 99.962 %, which corresponds to 16.4 minutes of downtime.', [
            ('digit', '99.962 %', '99.926 %'),
            ('digit', '16.4', '14.6'),
        ]),
        ('plain', 'Half of the requests are answered within 38 ms and 99 % within 604 ms.', [
            ('wrong statistic', '604 ms', '187 ms'),
            ('digit', '38 ms', '83 ms'),
        ]),
        ('plain', 'The slowest endpoint is /export with 1,890.7 ms on average, but it was called only 3,120 times.', [
            ('swapped entity', '1,890.7', '241.3'),
            ('swapped entity', '3,120', '88,213'),
        ]),
        ('derived', 'There were 21,740 errors in total, 1,329 of them server errors (5xx).', [
            ('miscomputed derivation', '21,740', '21,470'),
            ('swapped entity', '1,329', '20,411'),
        ]),
        ('percent', 'Only 0.07 % of the requests failed with a server error.', [
            ('scale', '0.07 %', '0.7 %'),
        ]),
    ],
}
