{
"domain": "podcast downloads",
"question": "Here are the first-30-day downloads of our last ten episodes. Any trend?",
"cells": [
r"""import statistics as st
eps = {101: 4120, 102: 3985, 103: 4310, 104: 6870, 105: 4455, 106: 4390, 107: 4720, 108: 4915, 109: 4860, 110: 5240}
for k, v in eps.items():
    print("ep", k, v)
x = list(eps.values())
print("mean", st.mean(x), "median", st.median(x), "sd", round(st.stdev(x), 1))""",
r"""a, b = x[:5], x[5:]
print("first five", sum(a), st.mean(a), "last five", sum(b), st.mean(b))
no104 = [v for k, v in eps.items() if k != 104]
print("mean without 104:", round(st.mean(no104), 1))""",
],
"answers": [
("derived", "Slightly up: the last five episodes average 4,825 downloads, 77 more than the first five.", [
    ("miscomputed derivation", "77 more", "177 more", "177"),
    ("sign or direction", "77 more than", "77 fewer than", "77"),
    ("wrong statistic", "4,825", "4,786.5"),
]),
("derived", "Episode 104 is the outlier with 6,870, that's 1,630 ahead of the runner-up, episode 110.", [
    ("miscomputed derivation", "1,630", "2,083"),
    ("swapped entity", "6,870", "5,240"),
    ("sign or direction", "1,630 ahead of the runner-up", "1,630 behind the runner-up", "1,630"),
]),
("derived", "Leave out 104 and the mean falls from 4,786.5 to 4,555, so by 231.5.", [
    ("miscomputed derivation", "231.5", "321.5"),
    ("sign or direction", "falls from 4,786.5 to 4,555", "rises from 4,786.5 to 4,555", ["4,786.5", "4,555"]),
    ("wrong statistic", "4,786.5", "4,587.5"),
]),
("summary of an analysis", "Yes, once the outlier is set aside. Without episode 104 (6,870) the first group averages 4,217.5 downloads, the last five 4,825, which is 14% more. The newest episode reached 5,240, 1,120 more than episode 101 or growth of 27%. All ten together come to 47,865, and a single episode accounts for 14% of that. With it included, the two halves differ by just 385 downloads (23,740 and 24,125).", [
    ("miscomputed derivation", "growth of 27%", "growth of 29%", "29"),
    ("digit", "(23,740 and 24,125)", "(23,740 and 24,215)", "24,215"),
    ("miscomputed derivation", "385 downloads", "485 downloads", "485"),
    ("sign or direction", "1,120 more than episode 101", "1,120 fewer than episode 101", "1,120"),
]),
("list or table", '''- Mean: 4,786.5
- Median: 4,587.5 (199 below the mean)
- Best: 104 with 6,870
- Weakest: 102 with 3,985, so 2,885 less
- Above the mean: 4 episodes (104, 108, 109, 110)''', [
    ("sign or direction", "199 below the mean", "199 above the mean", "199"),
    ("miscomputed derivation", "2,885", "2,985"),
    ("swapped entity", "3,985", "4,120"),
    ("wrong statistic", "Median: 4,587.5", "Median: 4,748", "4,748"),
]),
("derived", "The best episode had 1.7 times the downloads of the weakest, 6,870 against 3,985.", [
    ("miscomputed derivation", "1.7 times", "2.7 times", "2.7"),
    ("swapped entity", "6,870 against 3,985", "3,985 against 6,870", ["3,985", "6,870"]),
    ("digit", "3,985", "3,895"),
]),
]
}
