{
    "domain": "software releases",
    "question": "Give me stats on our releases from the changelog: cadence, bug fixes, size. We promised a release every 6 weeks.",
    "cells": [
r"""
import re, statistics as st
from datetime import date
log = '''
v2.0.0 2023-09-04 features=21 fixes=37 size=48211034
v2.0.1 2023-09-19 features=0 fixes=12 size=48215520
v2.1.0 2023-11-06 features=9 fixes=18 size=49902113
v2.2.0 2024-01-15 features=11 fixes=23 size=51377090
v2.2.1 2024-01-22 features=0 fixes=5 size=51378442
v2.3.0 2024-03-11 features=7 fixes=29 size=53019877
v2.4.0 2024-05-27 features=14 fixes=31 size=46120358
v3.0.0 2024-09-02 features=33 fixes=44 size=39874601
v3.0.1 2024-09-10 features=0 fixes=16 size=39880237
v3.1.0 2024-11-18 features=8 fixes=20 size=41203396'''
rel = []
for m in re.finditer(r"v(\S+) (\S+) features=(\d+) fixes=(\d+) size=(\d+)", log):
    v, d, fe, fx, sz = m.groups()
    rel.append((v, date.fromisoformat(d), int(fe), int(fx), int(sz)))
gaps = [(b[1] - a[1]).days for a, b in zip(rel, rel[1:])]
for (v, d, fe, fx, sz), gp in zip(rel, [None] + gaps):
    print(f"{v:<7} {d:%d %b %Y}  +{fe:<3} fixes {fx:<3} {sz / 1e6:6.2f} MB  {'' if gp is None else str(gp) + ' days'}")
""",
r"""
print(len(rel), sum(r[2] for r in rel), sum(r[3] for r in rel))
print(gaps, st.mean(gaps), st.median(gaps))
minor = [r for r in rel if r[0].endswith(".0")]
mg = [(b[1] - a[1]).days for a, b in zip(minor, minor[1:])]
print(len(minor), mg, round(st.mean(mg), 1), round(st.mean(mg) / 7, 2))
"""],
    "answers": [
        ("dates, versions, ordinals", "The latest release is 3.1.0 of 18 November 2024, 69 days after 3.0.1.", [
            ("digit", "69", "96"),
            ("swapped entity", "69", "98"),
            ("number of something else", "18 November", "10 November", "10"),
        ]),
        ("counted", "10 releases in all, with 103 features and 235 fixes.", [
            ("wrong column", "103 features and 235 fixes", "235 features and 103 fixes", ["235", "103"]),
            ("digit", "235", "253"),
        ]),
        ("derived", "There are 49 days between releases on average, i.e. 7 weeks.", [
            ("question number given as result", "7 weeks", "6 weeks", "6"),
            ("digit", "49", "94"),
        ]),
        ("plain", "Counting only the x.y.0 versions, the mean gap is 73.5 days or 10.5 weeks; the shortest was 56 days, so the promised 6 weeks were never met.", [
            ("wrong statistic", "73.5", "49"),
            ("miscomputed derivation", "10.5", "12.5"),
        ]),
        ("units or currency", "3.0.0 shrank the package from 46.12 MB to 39.87 MB, a saving of about 6.2 MB or roughly 14%.", [
            ("miscomputed derivation", "6.2 MB", "7.2 MB", "7.2"),
            ("miscomputed derivation", "14%", "41%"),
            ("swapped entity", "46.12", "53.02"),
        ]),
        ("fractions in words", "Nearly a third of all features (33 of 103) arrived with 3.0.0.", [
            ("wrong column", "33 of", "44 of", "44"),
            ("wrong column", "103", "235"),
        ]),
        ("dates, versions, ordinals", "The patch releases 2.0.1, 2.2.1 and 3.0.1 contain 33 fixes between them and not a single feature.", [
            ("miscomputed derivation", "33", "43"),
            ("number of something else", "33", "103"),
        ]),
    ],
}
