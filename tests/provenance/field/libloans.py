{
"domain": "public library",
"question": "Summarise loans by branch and medium, please. Is digital overtaking print?",
"cells": [
r"""import csv, io
raw = '''branch,print,audio,digital
Central,48210,6120,31440
Harbour,17905,2210,15870
Eastgate,12430,1385,13960
Mill Lane,9260,940,5115
Norwood,7415,1105,8230
'''
rows = list(csv.DictReader(io.StringIO(raw)))
tot = {"print": 0, "audio": 0, "digital": 0}
for r in rows:
    p, a, g = int(r["print"]), int(r["audio"]), int(r["digital"])
    for k, v in zip(tot, (p, a, g)):
        tot[k] += v
    print(f"{r['branch']:<10} print {p:>6,}  audio {a:>5,}  digital {g:>6,}  all {p+a+g:>6,}")
print("totals:", tot)""",
r"""print("all loans:", sum(tot.values()))""",
],
"answers": [
("derived", "No. Print is still ahead of digital by 20,605 loans (95,220 against 74,615).", [
    ("sign or direction", "ahead of digital by 20,605", "behind digital by 20,605", "20,605"),
    ("miscomputed derivation", "20,605", "21,605"),
    ("swapped entity", "(95,220 against 74,615)", "(74,615 against 95,220)", ["74,615", "95,220"]),
]),
("derived", "Print makes up 52% of the 181,595 loans, digital 41% and audio the remaining 6.5%.", [
    ("miscomputed derivation", "52%", "56%", "56"),
    ("swapped entity", "digital 41% and audio the remaining 6.5%", "audio 41% and digital the remaining 6.5%", ["41", "6.5"]),
    ("digit", "181,595", "181,959"),
]),
("derived", "Only Eastgate and Norwood lend more digital than print: Eastgate by 1,530, Norwood by 815.", [
    ("sign or direction", "lend more digital than print", "lend more print than digital", ["1,530", "815"]),
    ("swapped entity", "Eastgate by 1,530, Norwood by 815", "Norwood by 1,530, Eastgate by 815", ["1,530", "815"]),
    ("miscomputed derivation", "1,530", "1,630"),
]),
("summary of an analysis", "Central accounts for 85,770 of 181,595 loans, or 47%, which is 5.6 times what Mill Lane lends (15,315). Without Central the other four branches come to 95,825. Print is the largest medium everywhere except at Eastgate and Norwood, where digital is ahead by 1,530 and 815 loans. At Central, on the other hand, print beats digital by 16,770, so about four fifths of the overall print lead of 20,605 comes from that one branch.", [
    ("miscomputed derivation", "5.6 times", "6.5 times", "6.5"),
    ("sign or direction", "digital is ahead by 1,530 and 815", "digital is behind by 1,530 and 815", ["1,530", "815"]),
    ("miscomputed derivation", "95,825", "96,825"),
    ("wrong statistic", "overall print lead of 20,605", "overall print lead of 11,760", "11,760"),
]),
("list or table", '''Digital share of loans by branch:

- Eastgate: 50.3%
- Norwood: 49.1%
- Harbour: 44.1%
- Central: 36.7%
- Mill Lane: 33.4%

So Eastgate is 17 percentage points above Mill Lane, and only one of the five branches is over half.''', [
    ("miscomputed derivation", "Norwood: 49.1%", "Norwood: 44.3%", "44.3"),
    ("miscomputed derivation", "Central: 36.7%", "Central: 42.1%", "42.1"),
    ("sign or direction", "17 percentage points above", "17 percentage points below", "17"),
    ("miscomputed derivation", "17 percentage points", "27 percentage points", "27"),
]),
("fractions in words", "A bit over half of all loans (52%) are print; at Central it's 48,210, half as many again as the 31,440 digital ones.", [
    ("wrong column", "31,440", "6,120"),
    ("swapped entity", "48,210", "17,905"),
    ("number of something else", "(52%)", "(47%)", "47"),
]),
]
}
