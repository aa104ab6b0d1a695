{
    "domain": 'clinic schedule',
    "question": "Here's last week's appointment export (2–6 September). How many no-shows, and how many hours did each clinician really see patients? We're thinking of a 45 $ no-show fee.",
    "cells": [r'''import csv, io
from collections import Counter, defaultdict
from datetime import datetime, timedelta

raw = """id,clinician,start,minutes,kind,status
1,Okafor,2024-09-02 08:30,20,checkup,done
2,Okafor,2024-09-02 09:00,20,checkup,no-show
3,Lindqvist,2024-09-02 09:00,40,vaccination,done
4,Baptiste,2024-09-02 10:15,30,consult,done
5,Okafor,2024-09-02 11:00,30,consult,done
6,Lindqvist,2024-09-02 13:30,20,checkup,cancelled
7,Baptiste,2024-09-03 08:00,60,procedure,done
8,Okafor,2024-09-03 08:45,20,checkup,done
9,Lindqvist,2024-09-03 09:30,20,checkup,no-show
10,Baptiste,2024-09-03 10:00,30,consult,done
11,Okafor,2024-09-03 14:00,30,consult,no-show
12,Lindqvist,2024-09-04 08:30,20,checkup,done
13,Baptiste,2024-09-04 09:00,60,procedure,done
14,Okafor,2024-09-04 09:40,20,checkup,done
15,Lindqvist,2024-09-04 10:30,30,consult,done
16,Baptiste,2024-09-04 13:00,30,consult,cancelled
17,Okafor,2024-09-05 08:30,30,consult,done
18,Lindqvist,2024-09-05 09:15,40,vaccination,done
19,Baptiste,2024-09-05 11:00,60,procedure,no-show
20,Okafor,2024-09-05 15:20,20,checkup,done
21,Lindqvist,2024-09-06 08:30,20,checkup,done
22,Baptiste,2024-09-06 09:30,30,consult,done
23,Okafor,2024-09-06 10:00,20,checkup,no-show
24,Lindqvist,2024-09-06 11:30,30,consult,done
"""
appts = list(csv.DictReader(io.StringIO(raw)))
print(Counter(a["status"] for a in appts))
m = defaultdict(int)
for a in appts:
    m[a["clinician"]] += int(a["minutes"])
print(dict(m))''',
r"""# booked minutes included no-shows and cancellations; count only what took place
m = defaultdict(int)
n = Counter()
for a in appts:
    if a["status"] == "done":
        m[a["clinician"]] += int(a["minutes"])
        n[a["clinician"]] += 1
for who in sorted(m):
    print(who, n[who], m[who], f"{m[who] / 60:.2f} h")
print(sum(n.values()), sum(m.values()))""",
r"""by_day = defaultdict(list)
for a in appts:
    by_day[datetime.fromisoformat(a["start"]).strftime("%a %d %b")].append(a)
for d, xs in by_day.items():
    print(d, len(xs), sum(x["status"] == "no-show" for x in xs), min(x["start"][-5:] for x in xs), max(x["start"][-5:] for x in xs))
lost = sum(int(a["minutes"]) for a in appts if a["status"] == "no-show")
fee = 45
print(lost, fee * sum(a["status"] == "no-show" for a in appts))
Counter(a["kind"] for a in appts if a["status"] == "done").most_common()"""],
    "answers": [
        ('summary of an analysis', 'Of the 24 appointments in the week of 2–6 September, 17 took place, 5 were no-shows and 2 were cancelled. Time with patients:\n\n- Baptiste: 5 appointments, 210 min (3.5 h)\n- Lindqvist: 6 appointments, 180 min (3 h)\n- Okafor: 6 appointments, 140 min (2 h 20 min)\n\nThe no-shows cost 150 minutes. A fee of $45 would have brought in $225.', [
            ('stale value', 'appointments, 210 min (3.5 h)', 'appointments, 300 min (3.5 h)', '300'),
            ('stale value', 'appointments, 180 min (3 h)', 'appointments, 220 min (3 h)', '220'),
            ('question number given as result', 'brought in $225', 'brought in $45', 'brought in $45'),
            ('swapped entity', '5 were no-shows and 2 were cancelled', '2 were no-shows and 5 were cancelled', ['2 were', '5 were']),
        ]),
        ('small integers', 'You had five no-shows, i.e. 5 of 24 bookings, and two cancellations.', [
            ('digit', '5 of 24', '7 of 24', '7'),
            ('number of something else', '24 bookings', '17 bookings', '17'),
        ]),
        ('derived', 'About 21 % of bookings were no-shows. Of 730 booked minutes only 530 were worked, so 200 minutes went unused: 150 through no-shows and 50 through cancellations.', [
            ('miscomputed derivation', '21 %', '29 %'),
            ('digit', 'only 530', 'only 630', '630'),
            ('miscomputed derivation', 'and 50 through', 'and 70 through', 'and 70'),
            ('digit', '730', '703'),
        ]),
        ('dates, versions, ordinals', 'Tuesday 3 September was the worst day, with 2 no-shows out of 5 appointments; Wednesday the 4th had none. The latest start of the week was 15:20 on Thursday, the earliest 08:00 on Tuesday.', [
            ('swapped entity', 'out of 5', 'out of 6', '6'),
            ('swapped entity', '15:20', '14:00'),
            ('digit', '2 no-shows', '3 no-shows', '3 no-shows'),
        ]),
        ('units or currency', 'Charging 45 dollars per missed appointment would have earned 225 dollars last week.', [
            ('miscomputed derivation', '225 dollars', '315 dollars', '315'),
            ('number of something else', '225 dollars', '150 dollars', '150'),
        ]),
        ('counted', 'Seven consults, six checkups, two vaccinations and two procedures took place, 17 appointments in total with an average length of 31 minutes. Okafor has the most no-shows: 3 of the 5.', [
            ('miscomputed derivation', '31 minutes', '30 minutes', '30 minutes'),
            ('digit', '3 of the 5', '4 of the 5', '4 of'),
            ('number of something else', '17 appointments', '24 appointments', '24'),
        ]),
        ('fractions in words', "Baptiste had the most patient time with three and a half hours, about two fifths of the 530 minutes worked; half again as much as Okafor's 140 minutes.", [
            ('swapped entity', "Okafor's 140", "Okafor's 180", '180'),
            ('stale value', '530 minutes', '730 minutes', '730'),
        ]),
    ],
}
