{
    "domain": "power",
    "question": "How many primes and perfect squares are there below 10,000?",
    "cells": ['''
N = 10000
sieve = [True]*N; sieve[0]=sieve[1]=False
for i in range(2, 100):
    if sieve[i]:
        for k in range(i*i, N, i): sieve[k]=False
primes = [i for i in range(N) if sieve[i]]
print(len(primes), primes[-1])
twins = sum(1 for a, b in zip(primes, primes[1:]) if b-a==2)
print("twin pairs:", twins)
gaps = [b-a for a, b in zip(primes, primes[1:])]
print("largest gap:", max(gaps), "mean gap:", round(sum(gaps)/len(gaps), 3))
print("squares:", sum(1 for i in range(1, 100) if i*i < N))
'''],
    "answers": [
        ("plain", "There are 1,229 primes below 10,000; the largest is 9,973.", [
            ("swapped entity", "1,229 primes below 10,000; the largest is 9,973", "9,973 primes below 10,000; the largest is 1,229", ["9,973", "1,229"]),
            ("digit", "1,229", "1,292"),
            ("question number given as result", "the largest is 9,973", "the largest is 10,000 exactly", "10,000 exactly")]),
        ("plain", "205 pairs of twin primes lie below 10,000, and the largest gap between neighbours is 36.", [
            ("number of something else", "205", "99"),
            ("wrong statistic", "is 36", "is 8.12", "8.12")]),
        ("small integers", "There are 99 perfect squares in that range.", [
            ("digit", "99", "100")]),
        ("percent", "About 12.3 % of the numbers below 10,000 are prime.", [
            ("miscomputed derivation", "12.3 %", "13.2 %")]),
        ("plain", "On average the gap between two primes is 8.12.", [
            ("wrong statistic", "8.12", "36")]),
    ],
}
