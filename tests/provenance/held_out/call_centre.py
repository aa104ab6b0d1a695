{
    "domain": "call centre",
    "question": "How long do callers wait, and do we meet our goal of 80 % within 20 seconds?",
    "cells": ['''
import random
import statistics

random.seed(5)
waits = [round(random.expovariate(1 / 14), 1) for _ in range(850)]
within = sum(1 for w in waits if w <= 20)
lost = sum(1 for w in waits if w > 60)
print(f"calls: {len(waits)}")
print(f"mean wait: {statistics.mean(waits):.1f} s")
print(f"median wait: {statistics.median(waits):.1f} s")
print(f"answered within 20 s: {within} ({within / len(waits):.1%})")
print(f"waited over a minute: {lost}")
''', '''
waits.sort()
for q in (0.5, 0.9, 0.95, 0.99):
    print(f"p{q * 100:.0f}: {waits[int(q * len(waits))]} s")
print("longest", waits[-1])
'''],
    "answers": [
        ("percent", "We miss the goal narrowly: 662 of 850 calls (77.9%) were answered within 20 seconds, where 80 % were asked for.", [
            ("digit", "77.9%", "79.7%"),
            ("question number given as result", "662 of 850 calls (77.9%) were answered within 20 seconds, where 80 % were asked for",
             "662 of 850 calls (80%) were answered within 20 seconds", "80%")]),
        ("plain", "Mean wait 13.6 s, median 9.2 s.", [
            ("wrong statistic", "Mean wait 13.6 s, median 9.2 s", "Median wait 13.6 s, mean 9.2 s", "13.6"),
            ("invented", "9.2 s", "7.8 s")]),
        ("derived", "188 callers had to wait longer than that, about 22.1 % of all.", [
            ("miscomputed derivation", "188", "178"),
            ("miscomputed derivation", "22.1 %", "21.2 %")]),
        ("constants of a method", "At the 95th percentile the wait is 42.5 s, at the 99th 58.1 s.", [
            ("swapped entity", "At the 95th percentile the wait is 42.5 s", "At the 90th percentile the wait is 42.5 s", "42.5"),
            ("digit", "58.1", "51.8")]),
        ("inequalities", "Nobody waited longer than 101.7 seconds, and only 7 callers more than a minute.", [
            ("digit", "7 callers", "17 callers"),
            ("wrong statistic", "longer than 101.7", "longer than 58.1", "58.1")]),
        ("summary of an analysis", "I looked at 850 calls. Typically (median) a caller waits 9.2 s; one in ten waits more than 32.9 s. The longest wait was 101.7 s, and 77.9 % were served within 20 s, so the 80 % goal is missed by 2.1 points.", [
            ("miscomputed derivation", "2.1 points", "3.1 points"),
            ("scale", "850 calls", "8,500 calls")]),
    ],
}
