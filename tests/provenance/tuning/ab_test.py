{
    "domain": "A/B tests",
    "question": "Is variant B better than A? We showed each to 8,000 visitors; our threshold is 5 %.",
    "cells": ['''
import math

shown = {"A": 8000, "B": 8000}
bought = {"A": 412, "B": 486}
rate = {v: bought[v] / shown[v] for v in shown}
for v in shown:
    print(f"variant {v}: {bought[v]} of {shown[v]} bought, conversion {rate[v]:.3%}")
lift = rate["B"] / rate["A"] - 1
print(f"relative lift: {lift:.2%}")
print(f"absolute difference: {(rate['B'] - rate['A']) * 100:.3f} percentage points")
''', '''
pooled = sum(bought.values()) / sum(shown.values())
z = (rate["B"] - rate["A"]) / math.sqrt(pooled * (1 - pooled) * (1 / 8000 + 1 / 8000))
p = math.erfc(abs(z) / math.sqrt(2))
print(f"z = {z:.3f}")
print(f"p = {p:.4f}")
se = math.sqrt(sum(rate[v] * (1 - rate[v]) / shown[v] for v in shown))
low, high = (rate["B"] - rate["A"]) + 1.96 * se * -1, (rate["B"] - rate["A"]) + 1.96 * se
print(f"95% interval of the difference: {low:.4f} to {high:.4f}")
'''],
    "answers": [
        ("plain", "B converts at 6.075% and A at 5.150%, a relative lift of 17.96%.", [
            ("swapped entity", "B converts at 6.075% and A at 5.150%", "A converts at 6.075% and B at 5.150%", ["6.075%", "5.150%"]),
            ("digit", "17.96%", "19.76%"),
            ("question number given as result", "a relative lift of 17.96%", "a relative lift of 5%", "lift of 5%")]),
        ("constants of a method", "The difference is significant at the 5 % level (z = 2.542, two-sided p = 0.011 < 0.05).", [
            ("digit", "2.542", "2.452"),
            ("number of something else", "p = 0.011", "p = 0.925", "0.925"),
            ("scale", "p = 0.011", "p = 0.0011", "0.0011")]),
        ("derived", "B brought 74 more sales than A.", [
            ("miscomputed derivation", "74 more", "84 more"),
            ("sign or direction", "B brought 74 more", "B brought 74 fewer", "74")]),
        ("plain", "486 of 8,000 visitors bought in B, 412 in A.", [
            ("swapped entity", "bought in B, 412 in A", "bought in A, 412 in B", ["486", "412"]),
            ("question number given as result", "412 in A", "8,000 in A", "8,000 in A")]),
        ("inequalities", "With p < 0.05 I would roll out B; even the lower end of the 95 % interval, 0.0021, is above zero.", [
            ("digit", "0.0021", "0.0012")]),
        ("units or currency", "That is 0.925 percentage points more, with a 95% interval of 0.21 to 1.64 points.", [
            ("scale", "0.925 percentage points", "9.25 percentage points"),
            ("rounding", "1.64 points", "1.66 points"),
            ("number of something else", "95% interval", "90% interval", "90%")]),
        ("fractions in words", "Roughly one visitor in twenty buys with A.", []),
    
        ("German", "Variante B liegt mit 6,075 % um 17,96 % über Variante A (5,15 %); der p-Wert ist 0,011 und damit kleiner als 0,05.", [
            ("sign or direction", "um 17,96 % über Variante A", "um 17,96 % unter Variante A", "17,96 %"),
            ("digit", "17,96 %", "19,76 %"),
            ("scale", "0,011", "0,11")]),
        ("French", "La variante B convertit 6,075 % des visiteurs, contre 5,150 % pour A.", [
            ("swapped entity", "La variante B convertit 6,075 % des visiteurs, contre 5,150 % pour A", "La variante A convertit 6,075 % des visiteurs, contre 5,150 % pour B", ["6,075 %", "5,150 %"])]),
    ],
}
