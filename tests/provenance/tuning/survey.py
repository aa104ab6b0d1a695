{
    "domain": "surveys",
    "question": "Evaluate the survey of 400 employees about remote work.",
    "cells": ['''
import pandas as pd

answers = pd.DataFrame(
    {"yes": [61, 74, 38, 52], "no": [22, 19, 47, 24], "undecided": [17, 12, 21, 13]},
    index=["Sales", "Engineering", "Production", "Finance"])
answers["asked"] = answers.sum(axis=1)
print(answers)
share = (answers["yes"] / answers["asked"] * 100).round(1)
print(share.to_string())
''', '''
total = answers.sum()
print(total.to_dict())
print("in favour:", round(100 * total["yes"] / total["asked"], 2), "%")
print("against:", round(100 * total["no"] / total["asked"], 2), "%")
'''],
    "answers": [
        ("percent", "56.25 % of the 400 employees are in favour, 28 % against.", [
            ("swapped entity", "are in favour, 28 % against", "are against, 28 % in favour", ["56.25 %", "28 %"]),
            ("digit", "56.25 %", "52.65 %"),
            ("question number given as result", "56.25 % of the 400 employees are in favour", "400 employees are in favour", "400")]),
        ("plain", "Engineering is the most positive department (70.5 % yes), Production the least (35.8 %).", [
            ("swapped entity", "Engineering is the most positive department (70.5 % yes), Production the least (35.8 %)", "Production is the most positive department (70.5 % yes), Engineering the least (35.8 %)", ["70.5 %", "35.8 %"]),
            ("digit", "70.5 %", "75.0 %"),
            ("swapped entity", "(35.8 %)", "(58.4 %)", "58.4 %")]),
        ("derived", "The gap between these two is 34.7 percentage points.", [
            ("miscomputed derivation", "34.7", "37.4")]),
        ("plain", "225 said yes, 112 no, and 63 are undecided.", [
            ("swapped entity", "112 no, and 63 are undecided", "63 no, and 112 are undecided", ["63 no", "112"]),
            ("digit", "225", "252")]),
        ("fractions in words", "Well over half are for it, and roughly one in six has not decided.", []),
        ("derived", "15.8 % (63 of 400) are undecided.", [
            ("miscomputed derivation", "15.8 %", "18.5 %")]),
        ("small integers", "In Finance 13 people were undecided.", [
            ("wrong column", "13 people", "24 people"),
            ("swapped entity", "In Finance", "In Production", "13")]),
        ("list or table", "Yes votes by department:\n\n* Sales: 61\n* Engineering: 74\n* Production: 38\n* Finance: 52", [
            ("swapped entity", "Production: 38", "Production: 47", "47"),
            ("digit", "Engineering: 74", "Engineering: 47", "47")]),
    
        ("German", "56,25 % der 400 Befragten sind dafür, 28 % dagegen, 15,75 % noch unentschieden.", [
            ("digit", "56,25 %", "52,65 %"),
            ("miscomputed derivation", "15,75 %", "17,55 %")]),
        ("French", "Le service Engineering est le plus favorable (70,5 %), Production le moins (35,8 %).", [
            ("swapped entity", "Le service Engineering est le plus favorable (70,5 %), Production le moins (35,8 %)", "Le service Production est le plus favorable (70,5 %), Engineering le moins (35,8 %)", ["70,5 %", "35,8 %"]),
            ("digit", "35,8 %", "38,5 %")]),
    ],
}
