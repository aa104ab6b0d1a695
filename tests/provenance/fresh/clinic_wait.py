{
    "domain": 'clinic wait',
    "question": 'How long do patients wait, by weekday and by doctor?',
    "cells": [
        """
import pandas as pd
rows = []
for day, base in [("Mon", 31), ("Tue", 22), ("Wed", 18), ("Thu", 25), ("Fri", 37)]:
    for doctor, more in [("Ito", -4), ("Novak", 3), ("Silva", 7)]:
        for n in range(6):
            rows.append((day, doctor, base + more + (n * 7) % 5))
df = pd.DataFrame(rows, columns=["day", "doctor", "wait_min"])
print(f"{len(df)} visits, average wait {df.wait_min.mean():.1f} min, longest {df.wait_min.max()} min")
by_day = df.groupby("day", sort=False).wait_min.mean().round(2)
print(by_day)
""",
        """
by_doctor = df.groupby("doctor").wait_min.agg(["mean", "median", "max"]).round(2)
by_doctor
""",
        """
late = (df.wait_min > 30)
print("over 30 min:", late.sum(), f"({late.mean():.1%})")
print("by doctor over 30 min:", df[late].doctor.value_counts().to_dict())
""",
    ],
    "answers": [
        ('plain', 'Over 90 visits patients waited 30.3 minutes on average, and the longest wait was 48 minutes.', [
            ('digit', '30.3', '33.3'),
            ('digit', '48', '84'),
            ('number of something else', '90', '42'),
        ]),
        ('plain', 'Friday is the worst day with 40.67 minutes, Wednesday the best with 21.67.', [
            ('swapped entity', '40.67', '34.67'),
            ('swapped entity', 'Friday', 'Monday', '40.67'),
            ('digit', '21.67', '27.61'),
        ]),
        ('derived', 'On Fridays people wait 19 minutes longer than on Wednesdays.', [
            ('miscomputed derivation', '19', '17'),
            ('sign or direction', 'longer', 'less', '19'),
        ]),
        ('plain', "Dr Silva's patients wait longest, 35.27 minutes on average with a median of 33.5; for Dr Ito it is 24.27.", [
            ('swapped entity', '35.27', '31.27'),
            ('wrong statistic', '33.5', '48'),
            ('wrong statistic', '24.27', '22.5'),
            ('swapped entity', 'Silva', 'Novak', ['35.27', '33.5']),
        ]),
        ('percent', 'In 42 visits (46.7 %) the wait exceeded 30 minutes.', [
            ('digit', '42', '24'),
            ('digit', '46.7 %', '47.6 %'),
            ('number of something else', '42 visits', '90 visits', '90'),
        ]),
        ('derived', "Half of these 42 long waits, 21, were Silva's.", [
            ('swapped entity', '21', '14'),
            ('digit', '21', '22'),
        ]),
        ('small integers', 'Ito had only 7 waits of more than half an hour, Novak 14.', [
            ('swapped entity', 'Novak 14', 'Novak 21', '21'),
            ('digit', '7', '8'),
        ]),
        ('list or table', '| Doctor | Mean | Median | Max |\n|---|---|---|---|\n| Ito | 24.27 | 22.5 | 37 |\n| Novak | 31.27 | 29.5 | 44 |\n| Silva | 35.27 | 33.5 | 48 |', [
            ('digit', '22.5', '25.2'),
            ('wrong statistic', '| 29.5 |', '| 30.3 |', '30.3'),
            ('digit', '37', '38'),
        ]),
        ('summary of an analysis', 'Waits peak at the ends of the week: Monday 34.67 and Friday 40.67 minutes, against 21.67 on Wednesday. The choice of doctor matters too, with 11 minutes between Ito (24.27) and Silva (35.27).', [
            ('miscomputed derivation', '11 minutes', '12 minutes', '12'),
            ('swapped entity', 'Monday 34.67 and Friday 40.67', 'Monday 40.67 and Friday 34.67', ['40.67', '34.67']),
        ]),
    ],
}
