{
    "domain": "call centre staffing",
    "question": "We get 180 calls an hour at 4 minutes each. How many agents for 80% answered within 20 seconds?",
    "cells": [
r"""
import math
lam, aht, sl_t = 180, 240, 20
A = lam * aht / 3600
print(f"offered load: {A} erlang")

def erlang_c(n, a):
    inv = sum(math.exp(k * math.log(a) - math.lgamma(k + 1)) for k in range(n))
    top = math.exp(n * math.log(a) - math.lgamma(n + 1)) * n / (n - a)
    return top / (inv + top)
print("agents  P(wait)  ASA(s)  service  occupancy")
for n in range(13, 19):
    pw = erlang_c(n, A)
    asa = pw * aht / (n - A)
    sl = 1 - pw * math.exp(-(n - A) * sl_t / aht)
    print(f"{n:>6} {pw:>8.4f} {asa:>7.1f} {100 * sl:>7.1f}% {100 * A / n:>8.1f}%")
""",
r"""
# after the IVR change: 150 calls, 4.4 minutes
A = 150 * 264 / 3600
best = None
for n in range(12, 19):
    pw = erlang_c(n, A)
    sl = 1 - pw * math.exp(-(n - A) * sl_t / 264)
    print(n, f"{pw:.4f}", f"{pw * 264 / (n - A):.1f}", f"{sl:.4f}", f"{A / n:.3f}")
    if sl >= 0.8 and best is None:
        best = n
print("load", A, "need", best)
"""],
    "answers": [
        ("small integers", "You need 16 agents. Then 85.3% of the calls get picked up within 20 s.", [
            ("question number given as result", "85.3%", "80.0%"),
            ("swapped entity", "85.3%", "75.1%"),
            ("invented", "within 20 s.", "within 20 s, and 3.1% hang up.", "3.1%"),
        ]),
        ("units or currency", "The load is 12 erlang, so 16 people are busy 75% of the time and callers wait 12.3 s on average.", [
            ("swapped entity", "12.3", "25.5"),
            ("question number given as result", "12 erlang", "180 erlang", "180"),
        ]),
        ("plain", "After the IVR change the load drops to 11.0 erlang and you need 15 agents, for a service level of 86.0%.", [
            ("stale value", "15 agents", "16 agents", "16"),
            ("stale value", "86.0%", "85.3%"),
            ("stale value", "11.0 erlang", "12.0 erlang", "12.0"),
        ]),
        ("derived", "So the change lowers the load by about 8% and saves you 1 agent.", [
            ("miscomputed derivation", "8%", "18%"),
            ("miscomputed derivation", "1 agent", "3 agents", "3"),
        ]),
        ("percent", "Before the change, one caller in five (20.5%) had to wait at all with 16 agents; two more agents would have cut that to 7.6%.", [
            ("scale", "20.5%", "2.05%"),
            ("swapped entity", "7.6%", "12.7%"),
        ]),
        ("inequalities", "At the original volume, staffing 13 means an average wait of close to 3 minutes (169 s), and service stays under 40%.", [
            ("digit", "169", "196"),
            ("miscomputed derivation", "3 minutes", "5 minutes", "5"),
            ("number of something else", "under 40%", "under 30%", "30%"),
        ]),
    ],
}
