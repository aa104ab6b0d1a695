{
    "domain": 'sports, marathon splits',
    "question": 'My marathon splits are below (5 km splits). Did I hit the wall, what was my pace, and how do the halves compare?',
    "cells": [
r"""def sec(s):
    p = [int(x) for x in s.split(":")]
    return p[0]*60 + p[1] if len(p) == 2 else p[0]*3600 + p[1]*60 + p[2]
splits = ["24:51", "24:39", "24:44", "24:48", "25:02", "25:37", "27:16", "28:58"]
last = "12:34"   # 2.195 km
tot = 0
for i, s in enumerate(splits):
    tot += sec(s)
    p = sec(s)/5
    print(f"{(i+1)*5:>2} km  {s}  pace {int(p//60)}:{p%60:04.1f}/km  elapsed {tot//3600}:{tot%3600//60:02d}:{tot%60:02d}")
tot += sec(last)
p = tot/42.195
print(f"finish {tot//3600}:{tot%3600//60:02d}:{tot%60:02d}  average {int(p//60)}:{p%60:04.1f}/km  {42.195/tot*3600:.2f} km/h")""",
r"""half = sum(sec(s) for s in splits[:4]) + sec(splits[4])*1.0975/5
second = tot - half
f = lambda x: f"{int(x)//3600}:{int(x)%3600//60:02d}:{int(x)%60:02d}"
print("half", f(half), "second half", f(second), "difference", round(second-half), "s")""",
r"""goal = 3*3600 + 30*60
print("vs 3:30 goal:", tot-goal, "s;", "vs even pace after 25 km:", round(tot - (sum(map(sec, splits[:5]))/25*42.195)), "s")""",
    ],
    "answers": [
        ('plain', 'You finished in 3:38:29, an average of 5:10.7 per km.', [
            ('digit', '3:38:29', '3:28:39'),
            ('swapped entity', '5:10.7', '5:07.4'),
            ('number of something else', '3:38:29', '3:25:55'),
        ]),
        ('derived', 'Your second half was 9:26 slower than the first (1:53:57 vs. 1:44:31).', [
            ('sign or direction', '9:26 slower', '9:26 faster', '9:26'),
            ('miscomputed derivation', '9:26', '8:26'),
            ('digit', '1:44:31', '1:44:13'),
        ]),
        ('plain', 'You missed the 3:30 goal by 8 and a half minutes (509 s).', [
            ('number of something else', '509 s', '545 s', '545'),
            ('scale', 'by 8 and a half minutes', 'by 85 minutes', '85'),
            ('digit', '509 s', '590 s', '590'),
        ]),
        ('summary of an analysis', 'Yes, you faded after 30 km. Up to 20 km you were very steady, with 5 km splits between 24:39 and 24:51. Then it was 25:02 and 25:37, and after that 27:16 and 28:58: your pace went from 5:07 to 5:48 per km within ten kilometres. Had you held the average of the first 25 km you would have been 545 seconds (about 9 minutes) faster.', [
            ('swapped entity', 'and 24:51', 'and 25:17', '25:17'),
            ('wrong column', '545 seconds', '509 seconds', '509'),
            ('swapped entity', 'from 5:07', 'from 5:27', '5:27'),
            ('sign or direction', '(about 9 minutes) faster', '(about 9 minutes) slower', '545'),
        ]),
        ('list or table', '| Point | Split | Elapsed |\n|---|---|---|\n| 10 km | 24:39 | 0:49:30 |\n| 20 km | 24:48 | 1:39:02 |\n| 30 km | 25:37 | 2:29:41 |\n| 40 km | 28:58 | 3:25:55 |\n| Finish | 12:34 | 3:38:29 |', [
            ('swapped entity', '| 0:49:30 |', '| 1:14:14 |', '1:14:14'),
            ('digit', '2:29:41', '2:29:14'),
            ('swapped entity', '| 28:58 |', '| 27:16 |', '27:16'),
        ]),
        ('derived', 'The slowest 5 km took 4:19 longer than the fastest one, and the average speed was 11.6 km/h.', [
            ('miscomputed derivation', '4:19', '3:19'),
            ('sign or direction', '4:19 longer', '4:19 less', '4:19'),
            ('digit', '11.6 km/h', '16.1 km/h', '16.1'),
        ]),
    ],
}
