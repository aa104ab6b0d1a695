{
    "domain": 'wordcount',
    "question": 'Give me statistics about the text.',
    "cells": [
        r'''
text = """the river ran past the mill and the mill ran past the old stone bridge while the children
counted boats on the river and the miller counted sacks of flour by the door of the mill"""
words = text.split()
from collections import Counter
c = Counter(words)
print(len(words), "words,", len(c), "distinct")
print(c.most_common(4))
print("longest:", max(words, key=len), len(max(words, key=len)))
print("average length", round(sum(map(len, words)) / len(words), 2))
print("type-token ratio", round(len(c) / len(words), 3))
''',
    ],
    "answers": [
        ('plain', 'The text has 36 words, 20 of them distinct, which gives a type-token ratio of 0.556.', [
            ('swapped entity', '36 words, 20 of', '20 words, 36 of', ['20 words', '36 of']),
            ('digit', '0.556', '0.565'),
        ]),
        ('plain', '"the" is the most frequent word (9 times), followed by "mill" with 3 occurrences.', [
            ('digit', '9 times', '8 times', '8'),
        ]),
        ('derived', 'Every fourth word is "the" (25 %).', [
            ('miscomputed derivation', '25 %', '30 %'),
        ]),
        ('plain', 'Words are 3.97 letters long on average; the longest, "children", has 8.', [
            ('digit', '3.97', '3.79'),
            ('digit', 'has 8', 'has 9', 'has 9'),
        ]),
    ],
}
