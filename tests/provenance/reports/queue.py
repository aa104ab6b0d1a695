{
    "domain": "queueing simulation",
    "question": "Our helpdesk gets about 18 calls an hour and a call takes 5 minutes on average. How long do callers wait with 2 agents, and would a third one be worth it? Please simulate, don't just give me the formula.",
    "cells": [r"""
import heapq
import random
import statistics as st

def simulate(agents, per_hour, mean_minutes, calls=20000, seed=11):
    rng = random.Random(seed)
    free = [0.0] * agents
    heapq.heapify(free)
    t, waits, busy = 0.0, [], 0.0
    for _ in range(calls):
        t += rng.expovariate(per_hour / 60)
        start = max(t, heapq.heappop(free))
        service = rng.expovariate(1 / mean_minutes)
        busy += service
        heapq.heappush(free, start + service)
        waits.append(start - t)
    return waits, busy / (agents * max(free))

waits, util = simulate(2, 18, 5)
print("mean wait (min):", round(st.mean(waits), 2))
print("median wait (min):", round(st.median(waits), 2))
print("utilisation:", round(util, 3))
""", r"""
summary = {}
for agents in (2, 3, 4):
    waits, util = simulate(agents, 18, 5)
    waits_sorted = sorted(waits)
    summary[agents] = dict(
        mean=round(st.mean(waits), 2),
        median=round(st.median(waits), 2),
        p95=round(waits_sorted[int(0.95 * len(waits))], 2),
        longest=round(waits_sorted[-1], 1),
        no_wait=round(sum(w == 0 for w in waits) / len(waits), 3),
        over_10=sum(w > 10 for w in waits),
        util=round(util, 3),
    )
    print(agents, "agents", summary[agents])
""", r"""
from math import factorial

def erlang_c(c, per_hour, mean_minutes):
    a = per_hour / 60 * mean_minutes
    top = a**c / factorial(c) * c / (c - a)
    pw = top / (sum(a**k / factorial(k) for k in range(c)) + top)
    return pw, pw * mean_minutes / (c - a)

for c in (2, 3, 4):
    pw, wq = erlang_c(c, 18, 5)
    print(f"theory c={c}: P(wait) = {pw:.4f}, mean wait = {wq:.3f} min")
"""],
    "answers": [
        ("summary of an analysis", "With 2 agents the average caller waits 6.39 minutes and 5% wait longer than 26 minutes. A third agent cuts the mean to 0.77 minutes and the 95th percentile to 5.25 minutes, so yes, it looks worth it; a fourth only gets you from 0.77 to 0.14.", [
            ("wrong statistic", "waits 6.39 minutes", "waits 2.47 minutes", "2.47"),
            ("swapped entity", "the 95th percentile to 5.25 minutes", "the 95th percentile to 0.81 minutes", "0.81"),
            ("digit", "0.14", "0.41"),
        ]),
        ("derived", "Adding the third agent makes the average wait about 8.3 times shorter: it falls by 5.62 minutes, from 6.39 to 0.77.", [
            ("miscomputed derivation", "8.3 times", "7.3 times"),
            ("miscomputed derivation", "5.62", "5.26"),
            ("sign or direction", "from 6.39 to 0.77", "from 0.77 to 6.39", ["0.77", "6.39"]),
        ]),
        ("percent", "Two agents are busy 74.5% of the time, and only 35.9% of callers get straight through. With three, 76.5% are answered at once but utilisation drops to just under 50%.", [
            ("wrong column", "only 35.9%", "only 64.1%", "64.1%"),
            ("swapped entity", "With three, 76.5%", "With three, 92.6%", "92.6%"),
            ("digit", "74.5%", "75.4%"),
        ]),
        ("counted", "Out of 20,000 simulated calls, 4,665 (about 23%) waited more than ten minutes with two agents. With three it was 186, and with four just 13.", [
            ("scale", "20,000", "2,000"),
            ("miscomputed derivation", "about 23%", "about 32%", "32%"),
            ("swapped entity", "With three it was 186", "With three it was 13", "three it was 13"),
        ]),
        ("plain", "The simulation agrees well with queueing theory: Erlang C gives 6.43 minutes for two agents against 6.39 simulated, and 0.79 against 0.77 for three.", [
            ("digit", "6.43 minutes", "6.49 minutes", "6.49"),
            ("number of something else", "0.79 against", "0.24 against", "0.24"),
        ]),
        ("units or currency", "In seconds that's roughly 380 s of average wait with two people on the phones, but only about 46 s with three.", [
            ("scale", "380 s", "38 s"),
            ("miscomputed derivation", "46 s", "77 s"),
        ]),
        ("constants of a method", "I drew 20,000 calls with exponential gaps (18 per hour) and exponential service times (mean 5 minutes), seed 11. The offered load is 1.5, so one agent could never keep up. The unluckiest caller waited 61.5 minutes with two agents and 29.6 with three.", [
            ("miscomputed derivation", "load is 1.5", "load is 3.6", "3.6"),
            ("swapped entity", "61.5 minutes", "22.7 minutes", "22.7"),
            ("digit", "seed 11", "seed 42", "42"),
        ]),
    ],
}
