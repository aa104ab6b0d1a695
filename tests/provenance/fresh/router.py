{
    "domain": 'router',
    "question": 'Compare the three routing policies in the simulation.',
    "cells": [
        """
results = {
    "random": {"throughput": 812, "p50_ms": 41.2, "p99_ms": 388.0, "dropped": 57},
    "round_robin": {"throughput": 903, "p50_ms": 38.6, "p99_ms": 241.5, "dropped": 21},
    "least_loaded": {"throughput": 978, "p50_ms": 36.9, "p99_ms": 119.3, "dropped": 4},
}
requests = 10_000
for name, r in results.items():
    print(f"{name:>13}: {r['throughput']} req/s, p50 {r['p50_ms']} ms, p99 {r['p99_ms']} ms, {r['dropped']} dropped ({r['dropped'] / requests:.2%})")
best = max(results, key=lambda n: results[n]["throughput"])
print("best:", best, "+%.1f%% over random" % (100 * (results[best]["throughput"] / results["random"]["throughput"] - 1)))
""",
    ],
    "answers": [
        ('plain', 'Least-loaded routing reaches 978 requests per second, 20.4 % more than random routing.', [
            ('swapped entity', '978', '903'),
            ('digit', '20.4 %', '24.0 %'),
            ('sign or direction', 'more than', 'less than', '20.4 %'),
        ]),
        ('plain', 'Its p99 latency is 119.3 ms, against 388.0 ms for random and 241.5 ms for round robin.', [
            ('swapped entity', '388.0 ms for random and 241.5 ms for round robin', '241.5 ms for random and 388.0 ms for round robin', ['241.5', '388.0']),
            ('digit', '119.3', '191.3'),
        ]),
        ('plain', 'With round robin the median latency is 38.6 ms and 21 requests are dropped.', [
            ('wrong column', '38.6', '241.5'),
            ('swapped entity', '21', '57'),
            ('swapped entity', '38.6', '41.2'),
            ('digit', '21', '12'),
        ]),
        ('derived', 'Least-loaded cuts the p99 of random routing by 268.7 ms, or 69.3 %.', [
            ('miscomputed derivation', '268.7', '286.7'),
            ('miscomputed derivation', '69.3 %', '68.3 %'),
            ('sign or direction', 'cuts', 'raises', ['268.7', '69.3 %']),
        ]),
        ('percent', 'Random drops 0.57 % of the requests; least-loaded only 0.04 %.', [
            ('swapped entity', '0.04 %', '0.21 %'),
            ('scale', '0.57 %', '5.7 %'),
            ('digit', '0.57 %', '0.75 %'),
        ]),
        ('derived', 'Random routing drops 14 times as many requests as least-loaded (57 versus 4).', [
            ('miscomputed derivation', '14 times', '16 times', '16'),
            ('digit', '57', '75'),
        ]),
        ('derived', 'Across the three policies 82 requests were dropped.', [
            ('miscomputed derivation', '82', '78'),
        ]),
        ('inequalities', 'Only least_loaded keeps the p99 under 120 ms; random needs more than 380 ms.', [
            ('digit', '380', '480'),
        ]),
    ],
}
