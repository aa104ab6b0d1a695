{
    "domain": 'sailing regatta',
    "question": 'Results of our six-boat club regatta, six races, one discard, DNF/DSQ counts as number of boats + 1. Who won and how close was it?',
    "cells": [
r'''import csv, io
from collections import defaultdict
raw = """boat,r1,r2,r3,r4,r5,r6
Albatros,2,1,4,3,1,2
Brise,1,3,2,DNF,4,1
Corsair,5,2,1,2,3,6
Dolphin,3,6,3,1,2,4
Elfin,6,4,DSQ,5,6,3
Fulmar,4,5,5,4,5,5
"""
boats = list(csv.DictReader(io.StringIO(raw)))
n = len(boats)
table = []
for b in boats:
    pts = [int(b[f"r{i}"]) if b[f"r{i}"].isdigit() else n + 1 for i in range(1, 7)]
    table.append((b["boat"], sum(pts), max(pts), sum(pts) - max(pts), pts.count(1)))
table.sort(key=lambda t: t[1])
print("gross ranking")
for t in table:
    print(*t[:2])''',
r'''# one discard
table.sort(key=lambda t: (t[3], -t[4]))
print(f"{'pos':>3} {'boat':<10}{'gross':>6}{'discard':>8}{'net':>5}{'wins':>5}")
for pos, (name, gross, disc, net, wins) in enumerate(table, 1):
    print(f"{pos:>3} {name:<10}{gross:>6}{disc:>8}{net:>5}{wins:>5}")''',
r'''avg = {t[0]: round(t[3] / 5, 2) for t in table}
avg''',
    ],
    "answers": [
        ('summary of an analysis', '**Albatros** wins the series with 9 net points, two ahead of **Brise** (11). **Corsair** and **Dolphin** are tied on 13, then come **Fulmar** (23) and **Elfin** (24).', [
            ('stale value', 'with 9 net points', 'with 13 net points', '13 net'),
            ('swapped entity', '**Fulmar** (23) and **Elfin** (24)', '**Fulmar** (24) and **Elfin** (23)', ['24', '23']),
            ('digit', 'tied on 13', 'tied on 12', '12'),
        ]),
        ('small integers', 'Albatros and Brise each won two races, Corsair and Dolphin one each. Brise had a DNF worth 7 points in race 4, but that is its discard, so it only cost them a worse buffer.', [
            ('question number given as result', 'worth 7 points', 'worth 6 points', '6'),
            ('number of something else', 'in race 4', 'in race 3', '3'),
        ]),
        ('list or table', '1. Albatros: 13 gross, 9 net\n2. Brise: 18 gross, 11 net\n3. Corsair and Dolphin: 19 gross, 13 net\n5. Fulmar: 28 gross, 23 net\n6. Elfin: 31 gross, 24 net', [
            ('digit', '28 gross', '26 gross', '26'),
            ('miscomputed derivation', '18 gross, 11 net', '18 gross, 12 net', '12'),
            ('wrong column', '31 gross, 24 net', '31 gross, 7 net', '7'),
        ]),
        ('derived', "Fulmar's discard is just a 5, whereas Elfin gets rid of 7 points. That shrinks the gap between the two from 3 points to 1.", [
            ('swapped entity', 'just a 5', 'just a 4', '4'),
            ('miscomputed derivation', 'from 3 points to 1', 'from 5 points to 1', '5 points'),
            ('stale value', 'gets rid of 7 points', 'gets rid of 31 points', '31'),
        ]),
        ('plain', 'Counting the five best races, Albatros finished in position 1.8 on average, Brise 2.2 and Elfin, in last place, 4.8.', [
            ('swapped entity', 'Brise 2.2', 'Brise 2.6', '2.6'),
            ('digit', 'position 1.8', 'position 1.3', '1.3'),
            ('scale', '4.8', '48'),
        ]),
    ],
}
