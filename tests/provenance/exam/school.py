{
    "domain": "class test",
    "question": "class 8b maths test, max 50 points. need mean, median, grade distribution (1 to 6). update: Jonas handed in his 2nd sheet late, he has 44 points, not 4",
    "cells": [
r"""from statistics import mean, median, stdev, mode
scores = {"Aylin": 34, "Ben": 27, "Carla": 41, "David": 19, "Emil": 38, "Finja": 45, "Greta": 30, "Hassan": 36,
          "Ida": 22, "Jonas": 4, "Klara": 48, "Levi": 33, "Mia": 27, "Noah": 39, "Olivia": 43, "Paul": 16,
          "Quentin": 29, "Rosa": 37, "Sami": 31, "Tilda": 40, "Umut": 27, "Vera": 35}
vals = list(scores.values())
len(vals), mean(vals), median(vals), stdev(vals), mode(vals), min(vals), max(vals)""",
r"""def grade(p, top=50):
    q = p / top
    for g, limit in [(1, .92), (2, .81), (3, .67), (4, .50), (5, .30)]:
        if q >= limit:
            return g
    return 6
grades = {n: grade(p) for n, p in scores.items()}
for g in range(1, 7):
    names = [n for n in grades if grades[n] == g]
    print(g, len(names), names)
print("average grade:", round(mean(grades.values()), 2))""",
r"""# Jonas' second sheet was missing: 4 -> 44 points
scores["Jonas"] = 44
vals = list(scores.values())
grades = {n: grade(p) for n, p in scores.items()}
print("mean", round(mean(vals), 2), "median", median(vals), "sd", round(stdev(vals), 2), "lowest", min(vals))
print("average grade:", round(mean(grades.values()), 2))
print({g: list(grades.values()).count(g) for g in range(1, 7)})"""],
    "answers": [
        ("plain", "With Jonas's corrected score the class mean is 33.68 points and the median 34.5.", [
            ("stale value", "33.68", "31.86"),
            ("stale value", "median 34.5", "median 33.5", "33.5"),
        ]),
        ("list or table", "Final grade distribution:\n\n| Grade | Students |\n|---|---|\n| 1 | 1 |\n| 2 | 4 |\n| 3 | 7 |\n| 4 | 7 |\n| 5 | 3 |\n| 6 | 0 |\n\nAverage grade: 3.32", [
            ("stale value", "Average grade: 3.32", "Average grade: 3.5", "3.5"),
            ("digit", "3.32", "3.23"),
            ("digit", "| 2 | 4 |", "| 2 | 8 |", "8"),
        ]),
        ("counted", "22 students took the test. Klara did best with 48 of 50 points, Paul is now last with 16; nobody gets a 6 any more.", [
            ("stale value", "last with 16", "last with 4", "last with 4"),
            ("digit", "22 students", "24 students", "24"),
            ("swapped entity", "Klara did best with 48", "Klara did best with 45", "45"),
        ]),
        ("derived", "The correction raised the mean by about 1.8 points, from 31.86 to 33.68, and shrank the standard deviation from 10.30 to 8.53. The average grade improved from 3.5 to 3.32.", [
            ("miscomputed derivation", "about 1.8 points", "about 2.8 points", "2.8"),
            ("sign or direction", "raised the mean by about 1.8 points, from 31.86 to 33.68", "lowered the mean by about 1.8 points, from 33.68 to 31.86", ["about 1.8", "33.68", "31.86"]),
            ("digit", "to 8.53", "to 8.35", "8.35"),
        ]),
        ("percent", "19 of the 22 students (86%) now have a 4 or better, and 5 of them (23% of the class) even a 1 or a 2.", [
            ("stale value", "19 of the 22", "18 of the 22", "18"),
            ("miscomputed derivation", "(86%)", "(68%)", "68%"),
            ("miscomputed derivation", "(23% of", "(32% of", "32%"),
        ]),
        ("small integers", "Three students (David, Ida and Paul) got a 5. The most frequent score was 27 points, reached by three children: Ben, Mia and Umut.", [
            ("wrong statistic", "was 27 points", "was 34.5 points", "34.5"),
        ]),
        ("fractions in words", "On average the children scored about two thirds of the 50 points (67 %), and the best and the worst paper are 32 points apart.", [
            ("stale value", "are 32 points", "are 44 points", "44"),
            ("miscomputed derivation", "(67 %)", "(76 %)", "76 %"),
        ]),
    ],
}
