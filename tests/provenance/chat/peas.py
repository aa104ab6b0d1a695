{
    "domain": "genetics",
    "question": "F2 cross: 423 round yellow, 133 round green, 129 wrinkled yellow, 55 wrinkled green. Does it fit 9:3:3:1? I think the critical value is 7.81",
    "cells": [
r"""from scipy.stats import chi2
obs = [423, 133, 129, 55]
n = sum(obs)
exp = [n * k / 16 for k in (9, 3, 3, 1)]
x2 = sum((o - e) ** 2 / e for o, e in zip(obs, exp))
print({"n": n, "expected": exp, "chi2": round(x2, 3), "df": 3, "p": round(chi2.sf(x2, 3), 3)})"""],
    "answers": [
        ("plain", "χ² = 2.69 with 3 degrees of freedom, p = 0.44, so the data fit 9:3:3:1.", [
            ("question number given as result", "χ² = 2.69", "χ² = 7.81", "7.81"),
            ("scale", "0.44", "0.044"),
        ]),
        ("derived", "Round seeds: 556 of 740, which is 75%.", [
            ("miscomputed derivation", "556", "546"),
            ("number of something else", "75%", "57%"),
        ]),
        ("inequalities", "2.69 is far below your critical value of 7.81, so you can't reject the ratio.", [
            ("sign or direction", "far below", "far above", ["2.69", "7.81"]),
            ("wrong statistic", "2.69", "0.44"),
        ]),
        ("constants of a method", "Under 9:3:3:1 you would expect 416.25, 138.75, 138.75 and 46.25 plants out of 740.", [
            ("typed literal", "416.25", "423"),
            ("digit", "46.25 plants", "64.25 plants", "64.25"),
        ]),
        ("fractions in words", "A sixteenth should be wrinkled green, i.e. about 46 plants; you counted 55.", [
            ("swapped entity", "counted 55", "counted 129", "129"),
            ("wrong column", "about 46", "about 139", "139"),
        ]),
        ("small integers", "Four classes, so 3 degrees of freedom.", [
            ("number of something else", "3 degrees", "4 degrees", "4"),
        ]),
        ("percent", "57% of the offspring are round and yellow; 9/16 would be 56%.", [
            ("miscomputed derivation", "57%", "61%"),
            ("number of something else", "57%", "75%"),
        ]),
    ],
}
