{
    "domain": "sim",
    "question": "Estimate pi with 200,000 random points.",
    "cells": ['''
import random
random.seed(2024)
N = 200000
inside = sum(random.random()**2 + random.random()**2 <= 1 for _ in range(N))
est = 4*inside/N
print("inside:", inside)
print("estimate:", est)
print("error:", abs(est-3.141592653589793))
'''],
    "answers": [
        ("plain", "With 200,000 points the estimate of pi is 3.14194, off by 0.00035.", [
            ("digit", "3.14194", "3.14149"),
            ("digit", "0.00035", "0.00053")]),
        ("percent", "157,097 of the 200,000 points (78.5 %) fell inside the quarter circle.", [
            ("digit", "157,097", "175,097"),
            ("miscomputed derivation", "78.5 %", "75.8 %")]),
        ("derived", "42,903 points fell outside.", [
            ("miscomputed derivation", "42,903", "43,902")]),
    ],
}
