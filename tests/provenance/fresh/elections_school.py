{
    "domain": "elections school",
    "question": "Who won the student council election and what was the turnout?",
    "cells": ['''
from collections import Counter
votes = Counter({"Amira": 214, "Jonas": 187, "Lena": 96, "Tomas": 41})
invalid = 12
eligible = 815
cast = sum(votes.values()) + invalid
print(votes.most_common())
print("cast:", cast, "valid:", sum(votes.values()), "invalid:", invalid)
print("turnout:", round(100 * cast / eligible, 1), "%")
for name, count in votes.items():
    print(f"{name:<6} {count:>4} {count / sum(votes.values()):.1%}")
'''],
    "answers": [
        ("plain", "Amira won with 214 votes (39.8 %), ahead of Jonas with 187 (34.8 %).", [
            ("swapped entity", "Amira won with 214 votes (39.8 %), ahead of Jonas", "Jonas won with 214 votes (39.8 %), ahead of Amira", ["214", "39.8 %"]),
            ("digit", "34.8 %", "38.4 %")]),
        ("percent", "Turnout was 67.5 %: 550 of 815 eligible students voted.", [
            ("digit", "67.5 %", "65.7 %"),
            ("number of something else", "550 of", "538 of", "538")]),
        ("derived", "Amira's lead over Jonas is 27 votes, or 5.0 percentage points.", [
            ("miscomputed derivation", "27 votes", "37 votes"),
            ("swapped entity", "lead over Jonas", "lead over Lena", "27")]),
        ("small integers", "Only 12 ballots were invalid.", [
            ("number of something else", "12 ballots", "41 ballots", "41"),
            ("digit", "12 ballots", "21 ballots", "21")]),
        ("derived", "265 students did not vote.", [
            ("miscomputed derivation", "265", "256")]),
        ("fractions in words", "Two thirds of the students went to vote.", []),
        ("counted", "There were 4 candidates.", [
            ("digit", "4 candidates", "5 candidates", "5")]),
        ("list or table", "- Amira: 214\n- Jonas: 187\n- Lena: 96\n- Tomas: 41", [
            ("swapped entity", "Lena: 96\n- Tomas: 41", "Lena: 41\n- Tomas: 96", ["Lena: 41", "Tomas: 96"])]),
        ("percent", "Lena and Tomas together got a quarter of the valid votes, 25.5 %.", [
            ("miscomputed derivation", "25.5 %", "22.5 %")]),
        ("German", "Amira gewann mit 214 Stimmen (39,8 %), die Wahlbeteiligung lag bei 67,5 %.", [
            ("swapped entity", "39,8 %", "34,8 %")]),
    ],
}
