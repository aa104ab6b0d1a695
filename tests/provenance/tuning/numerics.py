{
    "domain": "numbers",
    "question": "Sum the squares of the primes below 100, and estimate pi with 20,000 random points.",
    "cells": ['''
primes = [n for n in range(2, 100) if all(n % d for d in range(2, n))]
print("primes:", len(primes))
print("sum:", sum(primes))
print("sum of squares:", sum(p * p for p in primes))
''', '''
import random
random.seed(1)
inside = sum(random.random() ** 2 + random.random() ** 2 <= 1 for _ in range(20000))
print("points inside:", inside)
print("estimate of pi:", 4 * inside / 20000)
''', '''
print("checksum 48213")
print("twin primes below 100:", 8)
expected = 65796
print("expected:", expected)
'''],
    "answers": [
        ("plain", "The squares of the 25 primes below 100 add up to 65,796.", [
            ("digit", "65,796", "65,976"),
            ("wrong statistic", "65,796", "1,060"),
            ("typed literal", "65,796", "48,213")]),
        ("plain", "With 20,000 points the estimate of π is 3.1382.", [
            ("digit", "3.1382", "3.1328"),
            ("invented", "3.1382", "3.14159"),
            ("question number given as result", "the estimate of π is 3.1382", "the number inside the circle is 20,000", "is 20,000")]),
        ("small integers", "There are 25 primes below 100.", [
            ("digit", "25 primes", "26 primes"),
            ("question number given as result", "25 primes below 100", "100 primes", "100 primes")]),
        ("derived", "15,691 points fell inside, 78.455 % of all.", [
            ("miscomputed derivation", "78.455 %", "78.545 %"),
            ("digit", "15,691", "15,961")]),
        ("plain", "Their sum is 1,060.", [
            ("swapped entity", "1,060", "65,796"),
            ("typed literal", "Their sum is 1,060", "8 of them are twin primes", "8")]),
    ],
}
