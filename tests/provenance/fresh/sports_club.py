{
    "domain": "sports club",
    "question": "How many members do we have and where does the money come from?",
    "cells": ['''
members = {"swimming": 214, "tennis": 167, "judo": 58, "hiking": 91}
fees = {"swimming": 180, "tennis": 240, "judo": 150, "hiking": 60}
income = {k: members[k] * fees[k] for k in members}
print("members", members)
print("income", income)
print("total members", sum(members.values()), "total income", sum(income.values()))
''', '''
ages = [9, 11, 14, 16, 17, 22, 25, 31, 34, 38, 41, 47, 52, 58, 63, 71]
import statistics as st
print(f"Sample of {len(ages)} members: mean age {st.mean(ages):.1f}, median age {st.median(ages)}, youngest {min(ages)}, oldest {max(ages)}, sd {st.stdev(ages):.1f}")
under18 = sum(a < 18 for a in ages)
print(f"under 18: {under18} ({under18 / len(ages):.0%})")
'''],
    "answers": [
        ("plain", "The club has 530 members and takes in 92,760 a year.", [
            ("swapped entity", "530 members and takes in 92,760", "92,760 members and takes in 530", ["92,760", "530"]),
            ("digit", "92,760", "97,260")]),
        ("plain", "Tennis brings in the most money, 40,080, although swimming has more members (214 against 167).", [
            ("swapped entity", "40,080", "38,520"),
            ("swapped entity", "(214 against 167)", "(167 against 214)", ["167", "214"])]),
        ("derived", "Swimming and tennis together have 381 members, 71.9 % of the club.", [
            ("miscomputed derivation", "381", "318"),
            ("miscomputed derivation", "71.9 %", "79.1 %")]),
        ("plain", "In the sample the mean age is 34.3 and the median 32.5.", [
            ("wrong statistic", "the mean age is 34.3 and the median 32.5", "the mean age is 32.5 and the median 34.3", ["32.5", "34.3"]),
            ("digit", "34.3", "33.4")]),
        ("small integers", "5 of the 16 sampled members (31 %) are under 18; the youngest is 9, the oldest 71.", [
            ("wrong statistic", "the youngest is 9, the oldest 71", "the youngest is 71, the oldest 9", ["71", "oldest 9"]),
            ("digit", "31 %", "13 %")]),
        ("derived", "On average a member pays 175.02.", [
            ("miscomputed derivation", "175.02", "157.02")]),
        ("derived", "Judo has 33 members fewer than hiking.", [
            ("miscomputed derivation", "33 members", "43 members"),
            ("sign or direction", "fewer", "more", "33")]),
        ("constants of a method", "The standard deviation of the ages is 19.6 years.", [
            ("wrong statistic", "19.6", "34.3"),
            ("digit", "19.6", "16.9")]),
    ],
}
