{
    "domain": 'bench',
    "question": 'Which sorting function is fastest and how do they scale?',
    "cells": [
        r"""
results = {
    "timsort": {1000: 0.084, 10000: 1.12, 100000: 14.9},
    "quicksort": {1000: 1.45, 10000: 19.3, 100000: 241.7},
    "heapsort": {1000: 2.31, 10000: 31.8, 100000: 402.6},
    "mergesort": {1000: 1.92, 10000: 24.6, 100000: 298.4},
}
print(f"{'algorithm':<12}{'n=1000':>10}{'n=10000':>10}{'n=100000':>11}")
for name, t in results.items():
    print(f"{name:<12}{t[1000]:>10.3f}{t[10000]:>10.2f}{t[100000]:>11.1f}")
print("times in milliseconds")
""",
        r"""
base = results["timsort"][100000]
for name in results:
    if name != "timsort":
        print(f"{name} is {results[name][100000] / base:.1f}x slower than timsort at n=100000")
""",
    ],
    "answers": [
        ('plain', 'Timsort is by far the fastest: sorting 100,000 items takes it 14.9 ms, against 241.7 ms for quicksort.', [
            ('swapped entity', '241.7 ms', '298.4 ms'),
            ('digit', '14.9 ms', '19.4 ms'),
            ('wrong column', '14.9 ms', '1.12 ms'),
        ]),
        ('plain', 'Heapsort is the slowest (402.6 ms at n = 100,000, i.e. 27 times slower than timsort).', [
            ('swapped entity', '402.6', '298.4'),
            ('miscomputed derivation', '27 times', '29 times'),
            ('scale', '402.6', '4.026'),
        ]),
        ('derived', 'Quicksort needs 56.7 ms less than mergesort for 100,000 elements.', [
            ('miscomputed derivation', '56.7', '57.6'),
            ('sign or direction', 'less', 'more', '56.7'),
        ]),
        ('derived', 'Going from 10,000 to 100,000 items makes timsort 13.3 times slower.', [
            ('miscomputed derivation', '13.3', '12.3'),
        ]),
        ('list or table', '| algorithm | 1,000 items | 10,000 items |\n|---|---|---|\n| timsort | 0.084 ms | 1.12 ms |\n| quicksort | 1.45 ms | 19.3 ms |\n| heapsort | 2.31 ms | 31.8 ms |', [
            ('swapped entity', '2.31 ms', '1.92 ms'),
            ('wrong column', '1.12 ms', '14.9 ms'),
            ('digit', '19.3', '13.9'),
        ]),
    ],
}
