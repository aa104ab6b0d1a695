{
    "domain": 'fitness',
    "question": "I'm training for a half marathon. Here's my log, how is my pace and mileage developing? Can I break 1:45?",
    "cells": [
r"""import pandas as pd
log = [(1, 8.2, "48:10", 151), (1, 12.0, "72:36", 148), (2, 9.5, "55:06", 152), (2, 14.1, "84:36", 147), (2, 6.0, "31:30", 168),
       (3, 10.0, "56:20", 153), (3, 16.0, "94:24", 149), (4, 8.0, "43:12", 158), (4, 18.2, "106:28", 150), (4, 6.4, "32:38", 169)]
df = pd.DataFrame(log, columns=["week", "km", "time", "hr"])
df["sec"] = df.time.map(lambda s: int(s.split(":")[0]) * 60 + int(s.split(":")[1]))
pace = lambda s: f"{int(s // 60)}:{int(round(s % 60)):02d}"
df["pace"] = (df.sec / df.km).map(pace)
print(df.drop(columns="sec").to_string(index=False))
""",
r"""w = df.groupby("week").agg(runs=("km", "size"), km=("km", "sum"), sec=("sec", "sum"), hr=("hr", "mean"))
w["pace"] = (w.sec / w.km).map(pace)
print(w.drop(columns="sec").round(1))
print("total", round(df.km.sum(), 1), "km in", round(df.sec.sum() / 3600, 2), "h, overall pace", pace(df.sec.sum() / df.km.sum()))
""",
r"""t1, d1 = 32 * 60 + 38, 6.4
riegel = t1 * (21.0975 / d1) ** 1.06
h = int(riegel // 3600); m = int(riegel % 3600 // 60); s = int(riegel % 60)
print(f"predicted half marathon {h}:{m:02d}:{s:02d}, pace {pace(riegel / 21.0975)}")
need = 105 * 60 / 21.0975
print("needed pace for 1:45:00", pace(need))
""",
    ],
    "answers": [
        ('plain', 'Your weekly mileage went from 20.2 km to 32.6 km while your average pace dropped from 5:59 to 5:36 per km.', [
            ('wrong column', '32.6 km', '18.2 km', '18.2'),
            ('swapped entity', '5:36', '5:48'),
            ('digit', '20.2 km', '22.0 km', '22.0'),
            ('wrong statistic', '5:36', '5:46'),
        ]),
        ('derived', "Not yet. The prediction from your 6.4 km tempo run is 1:55:33, so you're about ten and a half minutes off and would need 4:59 per km instead of 5:29.", [
            ('digit', '1:55:33', '1:53:55'),
            ('swapped entity', '5:29', '5:06'),
            ('miscomputed derivation', '4:59', '4:44'),
        ]),
        ('derived', 'For 1:45 you have to find another 30 seconds per kilometre.', [
            ('miscomputed derivation', '30 seconds', '23 seconds', '23'),
            ('miscomputed derivation', '30 seconds', '7 seconds', '7'),
        ]),
        ('counted', '10 runs, 108.4 km, just under ten and a half hours on your feet, overall 5:46 per km.', [
            ('stale value', '5:46', '5:36'),
            ('digit', '108.4 km', '104.8 km', '104.8'),
            ('number of something else', '10 runs', '12 runs', '12'),
        ]),
        ('percent', 'Volume is up 61% in three weeks, which is quite a jump, even though you eased off in week 3 (26 km after 29.6 km).', [
            ('miscomputed derivation', '61%', '38%'),
            ('sign or direction', 'up 61%', 'down 61%', '61%'),
            ('swapped entity', '26 km', '32.6 km', '32.6'),
            ('swapped entity', '29.6 km', '20.2 km', '20.2'),
        ]),
        ('summary of an analysis', '- Long run: grew from 12.0 to 18.2 km, with a pace of 5:51 and a heart rate of just 150\n- Tempo: the short one went from 5:15 to 5:06, but at 169 bpm\n- Average heart rate climbed from 149.5 in week 1 to 159 in week 4', [
            ('digit', '169 bpm', '196 bpm', '196'),
            ('swapped entity', '18.2 km', '14.1 km', '14.1'),
            ('swapped entity', '149.5', '155.7'),
            ('swapped entity', '5:06', '5:24'),
        ]),
    ],
}
