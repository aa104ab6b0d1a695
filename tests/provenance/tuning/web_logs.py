{
    "domain": "web logs",
    "question": "What do the access logs say about errors and slow pages?",
    "cells": ['''
import random
from collections import Counter, defaultdict

random.seed(42)
pages = ["/", "/search", "/cart", "/login", "/api/items"]
log = []
for _ in range(5000):
    page = random.choices(pages, [40, 25, 10, 10, 15])[0]
    status = random.choices([200, 304, 404, 500], [86, 8, 4, 2])[0]
    log.append((page, status, random.lognormvariate(4.2 if page != "/search" else 5.1, 0.5)))
print("requests:", len(log))
statuses = Counter(status for _, status, _ in log)
for status, number in sorted(statuses.items()):
    print(status, number)
''', '''
times = defaultdict(list)
for page, _, ms in log:
    times[page].append(ms)
for page in pages:
    t = sorted(times[page])
    print(f"{page:12} {len(t):5} hits  median {t[len(t) // 2]:7.1f} ms  p95 {t[int(len(t) * 0.95)]:7.1f} ms")
errors = statuses[404] + statuses[500]
print("errors:", errors)
print(f"error rate: {errors / len(log):.2%}")
'''],
    "answers": [
        ("plain", "Of 5,000 requests 284 failed, an error rate of 5.68%.", [
            ("digit", "5.68%", "5.86%"),
            ("scale", "5.68%", "56.8%"),
            ("number of something else", "284 failed", "397 failed", "397")]),
        ("plain", "/search is by far the slowest page: a median of 163.7 ms and a p95 of 380.8 ms.", [
            ("swapped entity", "/search", "/cart", ["163.7", "380.8"]),
            ("wrong statistic", "a median of 163.7 ms and a p95 of 380.8 ms", "a median of 380.8 ms and a p95 of 163.7 ms", ["380.8", "163.7"]),
            ("digit", "380.8", "308.8")]),
        ("derived", "A search takes 2.4 times as long as the start page (163.7 vs 67.4 ms).", [
            ("miscomputed derivation", "2.4 times", "4.2 times")]),
        ("percent", "86.38 % of requests were answered with 200, 2 % with 500.", [
            ("miscomputed derivation", "86.38 %", "83.68 %"),
            ("invented", "86.38 %", "91.2 %")]),
        ("list or table", "- 200: 4,319\n- 304: 397\n- 404: 184\n- 500: 100", [
            ("swapped entity", "- 404: 184\n- 500: 100", "- 404: 100\n- 500: 184", ["404: 100", "500: 184"]),
            ("digit", "4,319", "4,391")]),
        ("plain", "The start page had 2,060 hits and the cart 508.", [
            ("swapped entity", "The start page had 2,060 hits and the cart 508", "The start page had 508 hits and the cart 2,060", ["508", "2,060"]),
            ("digit", "508", "580")]),
        ("constants of a method", "95 % of all searches are done within 380.8 ms.", [
            ("wrong statistic", "380.8 ms", "163.7 ms")]),
        ("inequalities", "Apart from searches every page has a median below 70 ms.", []),
    
        ("German", "Die Fehlerquote beträgt 5,68 %: 284 von 5.000 Anfragen schlugen fehl.", [
            ("digit", "5,68 %", "5,86 %"),
            ("scale", "284 von", "2.840 von", "2.840")]),
        ("French", "La page /search est la plus lente : 163,7 ms en médiane et 380,8 ms au 95e centile.", [
            ("swapped entity", "La page /search", "La page /login", ["163,7", "380,8"]),
            ("wrong statistic", "163,7 ms en médiane et 380,8 ms au 95e centile", "380,8 ms en médiane et 163,7 ms au 95e centile", ["380,8", "163,7"])]),
    ],
}
