{
    "domain": "genomics",
    "question": "Characterise the three contigs.",
    "cells": ['''
import random

random.seed(7)
def contig(length, gc):
    return "".join(random.choices("GCAT", [gc, gc, 1 - gc, 1 - gc], k=length))

contigs = {"ctg1": contig(48210, 0.42), "ctg2": contig(31877, 0.37), "ctg3": contig(9954, 0.55)}
for name, seq in contigs.items():
    gc = (seq.count("G") + seq.count("C")) / len(seq)
    print(f"{name}\\tlength={len(seq)}\\tGC={gc:.4f}\\tATG={seq.count('ATG')}")
''', '''
lengths = sorted((len(s) for s in contigs.values()), reverse=True)
total = sum(lengths)
acc = 0
for n in lengths:
    acc += n
    if acc >= total / 2:
        break
print("total length", total)
print("N50", n)
print("GC overall", round(sum(s.count("G") + s.count("C") for s in contigs.values()) / total, 4))
'''],
    "answers": [
        ("plain", "The assembly is 90,041 bp long with an N50 of 48,210.", [
            ("digit", "90,041", "90,401"),
            ("swapped entity", "90,041 bp long with an N50 of 48,210", "48,210 bp long with an N50 of 90,041", ["48,210", "90,041"]),
            ("wrong statistic", "N50 of 48,210", "N50 of 31,877", "31,877")]),
        ("percent", "GC content is 42.24 % in ctg1, 37.18 % in ctg2 and 54.65 % in ctg3.", [
            ("swapped entity", "37.18 % in ctg2 and 54.65 % in ctg3", "54.65 % in ctg2 and 37.18 % in ctg3", ["54.65 %", "37.18 %"]),
            ("digit", "42.24 %", "44.22 %")]),
        ("units or currency", "ctg1 is 48.2 kb, ctg2 31.9 kb and ctg3 just 10.0 kb.", [
            ("scale", "48.2 kb", "48.2 Mb"),
            ("rounding", "31.9 kb", "32.0 kb")]),
        ("derived", "ctg1 makes up 53.5 % of the assembly.", [
            ("miscomputed derivation", "53.5 %", "55.3 %"),
            ("swapped entity", "ctg1", "ctg2", "53.5 %")]),
        ("plain", "Overall GC: 0.4182.", [
            ("swapped entity", "0.4182", "0.4224"),
            ("digit", "0.4182", "0.4128")]),
        ("dates, versions, ordinals", "The 2nd contig, ctg2, contains ATG 575 times.", [
            ("swapped entity", "575", "894"),
            ("digit", "575", "557")]),
        ("small integers", "There are 3 contigs.", [
            ("digit", "3 contigs", "5 contigs")]),
    ],
}
