{
    "domain": 'sql music',
    "question": 'Which artists have most plays and how long are their tracks?',
    "cells": ['''
import sqlite3
db = sqlite3.connect(":memory:")
db.execute("create table tracks(artist text, title text, seconds int, plays int)")
db.executemany("insert into tracks values(?,?,?,?)", [("Mira Vane","Glass",214,18250),("Mira Vane","Harbour",187,9310),("Mira Vane","Low Tide",251,4422),("The Otters","River Run",199,22017),("The Otters","Mud",163,3088),("Kobo","Static",342,7755),("Kobo","Signal",298,11920),("Kobo","Noise",275,2641)])
for row in db.execute("select artist, count(*), sum(plays), avg(seconds), max(plays) from tracks group by artist order by 3 desc"):
    print(row)
''', '''
rows = db.execute("select title, plays from tracks order by plays desc limit 3").fetchall()
rows
''', '''
total = db.execute("select sum(plays), count(*), sum(seconds) from tracks").fetchone()
print("plays, tracks, seconds:", total)
'''],
    "answers": [
        ('plain', 'Mira Vane leads with 31,982 plays over 3 tracks, ahead of The Otters with 25,105 and Kobo with 22,316.', [
            ('swapped entity', 'The Otters with 25,105 and Kobo with 22,316', 'The Otters with 22,316 and Kobo with 25,105', ['22,316', '25,105']),
            ('wrong column', '31,982 plays', '18,250 plays', '18,250')]),
        ('plain', 'The most played single track is River Run (22,017 plays), then Glass (18,250) and Signal (11,920).', [
            ('swapped entity', 'Glass (18,250) and Signal (11,920)', 'Glass (11,920) and Signal (18,250)', ['Glass (11,920', 'Signal (18,250'])]),
        ('units or currency', "Kobo's tracks are the longest, 305 seconds (5:05 minutes) on average; those of The Otters take 181 seconds, about 3 minutes.", [
            ('swapped entity', '305 seconds (5:05 minutes)', '217 seconds (5:05 minutes)', '217')]),
        ('derived', 'Mira Vane has 40.3% of all 79,403 plays.', [
            ('miscomputed derivation', '40.3%', '43.0%'),
            ('swapped entity', 'Mira Vane', 'Kobo', '40.3%')]),
        ('derived', 'The 8 tracks last 1,929 seconds together, a little more than 32 minutes.', [
            ('digit', '1,929', '1,992'),
            ('scale', '32 minutes', '320 minutes', '320')]),
    ],
}
