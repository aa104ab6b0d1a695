{
    "domain": "chemistry",
    "question": "Evaluate the titration: concentration of the acid and how well the five runs agree?",
    "cells": ['''
import statistics

volumes = [24.62, 24.58, 24.71, 24.60, 24.64]   # ml of NaOH
c_base = 0.1052                                  # mol/l
acid_ml = 25.00
concentrations = [c_base * v / acid_ml for v in volumes]
for run, (v, c) in enumerate(zip(volumes, concentrations), 1):
    print(f"run {run}: V = {v:.2f} ml, c = {c:.5f} mol/l")
''', '''
mean = statistics.mean(concentrations)
sd = statistics.stdev(concentrations)
print(f"mean c = {mean:.5f} mol/l")
print(f"standard deviation = {sd:.6f} mol/l")
print(f"relative = {sd / mean * 100:.2f} %")
print("mean volume", round(statistics.mean(volumes), 3), "ml")
'''],
    "answers": [
        ("plain", "The acid has a concentration of 0.10364 mol/l.", [
            ("digit", "0.10364", "0.10346"),
            ("scale", "0.10364", "1.0364"),
            ("typed literal", "0.10364", "0.1052")]),
        ("units or currency", "c = 0.1036 mol/l with a standard deviation of 0.00021 mol/l, i.e. 0.20 % relative.", [
            ("scale", "0.00021", "0.0021"),
            ("rounding", "0.1036 mol/l", "0.1037 mol/l")]),
        ("list or table", "Results:\n1. Run 1: 0.10360 mol/l\n2. Run 2: 0.10343 mol/l\n3. Run 3: 0.10398 mol/l\n4. Run 4: 0.10352 mol/l\n5. Run 5: 0.10369 mol/l\n\nMean: 0.10364 mol/l", [
            ("swapped entity", "Run 3: 0.10398", "Run 3: 0.10343", "Run 3: 0.10343"),
            ("digit", "0.10369", "0.10396")]),
        ("small integers", "All five runs agree within 0.6 %; run 3 is the highest.", []),
        ("derived", "Highest and lowest run differ by 0.00055 mol/l (0.10398 against 0.10343).", [
            ("miscomputed derivation", "0.00055", "0.00045")]),
        ("plain", "On average 24.63 ml of base were needed.", [
            ("digit", "24.63", "24.36"),
            ("number of something else", "24.63 ml", "0.20 ml")]),
    ],
}
