{
"domain": "sequencing QC",
"question": "How many reads survive trimming and deduplication in each sample?",
"cells": [
r"""samples = {"S1": (4812390, 4610227, 3987140), "S2": (5230114, 5102846, 4756302),
           "S3": (3977505, 3120968, 2204411), "S4": (4655870, 4498301, 4120655)}
print("sample       raw   trimmed     dedup")
for s, (r, t, d) in samples.items():
    print(f"{s:<6}{r:>10,}{t:>10,}{d:>10,}")""",
r"""for s, (r, t, d) in samples.items():
    print(f"{s}: trimming keeps {t/r:.1%}, dedup keeps {d/t:.1%}, overall {d/r:.1%}")
print("sum raw", sum(x[0] for x in samples.values()), "sum final", sum(x[2] for x in samples.values()))""",
],
"answers": [
("derived", "Of 18.7 million raw reads, 15.1 million are left, i.e. 81%; about 3.6 million were removed.", [
    ("miscomputed derivation", "81%", "85%", "85"),
    ("scale", "15.1 million", "1.51 million", "1.51"),
    ("miscomputed derivation", "3.6 million", "4.6 million", "4.6"),
]),
("derived", "S3 is the problem: only 55.4% survive, 35.5 percentage points less than in S2.", [
    ("miscomputed derivation", "35.5 percentage", "33.5 percentage", "33.5"),
    ("swapped entity", "less than in S2", "less than in S1", "35.5"),
    ("sign or direction", "points less than", "points more than", "35.5"),
    ("wrong column", "55.4%", "70.6%", "70.6"),
]),
("plain", "S2 keeps the most, 4,756,302 reads, more than twice as many as S3 with 2,204,411.", [
    ("swapped entity", "4,756,302 reads, more than twice as many as S3 with 2,204,411", "2,204,411 reads, more than twice as many as S3 with 4,756,302", ["2,204,411", "4,756,302"]),
    ("wrong column", "2,204,411", "3,120,968"),
    ("digit", "4,756,302", "4,765,302"),
]),
("summary of an analysis", "Three samples look fine: S1, S2 and S4 retain 82.9% to 90.9% of their reads. S3 lost 856,537 reads in trimming and another 916,557 as duplicates, in total 1,773,094, which is 49% of everything removed in the run. It also started with the fewest reads, 3,977,505, some 1.25 million fewer than S2. S1's weak point is duplication: 623,087 reads were dropped there, against 346,544 in S2.", [
    ("miscomputed derivation", "49% of everything", "45% of everything", "45"),
    ("swapped entity", "lost 856,537 reads in trimming and another 916,557", "lost 916,557 reads in trimming and another 856,537", ["916,557", "856,537"]),
    ("sign or direction", "1.25 million fewer", "1.25 million more", "1.25"),
    ("miscomputed derivation", "623,087", "613,087"),
]),
("list or table", '''Reads lost in trimming:

- S1: 202,163 (4.2%)
- S2: 127,268 (2.4%)
- S3: 856,537 (21.5%)
- S4: 157,569 (3.4%)

S3 loses more than four times as many as S1.''', [
    ("miscomputed derivation", "(21.5%)", "(29.4%)", "29.4"),
    ("miscomputed derivation", "202,163", "203,162"),
    ("miscomputed derivation", "S2: 127,268", "S2: 147,268", "147,268"),
    ("miscomputed derivation", "(3.4%)", "(8.4%)", "8.4"),
]),
("derived", "On average 3.77 million reads per sample remain; S1 lies above that with 3.99 million, S3 well below.", [
    ("miscomputed derivation", "3.77 million", "4.67 million", "4.67"),
    ("sign or direction", "S1 lies above that", "S1 lies below that", "3.99"),
    ("wrong column", "3.99 million", "4.61 million", "4.61"),
]),
]
}
