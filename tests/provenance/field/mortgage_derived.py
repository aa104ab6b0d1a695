{
"domain": "mortgage",
"question": "We need 280,000 over 25 years. Compare 3.4% with 4.1% and with a 20 year term at 3.4%.",
"cells": [
r"""def annuity(p, rate, years):
    i, n = rate / 12, years * 12
    return p * i / (1 - (1 + i) ** -n)
P = 280_000
for label, r, y in (("25y 3.4%", .034, 25), ("25y 4.1%", .041, 25), ("20y 3.4%", .034, 20)):
    m = round(annuity(P, r, y), 2)
    print(f"{label}: monthly {m:.2f}, paid in total {m*y*12:.2f}, interest {m*y*12-P:.2f}")""",
],
"answers": [
("derived", "At 4.1% you'd pay 1,493.45 a month, 106.68 more than at 3.4%.", [
    ("miscomputed derivation", "106.68", "160.68"),
    ("sign or direction", "106.68 more", "106.68 less", "106.68"),
    ("swapped entity", "1,493.45", "1,609.54"),
]),
("derived", "Shortening to 20 years saves 29,741.40 in interest but costs 222.77 more each month.", [
    ("miscomputed derivation", "29,741.40", "27,941.40"),
    ("sign or direction", "costs 222.77 more", "costs 222.77 less", "222.77"),
    ("number of something else", "29,741.40", "32,004.00"),
    ("number of something else", "222.77", "106.68"),
]),
("percent", "Over 25 years at 3.4% the interest is 136,031, almost 49% of the loan; at 4.1% it's 60%.", [
    ("miscomputed derivation", "49%", "33%", "33"),
    ("swapped entity", "136,031", "106,290"),
    ("swapped entity", "49% of the loan; at 4.1% it's 60%", "60% of the loan; at 4.1% it's 49%", ["60", "49"]),
]),
("summary of an analysis", "With 25 years and 3.4% you pay 1,386.77 per month and 416,031 altogether. The higher rate raises the instalment by 7.7% to 1,493.45, or about 1,280 a year, and the total by 32,004 to 448,035. The shorter term does the opposite: the instalment goes up 16% to 1,609.54, but interest falls from 136,031 to 106,290, that is by 22%. Between the cheapest and the dearest variant lie 61,745.", [
    ("miscomputed derivation", "by 7.7%", "by 9.7%", "9.7"),
    ("sign or direction", "interest falls from 136,031 to 106,290", "interest falls from 106,290 to 136,031", ["106,290", "136,031"]),
    ("miscomputed derivation", "61,745", "51,745"),
    ("digit", "16% to 1,609.54", "16% to 1,690.54", "1,690.54"),
]),
("list or table", '''Compared with 25 years at 3.4%:

- **25 years, 4.1%:** +106.68 a month, +32,004 in total
- **20 years, 3.4%:** +222.77 a month, -29,741.40 in total

So the 20-year loan beats the 4.1% one by 61,745.40.''', [
    ("sign or direction", "-29,741.40", "+29,741.40"),
    ("miscomputed derivation", "+32,004", "+34,002"),
    ("miscomputed derivation", "61,745.40", "71,745.40"),
    ("digit", "+106.68 a month", "+160.68 a month", "160.68"),
]),
("derived", "For every euro borrowed you pay back 1.49 in 25 years at 3.4%, with the 20-year term 1.38.", [
    ("miscomputed derivation", "1.49", "1.94"),
    ("swapped entity", "1.49 in 25 years at 3.4%, with the 20-year term 1.38", "1.38 in 25 years at 3.4%, with the 20-year term 1.49", ["1.38", "1.49"]),
    ("number of something else", "term 1.38", "term 1.60", "1.60"),
]),
]
}
