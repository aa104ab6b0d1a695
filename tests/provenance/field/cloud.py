{
"domain": "cloud costs",
"question": "What drove the increase in our AWS bill between Q1 and Q2?",
"cells": [
r"""q1 = {"EC2": 18430.55, "RDS": 9120.10, "S3": 3875.42, "Lambda": 612.77, "CloudFront": 2240.00, "Data transfer": 1984.36}
q2 = {"EC2": 17208.90, "RDS": 9544.80, "S3": 4410.25, "Lambda": 1893.41, "CloudFront": 2198.75, "Data transfer": 4371.02}
for k in q1:
    d = q2[k] - q1[k]
    print(f"{k:<14} {q1[k]:>10,.2f} {q2[k]:>10,.2f} {d:>+10,.2f} {d/q1[k]:>+8.1%}")
a, b = sum(q1.values()), sum(q2.values())
print(f"{'TOTAL':<14} {a:>10,.2f} {b:>10,.2f} {b-a:>+10,.2f} {(b-a)/a:>+8.1%}")""",
],
"answers": [
("derived", "Data transfer (+2,386.66) and Lambda (+1,280.64): together $3,667.30, more than the whole increase of $3,363.93.", [
    ("miscomputed derivation", "3,667.30", "3,567.30"),
    ("sign or direction", "+1,280.64", "-1,280.64"),
    ("digit", "whole increase of $3,363.93", "whole increase of $3,336.93", "3,336.93"),
]),
("derived", "The bill rose 9.3%, from $36,263 to $39,627, i.e. by about $3,360.", [
    ("sign or direction", "rose 9.3%", "fell 9.3%", "9.3"),
    ("miscomputed derivation", "$3,360", "$3,630", "3,630"),
    ("sign or direction", "from $36,263 to $39,627", "from $39,627 to $36,263", ["39,627", "36,263"]),
    ("swapped entity", "9.3%", "13.8%", "13.8"),
]),
("derived", "EC2 got cheaper by $1,221.65 and is now 43% of the total, down from 51%.", [
    ("sign or direction", "got cheaper by $1,221.65", "got more expensive by $1,221.65", "1,221.65"),
    ("sign or direction", "43% of the total, down from 51%", "51% of the total, down from 43%", ["51", "43"]),
    ("miscomputed derivation", "43%", "47%", "47"),
]),
("summary of an analysis", "Data transfer more than doubled, from $1,984 to $4,371, and accounts for 71% of the net increase by itself; its share of the bill went from 5.5% to 11.0%. Lambda tripled to $1,893, but that's still under 5% of the bill. RDS and S3 added $424.70 and $534.83. Two services cost less than in Q1, EC2 and CloudFront, together $1,262.90 less. The average month now costs $13,209 rather than $12,088.", [
    ("swapped entity", "$424.70 and $534.83", "$534.83 and $424.70", ["534.83", "424.70"]),
    ("miscomputed derivation", "71%", "61%", "61"),
    ("sign or direction", "together $1,262.90 less", "together $1,262.90 more", "1,262.90"),
    ("miscomputed derivation", "$13,209", "$13,902", "13,902"),
]),
("list or table", '''**Up**
- Data transfer: +$2,387 (2.2 times Q1)
- Lambda: +$1,281 (3.1 times Q1)
- S3: +$535
- RDS: +$425

**Down**
- EC2: -$1,222
- CloudFront: -$41

Increases add up to $4,627, decreases to $1,263.''', [
    ("miscomputed derivation", "$4,627", "$4,267", "4,267"),
    ("miscomputed derivation", "3.1 times", "2.1 times", "2.1"),
    ("digit", "RDS: +$425", "RDS: +$452", "452"),
    ("sign or direction", "-$41", "+$41", "41"),
]),
("percent", "In relative terms Lambda grew most, by 209%, ahead of data transfer with 120%. CloudFront shrank by 1.8%.", [
    ("swapped entity", "209%, ahead of data transfer with 120%", "120%, ahead of data transfer with 209%", ["120", "209"]),
    ("sign or direction", "shrank by 1.8%", "grew by 1.8%", "1.8"),
    ("miscomputed derivation", "209%", "309%", "309"),
]),
]
}
