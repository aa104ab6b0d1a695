{
    "domain": "fitness",
    "question": "My goal is 10,000 steps a day. How was my fortnight?",
    "cells": ['''
steps = [8421, 11230, 9875, 12044, 7312, 15620, 4980, 10211, 9640, 10873, 8899, 13377, 14102, 6054]
over = [s for s in steps if s >= 10000]
print("days:", len(steps))
print("steps in total:", sum(steps))
print("mean per day:", round(sum(steps) / len(steps), 1))
print("days with the goal reached:", len(over))
print("best day:", max(steps), "worst day:", min(steps))
''', '''
first, second = sum(steps[:7]), sum(steps[7:])
print("first week:", first)
print("second week:", second)
print(f"change: {(second - first) / first * 100:+.2f} %")
print("kilometres:", round(sum(steps) * 0.00073, 1))
print("calories per kilometre:", 52)
'''],
    "answers": [
        ("plain", "You walked 142,638 steps in 14 days, 10,188.4 per day, so you met your goal of 10,000 on average.", [
            ("digit", "142,638", "146,238"),
            ("question number given as result", "10,188.4 per day, so you met your goal of 10,000 on average", "10,000 per day", "10,000"),
            ("invented", "10,188.4", "11,024.7")]),
        ("small integers", "You reached 10,000 steps on 7 of 14 days.", [
            ("digit", "7 of", "9 of", "9 of"),
            ("number of something else", "7 of 14 days", "14 of 14 days", "14 of")]),
        ("percent", "The second week was 5.29 % better than the first (73,156 against 69,482).", [
            ("sign or direction", "5.29 % better than the first", "5.29 % worse than the first", "5.29 %"),
            ("swapped entity", "(73,156 against 69,482)", "(69,482 against 73,156)", ["69,482", "73,156"]),
            ("digit", "5.29 %", "5.92 %")]),
        ("derived", "That is 3,674 steps more than in the first week.", [
            ("miscomputed derivation", "3,674", "3,764"),
            ("sign or direction", "3,674 steps more", "3,674 steps fewer", "3,674")]),
        ("plain", "Best day: 15,620. Worst day: 4,980.", [
            ("swapped entity", "Best day: 15,620. Worst day: 4,980", "Best day: 4,980. Worst day: 15,620", ["4,980", "15,620"]),
            ("digit", "4,980", "4,890")]),
        ("units or currency", "All in all about 104.1 km.", [
            ("scale", "104.1 km", "104.1 m"),
            ("typed literal", "All in all about 104.1 km", "You burn 52 calories per kilometre", "52")]),
        ("inequalities", "You never took fewer than 4,980 steps.", [
            ("wrong statistic", "4,980", "10,188.4")]),
    ],
}
