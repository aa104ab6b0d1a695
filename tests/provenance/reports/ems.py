{
    "domain": 'ambulance response times',
    "question": 'Log of 16 ambulance calls. Target: priority 1 calls within 10 minutes. Do we meet it in every district? careful with the call around midnight',
    "cells": [
r'''import pandas as pd
from datetime import timedelta
log = """id|district|prio|call|arrival
1|North|1|08:02:10|08:09:40
2|South|2|08:15:00|08:29:30
3|North|1|09:01:25|09:10:05
4|East|1|09:20:00|09:31:20
5|South|1|10:05:30|10:12:00
6|East|2|10:44:15|11:03:45
7|North|2|11:12:00|11:23:30
8|South|1|12:30:20|12:38:10
9|East|1|13:05:00|13:14:50
10|North|1|14:41:00|14:46:50
11|South|2|15:10:10|15:26:40
12|East|2|16:00:00|16:17:10
13|North|2|17:25:30|17:35:00
14|South|1|18:02:00|18:11:20
15|East|1|19:48:40|20:01:00
16|North|1|23:57:30|00:05:10
"""
with open("calls.txt", "w") as f:
    f.write(log)
e = pd.read_csv("calls.txt", sep="|")
e["sec"] = (pd.to_timedelta(e.arrival) - pd.to_timedelta(e.call)).dt.total_seconds()
e.sec.agg(["min", "median", "max"])''',
r'''e.loc[e.sec < 0, "sec"] += 86400      # call before midnight
e["min"] = e.sec / 60
for (dist, prio), g in e.groupby(["district", "prio"]):
    print(dist, prio, len(g), str(timedelta(seconds=round(g.sec.mean()))))
print("all", len(e), str(timedelta(seconds=round(e.sec.mean()))), "median", str(timedelta(seconds=float(e.sec.median()))))''',
r'''p1 = e[e.prio == 1].assign(ok=lambda x: x.sec <= 600)
p1.groupby("district").ok.agg(["sum", "count", "mean"]).round(3)''',
r'''print(f"P1 within 10 min: {p1.ok.sum()}/{len(p1)} = {p1.ok.mean():.0%}; P90 = {p1['min'].quantile(.9):.2f} min; slowest #{p1.loc[p1.sec.idxmax(), 'id']} at {p1['min'].max():.1f} min")''',
    ],
    "answers": [
        ('summary of an analysis', 'Not everywhere. Overall, 8 of the 10 priority-1 calls (80%) were reached within 10 minutes. North (4 of 4) and South (3 of 3) always met the target; East managed it only once in three calls, with an average of 11:10 minutes.', [
            ('swapped entity', 'average of 11:10', 'average of 18:20', '18:20'),
            ('miscomputed derivation', '(80%)', '(60%)', '60%'),
            ('question number given as result', '8 of the 10', '8 of the 16', '16'),
        ]),
        ('list or table', 'Mean response time, P1 / P2:\n- North: 7:25 / 10:30\n- South: 7:53 / 15:30\n- East: 11:10 / 18:20', [
            ('swapped entity', '7:53 / 15:30', '7:53 / 10:50', '10:50'),
            ('digit', '7:25', '7:52'),
        ]),
        ('derived', "East's priority-1 calls take 3 minutes 45 seconds longer than those in North (11:10 vs 7:25). The slowest one, call #15, took 12.3 minutes.", [
            ('miscomputed derivation', '3 minutes 45', '4 minutes 45', '4 minutes'),
            ('swapped entity', '12.3 minutes', '11.3 minutes', '11.3'),
            ('sign or direction', '3 minutes 45 seconds longer', '3 minutes 45 seconds shorter', '3 minutes 45'),
        ]),
        ('plain', 'The mean over all 16 calls is 10:58 and the median 9:40, so a few long priority-2 trips pull the average up. For priority 1 the 90th percentile is 11.43 minutes.', [
            ('wrong statistic', 'is 10:58 and the median 9:40', 'is 9:40 and the median 10:58', ['9:40', '10:58']),
            ('digit', '11.43', '11.34'),
            ('number of something else', '90th percentile', '95th percentile', ['95th', '11.43']),
        ]),
        ('counted', 'There were 10 priority-1 and 6 priority-2 calls. Call 16 came in at 23:57:30 and was reached at 00:05:10, i.e. after 7 minutes 40 seconds rather than the −85,940 seconds of the naive subtraction.', [
            ('miscomputed derivation', 'after 7 minutes 40', 'after 8 minutes 40', '8 minutes'),
            ('digit', '−85,940', '−89,540', '89,540'),
            ('number of something else', '6 priority-2', '5 priority-2', '5 priority-2'),
        ]),
    ],
}
