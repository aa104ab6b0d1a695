{
"domain": "population",
"question": "Which districts grew between the 2011 and 2021 census and how dense are they now?",
"cells": [
r"""import pandas as pd
c = pd.DataFrame({"pop2011": [48210, 33875, 61540, 27430, 19865, 40120], "pop2021": [52960, 33120, 70418, 26105, 24790, 41344],
                  "km2": [12.4, 8.1, 15.9, 30.2, 41.5, 10.3]},
                 index=["Oldtown", "Kirkside", "Northfield", "Brae", "Lochend", "Abbey"])
c["growth_pct"] = ((c.pop2021 / c.pop2011 - 1) * 100).round(1)
c["density"] = (c.pop2021 / c.km2).round(0).astype(int)
print(c.sort_values("growth_pct", ascending=False))
print("city", c.pop2011.sum(), c.pop2021.sum(), round(c.km2.sum(), 1))""",
],
"answers": [
("derived", "The city grew by 17,697 people, from 231,040 to 248,737, i.e. 7.7%.", [
    ("miscomputed derivation", "17,697", "16,697"),
    ("sign or direction", "from 231,040 to 248,737", "from 248,737 to 231,040", ["248,737", "231,040"]),
    ("miscomputed derivation", "7.7%", "7.1%", "7.1"),
]),
("counted", "Four of the six districts grew. Kirkside and Brae lost 755 and 1,325 residents.", [
    ("swapped entity", "755 and 1,325", "1,325 and 755", ["1,325", "755"]),
    ("sign or direction", "lost 755 and 1,325", "gained 755 and 1,325", ["755", "1,325"]),
    ("miscomputed derivation", "1,325", "1,235"),
]),
("derived", "Northfield is densest with 4,429 people per km², 158 more than Oldtown.", [
    ("miscomputed derivation", "158 more", "258 more", "258"),
    ("swapped entity", "4,429", "4,271"),
    ("sign or direction", "158 more than", "158 fewer than", "158"),
    ("number of something else", "4,429", "8,878"),
]),
("summary of an analysis", "Lochend grew fastest, by 24.8%, but in absolute terms Northfield gained most: 8,878 people, half of the net increase of 17,697. Oldtown added 4,750 and Lochend 4,925, Abbey just 1,224. Brae shrank to 26,105. In 2011 it was still 7,565 ahead of Lochend; that lead has narrowed to 1,315. Lochend covers 41.5 of the city's 118.4 km², 35%, and is still the most thinly settled district with 597 people per km², less than a third of the city average of about 2,100.", [
    ("swapped entity", "Oldtown added 4,750 and Lochend 4,925", "Oldtown added 4,925 and Lochend 4,750", ["4,925", "4,750"]),
    ("miscomputed derivation", "narrowed to 1,315", "narrowed to 2,315", "2,315"),
    ("sign or direction", "Brae shrank to 26,105", "Brae grew to 26,105", "26,105"),
    ("miscomputed derivation", "about 2,100", "about 2,700", "2,700"),
]),
("list or table", '''Change in residents, 2011 to 2021:

- Northfield: +8,878
- Lochend: +4,925
- Oldtown: +4,750
- Abbey: +1,224
- Kirkside: -755
- Brae: -1,325

The four growing districts together: +19,777.''', [
    ("sign or direction", "-755", "+755"),
    ("miscomputed derivation", "+19,777", "+18,777"),
    ("miscomputed derivation", "+1,224", "+2,124"),
    ("digit", "+4,925", "+4,295"),
]),
("derived", "Northfield, the largest district, has 28% of the population (70,418) and is more than seven times as dense as Lochend.", [
    ("miscomputed derivation", "28%", "38%", "38"),
    ("wrong column", "70,418", "61,540"),
    ("swapped entity", "70,418", "52,960"),
]),
]
}
