{
"domain": "public transport punctuality",
"question": "Rank our bus lines by punctuality before and after the timetable change in March.",
"cells": [
r"""import pandas as pd
b = pd.DataFrame({"line": ["1", "4", "7", "12", "15", "X3"],
  "runs_feb": [1240, 980, 1105, 760, 640, 420], "late_feb": [186, 83, 254, 61, 115, 76],
  "runs_apr": [1236, 1010, 1098, 790, 655, 415], "late_apr": [124, 91, 187, 60, 72, 83]})
b["feb"] = (100 - b.late_feb / b.runs_feb * 100).round(1)
b["apr"] = (100 - b.late_apr / b.runs_apr * 100).round(1)
print(b[["line", "late_feb", "late_apr", "feb", "apr"]].sort_values("apr", ascending=False).to_string(index=False))""",
r"""for m in ("feb", "apr"):
    r, l = b["runs_" + m].sum(), b["late_" + m].sum()
    print(m, "runs", r, "late", l, "on time %.1f%%" % (100 - l / r * 100))""",
],
"answers": [
("derived", "Overall punctuality went up 3.2 points, from 84.9% to 88.1%.", [
    ("sign or direction", "from 84.9% to 88.1%", "from 88.1% to 84.9%", ["88.1", "84.9"]),
    ("miscomputed derivation", "3.2 points", "2.3 points", "2.3"),
    ("sign or direction", "went up 3.2 points", "went down 3.2 points", "3.2"),
]),
("derived", "Line 15 improved most: 82.0% before, 89.0% after, a plus of 7 points.", [
    ("miscomputed derivation", "plus of 7 points", "plus of 5.5 points", "5.5"),
    ("sign or direction", "82.0% before, 89.0% after", "89.0% before, 82.0% after", ["89.0", "82.0"]),
    ("swapped entity", "89.0%", "90.0%", "90.0"),
]),
("counted", "Four of the six lines got more punctual; the 4 and the X3 got worse, by 0.5 and 1.9 points.", [
    ("swapped entity", "by 0.5 and 1.9", "by 1.9 and 0.5", ["1.9", "0.5"]),
    ("miscomputed derivation", "1.9", "2.9"),
    ("sign or direction", "X3 got worse, by 0.5", "X3 got better, by 0.5", "0.5"),
]),
("summary of an analysis", "Late departures fell from 775 in February to 617 in April, which is 158 fewer or a drop of 20%, although there were 59 more runs. Lines 7 and 1 account for most of it: the 7 has 67 fewer late runs (254 to 187), the 1 has 62 fewer. Line 7 remains second to last at 83.0%, and it alone still causes 30% of all delays. The X3 fell to last place with 80.0%, 12.4 points behind line 12.", [
    ("sign or direction", "fell from 775 in February to 617", "rose from 775 in February to 617", ["775", "617"]),
    ("miscomputed derivation", "20%", "26%", "26"),
    ("miscomputed derivation", "12.4 points", "11.4 points", "11.4"),
    ("sign or direction", "59 more runs", "59 fewer runs", "59"),
]),
("list or table", '''| Line | Feb | Apr | Change |
|---|---|---|---|
| 12 | 92.0% | 92.4% | +0.4 |
| 4 | 91.5% | 91.0% | -0.5 |
| 1 | 85.0% | 90.0% | +5.0 |
| 15 | 82.0% | 89.0% | +7.0 |
| 7 | 77.0% | 83.0% | +6.0 |
| X3 | 81.9% | 80.0% | -1.9 |''', [
    ("sign or direction", "-1.9", "+1.9"),
    ("miscomputed derivation", "+0.4", "+1.4"),
    ("miscomputed derivation", "+6.0", "+4.0"),
    ("digit", "81.9%", "89.1%", "89.1"),
]),
("derived", "Before the change line 12 was 15 percentage points ahead of line 7; now the gap has narrowed to 9.4.", [
    ("miscomputed derivation", "narrowed to 9.4", "narrowed to 8.4", "8.4"),
    ("sign or direction", "ahead of line 7", "behind line 7", "15"),
    ("miscomputed derivation", "15 percentage", "13 percentage", "13"),
]),
]
}
