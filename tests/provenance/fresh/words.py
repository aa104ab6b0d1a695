{
    "domain": "words",
    "question": "Count the words in the speech.",
    "cells": ['''
import re, collections
text = """We will build roads and we will build schools. The people of this valley have waited long, and the people of the coast have waited longer. Roads bring trade, trade brings work, and work brings hope. Hope is not a plan, but a plan without hope is only paper. So let us begin today with the roads, with the schools, and with hope."""
w = re.findall(r"[a-z]+", text.lower())
c = collections.Counter(w)
print("words:", len(w), "distinct:", len(c))
print(c.most_common(8))
sents = [s for s in re.split(r"[.!?]", text) if s.strip()]
print("sentences:", len(sents), "avg length:", round(len(w)/len(sents), 2))
print("longest word:", max(c, key=len), len(max(c, key=len)))
'''],
    "answers": [
        ("summary of an analysis", "The speech has 63 words in 5 sentences, 12.6 words per sentence on average; 35 of the words are distinct. 'The' is the most frequent with 5 occurrences, followed by 'and' and 'hope' with 4 each.", [
            ("swapped entity", "63 words in 5", "35 words in 5", "35 words"),
            ("digit", "12.6", "16.2"),
            ("number of something else", "with 4 each", "with 3 each", "with 3 each")]),
        ("small integers", "The word 'roads' occurs 3 times and 'build' twice.", [
            ("swapped entity", "3 times", "4 times", "4")]),
        ("small integers", "The longest word, 'schools', has 7 letters.", [
            ("digit", "7", "9")]),
        ("percent", "More than half of the words are distinct: 35 of 63, or 55.6 %.", [
            ("miscomputed derivation", "55.6 %", "56.5 %")]),
    ],
}
