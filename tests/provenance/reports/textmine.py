{
    "domain": "text mining",
    "question": "Compare the two product texts below: word counts, vocabulary richness, readability, and how much they overlap. (text A is the old one, text B our rewrite)",
    "cells": [r"""
import re
from collections import Counter

A = '''The Alpenglow 40 is a technical backpack that has been engineered for the purpose of extended mountaineering
expeditions. It is constructed from a combination of durable ripstop nylon materials and incorporates a fully adjustable
suspension system. The suspension system has been designed so that the weight of the backpack is distributed evenly across
the hips and the shoulders. Additionally, the backpack incorporates a removable hydration compartment, and the hydration
compartment is compatible with the majority of reservoirs that are available on the market.'''

B = '''The Alpenglow 40 is built for long days in the mountains. Tough ripstop nylon keeps the weather out. The harness
adjusts to your back and puts the weight on your hips, not your shoulders. Need water? The sleeve fits most bladders, and
you can pull it out when you don't. Pack it, lift it, forget it.'''

def words(t):
    return re.findall(r"[a-z']+", t.lower())

def sentences(t):
    return [s for s in re.split(r"[.?!]+\s*", t) if s.strip()]

for name, t in (("A", A), ("B", B)):
    w, s = words(t), sentences(t)
    print(name, "words:", len(w), "sentences:", len(s), "unique:", len(set(w)), "chars/word:", round(sum(map(len, w)) / len(w), 2))
""", r"""
def syllables(w):
    n = len(re.findall(r"[aeiouy]+", w))
    if w.endswith("e") and not w.endswith("le") and n > 1:
        n -= 1
    return max(n, 1)

for name, t in (("A", A), ("B", B)):
    w, s = words(t), sentences(t)
    syl = sum(map(syllables, w))
    flesch = 206.835 - 1.015 * len(w) / len(s) - 84.6 * syl / len(w)
    print(f"{name}: {len(w) / len(s):.1f} words/sentence, {syl / len(w):.2f} syllables/word, Flesch {flesch:.1f}, TTR {len(set(w)) / len(w):.3f}")
""", r"""
stop = set("the a an of and is it in on to for that has been from so are with you your can when out not most".split())
ca, cb = (Counter(x for x in words(t) if x not in stop) for t in (A, B))
print(ca.most_common(6))
print(cb.most_common(4))
both = set(ca) & set(cb)
print(sorted(both), len(both), "shared;", f"Jaccard {len(both) / len(set(ca) | set(cb)):.3f}")
long_a, long_b = (sum(len(x) >= 10 for x in words(t)) for t in (A, B))
long_a, long_b
"""],
    "answers": [
        ("summary of an analysis", "The rewrite is a lot shorter and easier to read: 55 words instead of 82, and 9.2 words per sentence instead of 20.5. The Flesch score jumps from 14.8 (very hard) to 94.5 (very easy).", [
            ("swapped entity", "55 words instead of 82", "82 words instead of 55", ["82", "55"]),
            ("digit", "94.5", "84.5"),
            ("wrong column", "instead of 20.5", "instead of 5.79", "5.79"),
        ]),
        ("derived", "You cut 27 words, about a third of the original, and sentences are less than half as long. Readability went up by 79.7 Flesch points.", [
            ("miscomputed derivation", "27 words", "37 words"),
            ("miscomputed derivation", "79.7", "69.7"),
        ]),
        ("small integers", "Text A has 4 sentences and text B has 6. They share only 6 content words: alpenglow, hips, nylon, ripstop, shoulders and weight.", [
            ("digit", "has 4 sentences", "has 5 sentences", "5"),
            ("digit", "only 6 content", "only 8 content", "8"),
        ]),
        ("plain", "Vocabulary richness (type-token ratio) rises from 0.610 to 0.764, though part of that is just because B is shorter. Unique words: 50 in A, 42 in B.", [
            ("digit", "0.764", "0.674"),
            ("swapped entity", "50 in A, 42 in B", "42 in A, 50 in B", ["42 in A", "50 in B"]),
            ("sign or direction", "rises from 0.610 to 0.764", "falls from 0.764 to 0.610", ["0.764", "0.610"]),
        ]),
        ("counted", "A contains 16 words of ten letters or more, B none at all. \"Backpack\" alone turns up three times in A, while \"suspension\", \"system\", \"hydration\", \"compartment\" and \"incorporates\" appear twice each.", [
            ("digit", "16 words", "19 words", "19"),
            ("typed literal", "ten letters", "12 letters", "12"),
        ]),
        ("percent", "Lexical overlap is low: the Jaccard index of the content words is 0.107, so only about 11% of the combined vocabulary appears in both. Roughly 20% of the words in A are long ones (10+ letters).", [
            ("scale", "0.107", "0.0107"),
            ("miscomputed derivation", "Roughly 20%", "Roughly 32%", "32%"),
            ("miscomputed derivation", "about 11%", "about 17%", "17%"),
        ]),
        ("list or table", "| | A (old) | B (new) |\n|---|---|---|\n| Words | 82 | 55 |\n| Sentences | 4 | 6 |\n| Words per sentence | 20.5 | 9.2 |\n| Syllables per word | 2.02 | 1.22 |\n| Letters per word | 5.79 | 4.22 |\n| Flesch | 14.8 | 94.5 |", [
            ("wrong column", "| 2.02 | 1.22 |", "| 2.02 | 4.22 |", "| 2.02 | 4.22 |"),
            ("digit", "5.79", "5.97"),
            ("rounding", "| 9.2 |", "| 9.1 |", "9.1"),
        ]),
    ],
}
