{
    "domain": "marathon splits",
    "question": "These are my 5k splits from Sunday. Did I fade in the second half? Goal was 3:45:00",
    "cells": [
r"""splits = ["26:04", "25:51", "25:58", "26:10", "26:33", "27:12", "28:40", "29:05"]
last = "12:21"   # the final 2.195 km
sec = lambda s: int(s.split(":")[0]) * 60 + int(s.split(":")[1])
hms = lambda x: f"{int(x) // 3600}:{int(x) % 3600 // 60:02d}:{int(x) % 60:02d}"
pace = lambda x, km: f"{int(x / km) // 60}:{int(round(x / km)) % 60:02d}"
total = 0
for i, s in enumerate(splits, 1):
    total += sec(s)
    print(f"{5 * i:>4} km  {s}  {hms(total)}  {pace(sec(s), 5)}/km")
total += sec(last)
print(f"finish      {last}  {hms(total)}  {pace(sec(last), 2.195)}/km")""",
r"""first20 = sum(map(sec, splits[:4])); second20 = sum(map(sec, splits[4:]))
print("first 20 km", hms(first20), "| second 20 km", hms(second20), "| difference", second20 - first20, "s")
print("behind goal:", total - (3 * 3600 + 45 * 60), "s; average pace", pace(total, 42.195))"""],
    "answers": [
        ("plain", "You finished in 3:47:54.", [
            ("question number given as result", "3:47:54", "3:45:00"),
            ("number of something else", "3:47:54", "3:35:33"),
        ]),
        ("derived", "Yes, you faded: the second 20 km took 447 seconds longer than the first, about seven and a half minutes.", [
            ("number of something else", "447 seconds", "174 seconds", "174"),
            ("sign or direction", "447 seconds longer", "447 seconds less", "447"),
        ]),
        ("units or currency", "Average pace 5:24 per km; your fastest 5 km were run at 5:10.", [
            ("swapped entity", "5:10", "5:13"),
            ("digit", "5:24", "5:42"),
        ]),
        ("inequalities", "You stayed under 27 minutes in each of the first five splits, but the last two were over 28.", [
            ("invented", "over 28", "over 31", "31"),
            ("sign or direction", "over 28", "under 28", "28"),
        ]),
        ("small integers", "Split number 2 was your best (25:51), number 8 the worst (29:05).", [
            ("swapped entity", "25:51", "25:58"),
            ("wrong column", "29:05", "5:49"),
        ]),
        ("counted", "Of the 8 full splits, the first 4 took 1:44:03.", [
            ("swapped entity", "1:44:03", "1:51:30"),
            ("invented", "the 8 full", "the 9 full", "9"),
        ]),
        ("constants of a method", "Over the 42.195 km that makes an average of 5:24 per km.", [
            ("wrong statistic", "5:24", "5:38"),
            ("typed literal", "5:24", "12:21"),
        ]),
        ("summary of an analysis", "You ran 3:47:54 and missed the goal by 174 seconds. Up to 20 km you were very even, between 5:10 and 5:14 per km. After 30 km it got hard: 5:44 and 5:49 per km for the last two full splits. In the final 2.195 km you picked up again to 5:38.", [
            ("digit", "174 seconds", "147 seconds", "147"),
            ("swapped entity", "5:44 and", "5:26 and", "5:26"),
            ("sign or direction", "missed the goal by 174", "beat the goal by 174", "174"),
        ]),
    ],
}
