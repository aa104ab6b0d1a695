{
    "domain": "server metrics",
    "question": "Are web1, web2 and db1 healthy? Alarm level is 85 % CPU.",
    "cells": ['''
import random
random.seed(404)
hosts = {"web1": (48, 9), "web2": (71, 11), "db1": (33, 6)}
samples = {h: [min(100.0, max(0.0, random.gauss(m, s))) for _ in range(288)] for h, (m, s) in hosts.items()}
for host, cpu in samples.items():
    ordered = sorted(cpu)
    print(f"{host}: mean {sum(cpu) / len(cpu):.1f} %, p95 {ordered[int(0.95 * len(cpu))]:.1f} %, max {ordered[-1]:.1f} %")
alarms = {h: sum(c > 85 for c in cpu) for h, cpu in samples.items()}
print(alarms)
''', '''
disk = {"web1": (214.6, 480), "web2": (398.1, 480), "db1": (1.37e3, 1920)}
for host, (used, size) in disk.items():
    print(f"{host} disk: {used:.1f} of {size} GB, {used / size:.1%}")
print("uptime (days):", {"web1": 112, "web2": 9, "db1": 347})
print("kernel 6.1.0-18, nginx 1.22.1")
'''],
    "answers": [
        ("plain", "web2 is in trouble: 70.1 % CPU on average, a p95 of 89.4 % and 29 samples above the alarm level of 85 %.", [
            ("swapped entity", "web2 is in trouble", "web1 is in trouble", ["70.1 %", "89.4 %"]),
            ("wrong statistic", "70.1 % CPU on average, a p95 of 89.4 %", "89.4 % CPU on average, a p95 of 70.1 %", ["89.4 %", "70.1 %"]),
            ("question number given as result", "a p95 of 89.4 % and 29 samples above the alarm level of 85 %", "a p95 of 85 %", "85 %")]),
        ("dates, versions, ordinals", "All hosts run kernel 6.1.0-18 with nginx 1.22.1; db1 has a mean load of 33.2 %.", [
            ("digit", "33.2 %", "32.3 %"),
            ("swapped entity", "db1 has a mean load of 33.2 %", "web1 has a mean load of 33.2 %", "33.2 %")]),
        ("units or currency", "web2's disk is 82.9% full (398.1 of 480 GB), db1's 71.4% (1.37 TB).", [
            ("swapped entity", "web2's disk is 82.9% full (398.1 of 480 GB), db1's 71.4% (1.37 TB)", "db1's disk is 82.9% full (398.1 of 480 GB), web2's 71.4% (1.37 TB)", ["82.9%", "71.4%"]),
            ("scale", "1.37 TB", "1.37 PB"),
            ("digit", "82.9%", "89.2%")]),
        ("small integers", "web1 and db1 never raised an alarm; web2 did so 29 times.", [
            ("digit", "29 times", "26 times")]),
        ("derived", "81.9 GB are left on web2.", [
            ("miscomputed derivation", "81.9", "91.8")]),
        ("inequalities", "web1 never went above 78.9 %, and db1 stayed below 52 %.", [
            ("swapped entity", "web1 never went above 78.9 %", "web2 never went above 78.9 %", "78.9 %")]),
    ],
}
