{
"domain": "fisheries",
"question": "Landings by species and year, in tonnes: which stocks are growing and which are shrinking?",
"cells": [
r"""import pandas as pd
f = pd.DataFrame({"species": ["cod", "haddock", "herring", "mackerel", "saithe"] * 3,
  "year": [2021]*5 + [2022]*5 + [2023]*5,
  "tonnes": [1840, 2210, 6950, 5120, 960, 1515, 2390, 7480, 4875, 1045, 1190, 2645, 7105, 4310, 1230]})
p = f.pivot(index="species", columns="year", values="tonnes")
p["change"] = p[2023] - p[2021]
print(p)
print(f.groupby("year").tonnes.sum())""",
],
"answers": [
("derived", "Mackerel lost most, 810 t since 2021, but cod fell faster in relative terms: by 35%.", [
    ("miscomputed derivation", "35%", "55%", "55"),
    ("sign or direction", "lost most, 810 t", "gained most, 810 t", "810"),
    ("swapped entity", "810 t", "650 t", "650"),
]),
("derived", "Saithe grew 28% (from 960 to 1,230 t), haddock 20%.", [
    ("miscomputed derivation", "28%", "22%", "22"),
    ("swapped entity", "28% (from 960 to 1,230 t), haddock 20%", "20% (from 960 to 1,230 t), haddock 28%", ["28", "20"]),
    ("sign or direction", "Saithe grew 28%", "Saithe shrank 28%", "28"),
    ("wrong column", "1,230", "1,045"),
]),
("plain", "Total landings were 16,480 t in 2023, 825 t below 2022 and 600 t below 2021.", [
    ("swapped entity", "825 t below 2022 and 600 t below 2021", "600 t below 2022 and 825 t below 2021", ["600", "825"]),
    ("sign or direction", "825 t below", "825 t above", "825"),
    ("digit", "16,480", "16,840"),
]),
("summary of an analysis", "Three stocks are up and two are down. Haddock (+435 t), saithe (+270 t) and herring (+155 t) together gained 860 t between 2021 and 2023, while mackerel and cod lost 1,460 t, leaving a minus of 600 t or 3.5%. In 2023 saithe overtook cod, by 40 t; two years before it was still 880 t behind. Herring peaked in 2022 with 7,480 t and then dropped by 375 t, but it's still 43% of the catch.", [
    ("miscomputed derivation", "860 t between", "960 t between", "960"),
    ("sign or direction", "saithe overtook cod, by 40 t", "cod overtook saithe, by 40 t", "40"),
    ("miscomputed derivation", "3.5%", "5.3%", "5.3"),
    ("sign or direction", "dropped by 375 t", "climbed by 375 t", "375"),
]),
("list or table", '''| Species | 2021 | 2023 | Change | % |
|---|---|---|---|---|
| cod | 1,840 | 1,190 | -650 | -35% |
| haddock | 2,210 | 2,645 | +435 | +20% |
| herring | 6,950 | 7,105 | +155 | +2% |
| mackerel | 5,120 | 4,310 | -810 | -16% |
| saithe | 960 | 1,230 | +270 | +28% |''', [
    ("sign or direction", "-16%", "+16%", "16"),
    ("wrong column", "| 4,310 |", "| 4,875 |", "4,875"),
    ("miscomputed derivation", "-35%", "-53%", "-53"),
    ("sign or direction", "+155", "-155"),
]),
("derived", "Herring and mackerel are 69% of 2023's landings. In 2021 herring led mackerel by 1,830 t, now by 2,795 t.", [
    ("miscomputed derivation", "69%", "59%", "59"),
    ("swapped entity", "by 1,830 t, now by 2,795 t", "by 2,795 t, now by 1,830 t", ["2,795", "1,830"]),
    ("miscomputed derivation", "2,795", "2,975"),
]),
]
}
