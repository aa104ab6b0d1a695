{
    "domain": "manufacturing",
    "question": "Is the bore diameter under control? Nominal is 20.00 mm, tolerance ± 0.05 mm.",
    "cells": ['''
import random
import statistics

random.seed(17)
parts = [round(random.gauss(20.006, 0.014), 3) for _ in range(200)]
mean, sd = statistics.mean(parts), statistics.stdev(parts)
print(f"parts measured: {len(parts)}")
print(f"mean diameter: {mean:.4f} mm")
print(f"standard deviation: {sd:.4f} mm")
print(f"smallest {min(parts):.3f} mm, largest {max(parts):.3f} mm")
''', '''
lower, upper = mean - 3 * sd, mean + 3 * sd
print(f"control limits: {lower:.4f} .. {upper:.4f} mm")
print("outside of the control limits:", sum(not lower <= p <= upper for p in parts))
cpk = min(20.05 - mean, mean - 19.95) / (3 * sd)
print(f"Cp = {0.1 / (6 * sd):.3f}, Cpk = {cpk:.3f}")
'''],
    "answers": [
        ("plain", "The mean diameter is 20.0052 mm with a standard deviation of 0.0144 mm.", [
            ("digit", "20.0052", "20.0025"),
            ("scale", "0.0144", "0.144"),
            ("question number given as result", "a standard deviation of 0.0144 mm", "a standard deviation of 0.05 mm", "0.05")]),
        ("constants of a method", "With 3-sigma limits of 19.9620 and 20.0484 mm, 1 of 200 parts is outside.", [
            ("digit", "19.9620", "19.9260"),
            ("number of something else", "1 of 200", "3 of 200", "3 of")]),
        ("plain", "Cp is 1.157 and Cpk 1.037.", [
            ("swapped entity", "Cp is 1.157 and Cpk 1.037", "Cp is 1.037 and Cpk 1.157", ["1.037", "1.157"]),
            ("invented", "1.037", "1.330")]),
        ("constants of a method", "Cpk = 1.037 is below the usual 1.33, so the process is barely capable.", [
            ("digit", "1.037", "1.073")]),
        ("inequalities", "All parts are within 20.00 ± 0.05 mm: the extremes are 19.960 and 20.043.", [
            ("digit", "19.960", "19.990")]),
        ("derived", "The process sits 0.0052 mm above nominal.", [
            ("sign or direction", "0.0052 mm above", "0.0052 mm below", "0.0052"),
            ("miscomputed derivation", "0.0052 mm", "0.0062 mm")]),
        ("derived", "Largest and smallest part differ by 0.083 mm.", [
            ("miscomputed derivation", "0.083", "0.093")]),
    ],
}
