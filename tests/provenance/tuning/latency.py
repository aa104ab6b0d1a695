{
    "domain": "benchmarks",
    "question": "Which of the three JSON parsers should we take? Python 3.11, 1,000 documents.",
    "cells": ['''
import random
import statistics

random.seed(23)
base = {"stdlib": 8.4, "fastjson": 2.9, "lazyjson": 1.3}
runs = {name: [mean * random.lognormvariate(0, 0.08) for _ in range(50)] for name, mean in base.items()}
for name, times in runs.items():
    ordered = sorted(times)
    print(f"{name}: mean {statistics.mean(times):.3f} ms, median {statistics.median(times):.3f} ms, "
          f"p99 {ordered[49]:.3f} ms, stdev {statistics.stdev(times):.3f} ms")
''', '''
reference = statistics.mean(runs["stdlib"])
for name, times in runs.items():
    print(f"{name} speedup {reference / statistics.mean(times):.2f}x")
memory = {"stdlib": 41.2, "fastjson": 57.9, "lazyjson": 88.4}
for name, mb in sorted(memory.items(), key=lambda item: item[1]):
    print(f"{name} peak memory {mb} MB")
'''],
    "answers": [
        ("plain", "lazyjson is fastest at 1.320 ms on average, 6.47 times as fast as stdlib (8.537 ms).", [
            ("swapped entity", "lazyjson is fastest", "fastjson is fastest", ["1.320", "6.47"]),
            ("wrong statistic", "1.320 ms on average", "1.314 ms on average", "1.314"),
            ("digit", "6.47", "6.74")]),
        ("plain", "But it needs 88.4 MB, more than twice the 41.2 MB of stdlib.", [
            ("swapped entity", "the 41.2 MB of stdlib", "the 57.9 MB of stdlib", "57.9"),
            ("scale", "88.4 MB", "88.4 GB")]),
        ("dates, versions, ordinals", "On Python 3.11 with 1,000 documents, fastjson's median is 2.882 ms.", [
            ("wrong statistic", "median is 2.882 ms", "median is 2.914 ms", "2.914"),
            ("digit", "2.882", "2.828")]),
        ("list or table", "| parser | mean | p99 | speedup |\n|---|---|---|---|\n| stdlib | 8.537 ms | 10.607 ms | 1.00x |\n| fastjson | 2.914 ms | 3.483 ms | 2.93x |\n| lazyjson | 1.320 ms | 1.570 ms | 6.47x |", [
            ("digit", "| 2.93x |\n", "| 3.93x |\n", "3.93x"),
            ("swapped entity", "| fastjson | 2.914 ms | 3.483 ms", "| fastjson | 2.914 ms | 1.570 ms", "2.914 ms | 1.570 ms")]),
        ("derived", "The price is 47.2 MB more memory than stdlib.", [
            ("miscomputed derivation", "47.2", "42.7"),
            ("sign or direction", "47.2 MB more memory", "47.2 MB less memory", "47.2")]),
        ("fractions in words", "fastjson takes about a third of the time of stdlib.", []),
        ("constants of a method", "At the 99th percentile stdlib needs 10.607 ms.", [
            ("wrong statistic", "10.607", "8.589"),
            ("digit", "10.607", "10.706")]),
    ],
}
