{
"domain": "running",
"question": "Here are my 5 km splits from Sunday's marathon. Where did I lose time, and how did the second half compare to the first?",
"cells": [
r"""splits = ["24:12", "24:05", "24:20", "24:31", "24:58", "25:47", "27:03", "28:26"]
rest = "12:31"   # last 2.195 km
def sec(t):
    m, s = t.split(":")
    return int(m) * 60 + int(s)
def hms(s):
    return f"{s//3600}:{s%3600//60:02d}:{s%60:02d}"
cum = 0
for i, t in enumerate(splits):
    cum += sec(t)
    pace = sec(t) / 5
    print(f"{(i+1)*5:>3} km  split {t}  pace {int(pace//60)}:{pace%60:04.1f}/km  clock {hms(cum)}")
finish = cum + sec(rest)
print("finish", hms(finish))""",
r"""half = 1 * 3600 + 42 * 60 + 35
print("first half ", hms(half), half, "s")
print("second half", hms(finish - half), finish - half, "s")
print("slowest minus fastest 5k:", max(map(sec, splits)) - min(map(sec, splits)), "s")""",
],
"answers": [
("derived", "The second half took 1:53:18, 643 seconds longer than the first: 10 minutes 43.", [
    ("miscomputed derivation", "643 seconds", "743 seconds", "743"),
    ("sign or direction", "643 seconds longer", "643 seconds shorter", "643"),
    ("swapped entity", "took 1:53:18", "took 1:42:35", "1:42:35"),
]),
("plain", "You finished in 3:35:53. Fastest 5k was 24:05, slowest 28:26.", [
    ("digit", "3:35:53", "3:53:35"),
    ("wrong statistic", "slowest 28:26", "slowest 27:03", "27:03"),
    ("swapped entity", "24:05, slowest 28:26", "28:26, slowest 24:05", ["28:26", "24:05"]),
]),
("derived", "Your slowest 5k was 261 s slower than your fastest one, i.e. 4 min 21 s.", [
    ("sign or direction", "261 s slower", "261 s faster", "261"),
    ("miscomputed derivation", "261 s", "216 s", "216"),
    ("miscomputed derivation", "4 min 21 s", "3 min 21 s", "3"),
]),
("summary of an analysis", "You ran very evenly up to 20 km: the first four splits lie between 24:05 and 24:31, a range of just 26 seconds. From 20 km on every split got slower, from 24:58 to 25:47, then 27:03 and finally 28:26. The pace dropped from 4:49.0/km at its best to 5:41.2/km, 52 seconds per kilometre slower. In total the second half (6,798 s) took 10% longer than the first (6,155 s).", [
    ("miscomputed derivation", "range of just 26 seconds", "range of just 36 seconds", "36"),
    ("sign or direction", "52 seconds per kilometre slower", "52 seconds per kilometre faster", "52"),
    ("miscomputed derivation", "10% longer", "14% longer", "14"),
    ("swapped entity", "(6,798 s) took 10% longer than the first (6,155 s)", "(6,155 s) took 10% longer than the first (6,798 s)", ["6,155", "6,798"]),
]),
("list or table", '''Where the time went, compared with your best 5k of 24:05:

- 20–25 km: +53 s
- 25–30 km: +102 s
- 30–35 km: +178 s
- 35–40 km: +261 s

That's 594 s in those four segments, almost ten minutes.''', [
    ("miscomputed derivation", "+102 s", "+142 s", "142"),
    ("miscomputed derivation", "594 s", "549 s", "549"),
    ("sign or direction", "+178 s", "-178 s", "-178"),
]),
("counted", "Six of the eight full splits were slower than 24:15; only the first two stayed under it. You passed 30 km in 2:27:53.", [
    ("number of something else", "30 km in 2:27:53", "30 km in 2:54:56", "2:54:56"),
    ("sign or direction", "slower than 24:15", "faster than 24:15", "24:15"),
]),
]
}
