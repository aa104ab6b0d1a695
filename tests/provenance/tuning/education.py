{
    "domain": "education",
    "question": "Please analyse the exam: 30 students, 50 points.",
    "cells": ['''
import statistics
points = [41, 38, 27, 45, 33, 19, 36, 48, 29, 31, 40, 22, 35, 37, 44, 26, 39, 30, 42, 17, 34, 47, 28, 36, 32, 43, 25, 36, 46, 24]
print("students:", len(points))
print("mean:", round(statistics.mean(points), 2))
print("median:", statistics.median(points))
print("mode:", statistics.mode(points))
print("standard deviation:", round(statistics.stdev(points), 2))
print("best:", max(points), "worst:", min(points))
''', '''
grades = {"A": 45, "B": 38, "C": 31, "D": 25}
table = {}
for p in points:
    grade = next((g for g, limit in grades.items() if p >= limit), "F")
    table[grade] = table.get(grade, 0) + 1
for grade in "ABCDF":
    print(grade, table[grade])
passed = sum(n for g, n in table.items() if g != "F")
print(f"pass rate: {passed / len(points):.1%}")
'''],
    "answers": [
        ("plain", "The mean is 34.33 points, the median 35.5.", [
            ("wrong statistic", "The mean is 34.33 points, the median 35.5", "The median is 34.33 points, the mean 35.5", ["34.33", "35.5"]),
            ("digit", "34.33", "33.43"),
            ("question number given as result", "The mean is 34.33 points", "The mean is 50 points", "50")]),
        ("percent", "86.7 % passed; 4 of 30 failed.", [
            ("digit", "86.7 %", "87.6 %"),
            ("number of something else", "4 of 30", "9 of 30", "9 of")]),
        ("list or table", "Grades: A 4, B 7, C 9, D 6, F 4.", [
            ("swapped entity", "B 7, C 9", "B 9, C 7", ["B 9", "C 7"]),
            ("digit", "D 6", "D 8", "D 8")]),
        ("small integers", "4 students got an A, 7 a B.", [
            ("swapped entity", "4 students got an A, 7 a B", "7 students got an A, 4 a B", ["7 students", "4 a B"])]),
        ("derived", "Eleven students (36.7 %) reached a B or better.", [
            ("miscomputed derivation", "36.7 %", "33.7 %")]),
        ("derived", "The best (48) and the worst (17) are 31 points apart.", [
            ("miscomputed derivation", "31 points", "29 points"),
            ("swapped entity", "The best (48) and the worst (17)", "The best (17) and the worst (48)", ["17", "48"])]),
        ("plain", "Most frequent was 36 points; the standard deviation is 8.43.", [
            ("wrong statistic", "Most frequent was 36 points", "Most frequent was 48 points", "48"),
            ("rounding", "8.43", "8.5")]),
        ("German", "Im Mittel wurden 34,33 von 50 Punkten erreicht, bestanden haben 86,7 %.", [
            ("scale", "86,7 %", "8,67 %"),
            ("digit", "34,33", "34,83")]),
    
        ("French", "La moyenne est de 34,33 points et la médiane de 35,5 ; 86,7 % des étudiants ont réussi.", [
            ("wrong statistic", "La moyenne est de 34,33 points et la médiane de 35,5", "La médiane est de 34,33 points et la moyenne de 35,5", ["34,33", "35,5"]),
            ("digit", "86,7 %", "87,6 %")]),
    ],
}
