{
"domain": "local election",
"question": "Council election: who won, by how much, and how does that compare with last time?",
"cells": [
r"""votes = {"Labour": (14822, 12610), "Conservative": (11937, 15204), "Lib Dem": (8451, 6033),
         "Green": (5106, 2987), "Independent": (1684, 2266)}
t24 = sum(v[0] for v in votes.values()); t20 = sum(v[1] for v in votes.values())
print(f"{'party':<14}{'2024':>8}{'share':>8}{'2020':>8}{'share':>8}")
for p, (a, b) in votes.items():
    print(f"{p:<14}{a:>8}{a/t24:>8.1%}{b:>8}{b/t20:>8.1%}")
print("valid votes", t24, t20)""",
r"""electorate = {2024: 71350, 2020: 69880}
print(f"turnout 2024 {t24/electorate[2024]:.1%}, 2020 {t20/electorate[2020]:.1%}")""",
],
"answers": [
("derived", "Labour won with 14,822 votes, 2,885 ahead of the Conservatives.", [
    ("miscomputed derivation", "2,885", "2,855"),
    ("sign or direction", "2,885 ahead of", "2,885 behind", "2,885"),
    ("wrong column", "14,822", "12,610"),
    ("number of something else", "2,885", "2,594"),
]),
("derived", "The Conservatives lost 3,267 votes and fell by 10.5 percentage points, from 38.9% to 28.4%.", [
    ("sign or direction", "lost 3,267 votes", "gained 3,267 votes", "3,267"),
    ("miscomputed derivation", "10.5 percentage", "11.5 percentage", "11.5"),
    ("sign or direction", "from 38.9% to 28.4%", "from 28.4% to 38.9%", ["28.4", "38.9"]),
    ("swapped entity", "The Conservatives lost 3,267", "The independents lost 3,267", "3,267"),
]),
("percent", "Turnout went up from 56.0% to 58.9%, so 2.9 points.", [
    ("sign or direction", "up from 56.0% to 58.9%", "down from 56.0% to 58.9%", ["56.0", "58.9"]),
    ("miscomputed derivation", "2.9 points", "3.9 points", "3.9"),
    ("number of something else", "58.9%", "35.3%", "35.3"),
]),
("summary of an analysis", "The lead changed hands. In 2020 the Conservatives beat Labour by 2,594 votes; this time Labour is in front by 2,885. Labour gained 2,212 votes (32.3% to 35.3%), the Lib Dems 2,418 and the Greens 2,119, the last an increase of 71%. Conservatives and independents together lost 3,849. Labour and the Lib Dems combined now have 23,273 votes, 55% of the 42,000 valid ones.", [
    ("swapped entity", "by 2,594 votes; this time Labour is in front by 2,885", "by 2,885 votes; this time Labour is in front by 2,594", ["2,885", "2,594"]),
    ("miscomputed derivation", "71%", "37%", "37"),
    ("sign or direction", "together lost 3,849", "together gained 3,849", "3,849"),
    ("miscomputed derivation", "23,273", "22,373"),
]),
("list or table", '''| Party | 2020 | 2024 | Change | Points |
|---|---|---|---|---|
| Labour | 12,610 | 14,822 | +2,212 | +3.0 |
| Conservative | 15,204 | 11,937 | -3,267 | -10.5 |
| Lib Dem | 6,033 | 8,451 | +2,418 | +4.7 |
| Green | 2,987 | 5,106 | +2,119 | +4.6 |
| Independent | 2,266 | 1,684 | -582 | -1.8 |''', [
    ("sign or direction", "-582", "+582"),
    ("miscomputed derivation", "+2,418", "+2,481"),
    ("digit", "| Green | 2,987", "| Green | 2,897", "2,897"),
    ("miscomputed derivation", "+4.7", "+7.4"),
]),
("derived", "2,900 more valid votes were cast than in 2020 (42,000 vs. 39,100), a rise of 7.4%. Turnout, at 58.9%, was 2.9 points higher.", [
    ("miscomputed derivation", "7.4%", "6.4%", "6.4"),
    ("sign or direction", "2,900 more valid votes", "2,900 fewer valid votes", "2,900"),
    ("sign or direction", "2.9 points higher", "2.9 points lower", "2.9"),("swapped entity", "at 58.9%", "at 56.0%", "56.0"),
]),
]
}
