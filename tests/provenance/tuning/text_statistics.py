{
    "domain": "text statistics",
    "question": "Count words and sentences of the poem.",
    "cells": ['''
import re
from collections import Counter

text = """The fog comes in on little cat feet. It sits looking over harbor and city on silent haunches and then moves on.
The rain comes down on the roof and the road. It falls on the city and on the sea, and the sea takes it all.
Then the sun comes out. The road dries, the roof dries, and the cat sleeps on the warm stone."""
words = re.findall(r"[a-z]+", text.lower())
sentences = re.split(r"[.]", text)[:-1]
freq = Counter(words)
print("words:", len(words))
print("distinct words:", len(freq))
print("sentences:", len(sentences))
print("words per sentence:", round(len(words) / len(sentences), 2))
print(freq.most_common(6))
''', '''
lengths = [len(w) for w in words]
print("characters in words:", sum(lengths))
print("mean word length:", round(sum(lengths) / len(lengths), 3))
print("longest:", max(words, key=len))
'''],
    "answers": [
        ("plain", "The poem has 66 words in 6 sentences, 11 words per sentence.", [
            ("swapped entity", "66 words in 6 sentences", "6 words in 66 sentences", ["6 words in", "66 sentences"]),
            ("digit", "66 words", "69 words"),
            ("number of something else", "6 sentences", "33 sentences")]),
        ("small integers", "\"the\" occurs 12 times, \"on\" 7 times and \"and\" 6 times.", [
            ("swapped entity", "\"on\" 7 times and \"and\" 6 times", "\"on\" 6 times and \"and\" 7 times", ["\"on\" 6", "\"and\" 7"]),
            ("digit", "12 times", "15 times")]),
        ("fractions in words", "Exactly half of the words are distinct (33 of 66).", [
            ("digit", "33 of 66", "23 of 66", "23")]),
        ("derived", "18.2 % of all words are \"the\".", [
            ("miscomputed derivation", "18.2 %", "12.8 %")]),
        ("plain", "On average a word is 3.636 letters long.", [
            ("digit", "3.636", "3.663"),
            ("number of something else", "3.636 letters", "11 letters", "11")]),
        ("constants of a method", "The top 6 words are the, on, and, comes, it and cat.", []),
        ("French", "Le poème compte 66 mots, dont 33 différents, soit 3,64 lettres par mot en moyenne.", [
            ("rounding", "3,64", "3,65"),
            ("digit", "66 mots", "96 mots")]),
    ],
}
