{
    "domain": "text statistics",
    "question": "Count words and sentences in this passage and give me its Flesch score. I was told it has 120 words.",
    "cells": [
r"""
import re, json
from collections import Counter
text = '''The lighthouse keeper counted the ships as they came in. On a good evening there were nine or ten of them, and on a bad
evening there were none. He wrote the number down in a small green book, and beside the number he wrote the weather. Fog. Rain.
Clear, with a light wind from the west. His daughter asked him once why he kept the book, since nobody ever read it. He thought
about the question for a long time. The ships know, he said, that somebody is counting. After he died she found forty books in
the cupboard, one for every year, and in the last of them the final line said only this: clear, eleven ships, all home.'''
words = re.findall(r"[A-Za-z']+", text)
sents = [x for x in re.split(r"[.!?]+", text) if x.strip()]

def syll(w):
    w = w.lower()
    n = len(re.findall(r"[aeiouy]+", w))
    if w.endswith("e") and not w.endswith("le") and n > 1:
        n -= 1
    return max(n, 1)
ns = sum(map(syll, words))
low = Counter(w.lower() for w in words)
flesch = 206.835 - 1.015 * len(words) / len(sents) - 84.6 * ns / len(words)
print(json.dumps({"words": len(words), "unique": len(low), "sentences": len(sents), "syllables": ns,
                  "avg_word_len": round(sum(map(len, words)) / len(words), 3),
                  "words_per_sentence": round(len(words) / len(sents), 2), "flesch": round(flesch, 1)}, indent=1))
print(low.most_common(8))
print("hapax:", sum(v == 1 for v in low.values()), "longest:", max(words, key=len), len(max(words, key=len)))
"""],
    "answers": [
        ("plain", "I count 121 words in 10 sentences, so 12.1 words per sentence.", [
            ("question number given as result", "121 words", "120 words", "120"),
            ("scale", "12.1", "1.21"),
        ]),
        ("constants of a method", "Using 206.835 − 1.015 × words/sentence − 84.6 × syllables/word, the Flesch score is 88.3.", [
            ("digit", "88.3", "83.8"),
            ("digit", "84.6", "86.4"),
        ]),
        ("counted", "'the' is the commonest word (12 times), then 'he' with 6.", [
            ("digit", "12 times", "21 times", "21"),
            ("swapped entity", "with 6", "with 5", "5"),
        ]),
        ("derived", "82 distinct words, a type-token ratio of 0.68; 64 of them occur only once.", [
            ("miscomputed derivation", "0.68", "0.86"),
            ("digit", "64", "46"),
        ]),
        ("derived", "There are about 1.26 syllables per word (152 altogether).", [
            ("miscomputed derivation", "1.26", "1.62"),
            ("digit", "152", "125"),
        ]),
        ("units or currency", "Words are short: 3.98 letters on average, and the longest, 'lighthouse', has 10.", [
            ("wrong statistic", "3.98", "12.1"),
            ("rounding", "3.98", "3.97"),
            ("invented", "has 10", "has 10; a typical reader needs 47 seconds for the passage", "47"),
        ]),
    ],
}
