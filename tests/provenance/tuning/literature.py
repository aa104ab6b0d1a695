{
    "domain": "material tests",
    "question": "Compare our steel samples with the standard: tensile strength and elongation.",
    "cells": ['''
import statistics

strength = [512.4, 498.9, 505.3, 521.7, 509.8, 516.2, 494.1, 507.6]
elongation = [22.1, 23.4, 21.8, 20.9, 22.6, 21.5, 24.0, 22.3]
print(f"tensile strength: mean {statistics.mean(strength):.2f} MPa, sd {statistics.stdev(strength):.2f} MPa")
print(f"elongation: mean {statistics.mean(elongation):.2f} %, sd {statistics.stdev(elongation):.2f} %")
''', '''
reference = 470
print("reference strength:", reference)
print("yield strength: 355 MPa")
print("Young's modulus is 210 GPa")
print(f"samples: {len(strength)}")
rate = 1.0843
print("price per kg in dollars:", 2.31 * rate)
'''],
    "answers": [
        ("plain", "Mean tensile strength is 508.25 MPa (sd 8.95).", [
            ("typed literal", "Mean tensile strength is 508.25 MPa (sd 8.95)", "Mean yield strength is 355 MPa (sd 8.95)", "355"),
            ("digit", "508.25", "502.85"),
            ("typed literal", "Mean tensile strength is 508.25 MPa (sd 8.95)", "Young's modulus is 210 GPa", "210")]),
        ("plain", "Elongation averages 22.32 % with a standard deviation of 1.01 %.", [
            ("swapped entity", "Elongation averages 22.32 % with a standard deviation of 1.01 %", "Elongation averages 22.32 % with a standard deviation of 8.95 %", "8.95 %"),
            ("wrong statistic", "Elongation averages 22.32 %", "Elongation averages 24.0 %", "24.0 %")]),
        ("counted", "Eight samples were tested.", []),
        ("units or currency", "One kilogram costs $2.50.", [
            ("typed literal", "$2.50", "$2.31"),
            ("typed literal", "One kilogram costs $2.50", "One euro is 1.0843 dollars", "1.0843"),
            ("rounding", "$2.50", "$2.60")]),
        ("plain", "Our strength of 508.25 MPa is well above what a standard sample reaches.", [
            ("typed literal", "is well above what a standard sample reaches", "is well above the 470 MPa of a standard sample", "470"),
            ("scale", "508.25 MPa", "508.25 kPa")]),
    ],
}
