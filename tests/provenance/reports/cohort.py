{
    "domain": 'app cohort retention',
    "question": 'can you build a monthly cohort retention table from our signups (jan-aug 2023)? want to know if month-1 retention is getting better, goal is 60%, and how the january people are doing now',
    "cells": [r"""import numpy as np
import pandas as pd

rng = np.random.default_rng(505)
start = pd.period_range("2023-01", periods=8, freq="M")
events = []
uid = 0
for i, m in enumerate(start):
    n = int(rng.integers(180, 420))
    for _ in range(n):
        uid += 1
        events.append((uid, m, m))
        alive = 0.52 + 0.02 * i
        for k in range(1, 8 - i):
            if rng.random() < alive * (0.93 ** (k - 1)):
                events.append((uid, m, m + k))
ev = pd.DataFrame(events, columns=["user_id", "cohort", "month"])
ev["age"] = (ev["month"] - ev["cohort"]).map(lambda d: d.n)
cnt = ev.pivot_table(index="cohort", columns="age", values="user_id", aggfunc="nunique")
cnt""",
r"""ret = cnt.div(cnt[0], axis=0).mul(100).round(1)
print(ret.to_string(na_rep="-"))
print()
m = ret.mean().round(1)
print(m.to_dict())""",
r"""mau = ev.groupby("month")["user_id"].nunique()
print(mau)
print(ev["user_id"].nunique(), len(ev), round(len(ev) / ev["user_id"].nunique(), 2))"""],
    "answers": [
        ('summary of an analysis', 'Month-1 retention is improving. It went from 53.7 % for the January cohort to 64.3 % for July, with a dip to 51.4 % in March. Three of the seven cohorts that can be measured (May, June and July) reach your 60 % goal. On average 58.3 % come back after one month, 54.0 % after two, 49.3 % after three and 31.6 % after seven, though that last figure rests on January alone.', [
            ('swapped entity', '64.3 % for July', '60.0 % for July', '60.0 %'),
            ('wrong column', '49.3 % after three', '44.9 % after three', '44.9 %'),
            ('digit', '58.3 %', '53.8 %'),
            ('question number given as result', 'On average 58.3 %', 'On average 60.0 %', '60.0 %'),
        ]),
        ('plain', 'Of the 374 users who joined in January 2023, 118 were still active seven months later, which is 31.6 %.', [
            ('wrong column', '118 were', '131 were', '131'),
            ('swapped entity', '374 users', '384 users', '384'),
            ('digit', '31.6 %', '36.1 %'),
        ]),
        ('derived', "January signups kept 118 of 374 users through month 7, so 256 of them (68.4 %) have gone quiet. The biggest cohort was March with 414 signups, about twice the size of June's 205.", [
            ('miscomputed derivation', '256 of them', '246 of them', '246'),
            ('miscomputed derivation', '68.4 %', '64.8 %'),
            ('swapped entity', "June's 205", "June's 257", '257'),
        ]),
        ('inequalities', 'Every cohort kept more than half of its users after one month, and none kept over 65 %. By month 5, fewer than 40 % are left in each of the three cohorts old enough to tell.', [
            ('question number given as result', 'over 65 %', 'over 60 %', '60 %'),
            ('sign or direction', 'fewer than 40 %', 'more than 40 %', '40 %'),
        ]),
        ('scale words', 'In total 2,710 people signed up and they generated close to 7.6 thousand active user-months, i.e. 2.8 months per user. Monthly actives nearly quadrupled from 374 in January to 1,433 in August.', [
            ('scale', '7.6 thousand', '76 thousand', '76'),
            ('swapped entity', '1,433 in August', '1,219 in August', '1,219'),
            ('digit', '2,710', '2,170'),
            ('miscomputed derivation', '2.8 months', '3.8 months', '3.8'),
        ]),
        ('list or table', 'Monthly active users:\n\n- Jan 374\n- Feb 585\n- Mar 822\n- Apr 998\n- May 1,071\n- Jun 1,087\n- Jul 1,219\n- Aug 1,433\n\nGrowth almost stalled from May to June (+16 users, +1.5 %) and picked up to +17.6 % in August.', [
            ('swapped entity', 'May 1,071\n- Jun 1,087', 'May 1,087\n- Jun 1,071', ['May 1,087', 'Jun 1,071']),
            ('digit', '998', '989'),
            ('miscomputed derivation', '+17.6 %', '+14.9 %'),
            ('miscomputed derivation', '+16 users', '+26 users', '26'),
        ]),
        ('units or currency', 'One oddity: two cohorts had *more* active users in month 2 than in month 1. March went up from 213 to 226 (51.4 % to 54.6 %) and June from 123 to 125. Everywhere else the numbers fall from month to month.', [
            ('wrong column', '213 to 226', '213 to 202', '202'),
            ('sign or direction', 'went up from 213 to 226', 'went down from 213 to 226', ['213', '226']),
            ('swapped entity', '(51.4 % to 54.6 %)', '(51.4 % to 61.0 %)', '61.0 %'),
        ]),
    ],
}
