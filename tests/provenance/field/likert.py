{
"domain": "staff survey",
"question": "Q7 was 'I would recommend this employer'. Compare the response distribution 2022 vs 2024.",
"cells": [
r"""from collections import Counter
labels = ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"]
y22 = [1]*31 + [2]*58 + [3]*112 + [4]*147 + [5]*52
y24 = [1]*24 + [2]*41 + [3]*96 + [4]*201 + [5]*118
for name, y in (("2022", y22), ("2024", y24)):
    c = Counter(y)
    print(name, "n =", len(y), "mean =", round(sum(y)/len(y), 2))
    for k in range(1, 6):
        print(f"   {k} {labels[k-1]:<18}{c[k]:>4} {100*c[k]/len(y):5.1f}%")""",
r"""print("invited:", {"2022": 655, "2024": 640})
print("response rate: %.1f%% -> %.1f%%" % (100*len(y22)/655, 100*len(y24)/640))""",
],
"answers": [
("derived", "Agreement is up: 66.5% now agree or strongly agree, compared with 49.8% in 2022, nearly 17 points more.", [
    ("miscomputed derivation", "66.5%", "64.5%", "64.5"),
    ("sign or direction", "nearly 17 points more", "nearly 17 points less", "17"),
    ("swapped entity", "66.5% now agree or strongly agree, compared with 49.8%", "49.8% now agree or strongly agree, compared with 66.5%", ["49.8", "66.5"]),
]),
("derived", "The mean rose by 0.4, from 3.33 to 3.73.", [
    ("miscomputed derivation", "0.4", "0.6"),
    ("sign or direction", "rose by 0.4", "fell by 0.4", "0.4"),
    ("digit", "3.73", "3.37"),
]),
("percent", "75% responded this time, 13.9 points above the 61.1% of 2022.", [
    ("miscomputed derivation", "13.9", "14.9"),
    ("sign or direction", "13.9 points above", "13.9 points below", "13.9"),
    ("number of something else", "61.1%", "41.9%", "41.9"),
]),
("summary of an analysis", "480 people answered, 80 more than two years earlier, although 15 fewer were invited. 319 of them would recommend us (201 agree, 118 strongly), 120 more than in 2022. The critics declined: 65 people, or 13.5%, disagree in some form, down from 89 or 22.3%. \"Strongly agree\" more than doubled, from 52 to 118. There are now almost five supporters for every critic; in 2022 it was 2.2.", [
    ("miscomputed derivation", "319 of them", "309 of them", "309"),
    ("sign or direction", "15 fewer were invited", "15 more were invited", "15"),
    ("swapped entity", "65 people, or 13.5%, disagree in some form, down from 89", "89 people, or 13.5%, disagree in some form, down from 65", ["89", "65"]),
    ("miscomputed derivation", "it was 2.2", "it was 3.2", "3.2"),
]),
("list or table", '''| Answer | 2022 | 2024 | Points |
|---|---|---|---|
| strongly disagree | 7.8% | 5.0% | -2.8 |
| disagree | 14.5% | 8.5% | -6.0 |
| neutral | 28.0% | 20.0% | -8.0 |
| agree | 36.8% | 41.9% | +5.1 |
| strongly agree | 13.0% | 24.6% | +11.6 |''', [
    ("sign or direction", "-6.0", "+6.0"),
    ("miscomputed derivation", "+11.6", "+10.6"),
    ("digit", "| neutral | 28.0%", "| neutral | 82.0%", "82.0"),
    ("miscomputed derivation", "+5.1", "+4.1"),
]),
("fractions in words", "A fifth are neutral (96 of 480). Two years ago it was 112 of 400, a good quarter.", [
    ("number of something else", "96 of 480", "41 of 480", "41"),
    ("swapped entity", "112 of 400", "147 of 400", "147"),
    ("digit", "112 of 400", "121 of 400", "121"),
]),
]
}
