{
"domain": "school exams",
"question": "Compare the two classes on the mock and the final exam. Who improved more?",
"cells": [
r"""import numpy as np
rng = np.random.default_rng(11)
mock = {"10A": np.clip(rng.normal(61, 12, 26), 0, 100).round(), "10B": np.clip(rng.normal(66, 10, 24), 0, 100).round()}
final = {c: np.clip(mock[c] + rng.normal(6 if c == "10A" else 2, 6, mock[c].size), 0, 100).round() for c in mock}
for c in mock:
    for name, x in (("mock", mock[c]), ("final", final[c])):
        print(f"{c} {name:<5} n={x.size} mean={x.mean():.1f} median={np.median(x):.1f} sd={x.std(ddof=1):.1f} min={x.min():.0f} max={x.max():.0f}")""",
r"""for c in mock:
    d = final[c] - mock[c]
    print(c, "improved:", int((d > 0).sum()), "same:", int((d == 0).sum()), "worse:", int((d < 0).sum()), "| failed (<50) mock", int((mock[c] < 50).sum()), "final", int((final[c] < 50).sum()))""",
],
"answers": [
("derived", "10A improved more: its mean rose by 7.9 points to 68.2, 10B's only by 2.1 to 66.1.", [
    ("miscomputed derivation", "7.9 points", "8.9 points", "8.9"),
    ("swapped entity", "7.9 points to 68.2, 10B's only by 2.1", "2.1 points to 68.2, 10B's only by 7.9", ["2.1", "7.9"]),
    ("sign or direction", "its mean rose by 7.9", "its mean fell by 7.9", "7.9"),
    ("wrong statistic", "68.2", "68.0"),
]),
("derived", "In the mock 10B was 3.7 points ahead of 10A; in the final it's 2.1 behind.", [
    ("sign or direction", "3.7 points ahead of", "3.7 points behind", "3.7"),
    ("miscomputed derivation", "3.7", "4.7"),
    ("sign or direction", "2.1 behind", "2.1 in front", "2.1"),
]),
("counted", "24 of 26 students in 10A did better in the final (92%), against 15 of 24 in 10B.", [
    ("miscomputed derivation", "92%", "82%", "82"),
    ("number of something else", "15 of 24", "8 of 24", "8"),
]),
("summary of an analysis", "39 of the 50 students (78%) improved, 10 did worse and one stayed the same. Eight of those ten are in 10B, a third of that class. 10A's median climbed from 59.5 to 68.0, up 8.5, and thereby caught up with 10B, whose median rose by 4 points. The number of failures in 10A dropped from 3 to 1. 10B's scores became more spread out: the standard deviation went up from 8.0 to 9.4.", [
    ("miscomputed derivation", "(78%)", "(72%)", "72"),
    ("sign or direction", "climbed from 59.5 to 68.0", "dropped from 59.5 to 68.0", ["59.5", "68.0"]),
    ("sign or direction", "went up from 8.0 to 9.4", "went down from 8.0 to 9.4", "9.4"),
    ("miscomputed derivation", "up 8.5", "up 7.5", "7.5"),
]),
("list or table", '''| | 10A | 10B | A minus B |
|---|---|---|---|
| Mock mean | 60.3 | 64.0 | -3.7 |
| Final mean | 68.2 | 66.1 | +2.1 |
| Gain | +7.9 | +2.1 | +5.8 |
| Final range | 47–88 | 47–83 | |''', [
    ("sign or direction", "-3.7", "+3.7"),
    ("miscomputed derivation", "+5.8", "+6.8"),
    ("wrong column", "47–88", "38–88", "38"),
    ("wrong column", "47–83", "47–77", "77"),
]),
("fractions in words", "Failures went down from 4 to 2 across both classes, so they halved. 10B's best mark in the final was 83, five below 10A's 88.", [
    ("swapped entity", "was 83, five below 10A's 88", "was 88, five below 10A's 83", ["88", "83"]),
    ("miscomputed derivation", "down from 4 to 2", "down from 5 to 2", "5"),
    ("wrong column", "was 83", "was 77", "77"),
]),
]
}
