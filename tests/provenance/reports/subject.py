{
    "domain": 'email A/B test',
    "question": 'Subject line test: A = our usual one, B = the question style. 10k mails each, split over new and loyal customers. Is B better?',
    "cells": [
r'''import pandas as pd, math
open("mail.csv", "w").write("""variant,segment,sent,opened,clicked,unsub
A,new,6200,1178,211,31
A,loyal,3800,1254,289,8
B,new,6150,1353,258,37
B,loyal,3850,1240,270,9
""")
m = pd.read_csv("mail.csv")
m["open_rate"] = m.opened / m.sent
m["ctr"] = m.clicked / m.sent
m''',
r'''def ztest(x1, n1, x2, n2):
    p1, p2 = x1 / n1, x2 / n2
    p = (x1 + x2) / (n1 + n2)
    z = (p2 - p1) / math.sqrt(p * (1 - p) * (1 / n1 + 1 / n2))
    se = math.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
    return dict(A=round(p1, 4), B=round(p2, 4), diff_pp=round(100 * (p2 - p1), 2), z=round(z, 2),
                p=round(math.erfc(abs(z) / math.sqrt(2)), 4),
                ci=(round(100 * (p2 - p1 - 1.96 * se), 2), round(100 * (p2 - p1 + 1.96 * se), 2)))

tot = m.groupby("variant")[["sent", "opened", "clicked", "unsub"]].sum()
print(tot)
for metric in ("opened", "clicked", "unsub"):
    print(metric, ztest(tot.loc["A", metric], tot.loc["A", "sent"], tot.loc["B", metric], tot.loc["B", "sent"]))''',
r'''for seg, g in m.groupby("segment"):
    a, b = g[g.variant == "A"].iloc[0], g[g.variant == "B"].iloc[0]
    print(seg, ztest(a.opened, a.sent, b.opened, b.sent))''',
    ],
    "answers": [
        ('summary of an analysis', "B gets opened more often: 25.93% vs 24.32%, a lift of 1.61 percentage points (95% CI 0.41 to 2.81, p = 0.009). Clicks, however, don't differ significantly (5.28% vs 5.00%, p = 0.37), and neither do unsubscribes (p = 0.45).", [
            ('swapped entity', '25.93% vs 24.32%', '24.32% vs 25.93%', ['24.32%', '25.93%']),
            ('swapped entity', 'p = 0.37', 'p = 0.73', '0.73'),
            ('wrong statistic', '0.41 to 2.81', '1.58 to 4.42', ['1.58', '4.42']),
            ('miscomputed derivation', 'lift of 1.61', 'lift of 1.16', '1.16'),
        ]),
        ('derived', 'In absolute numbers, B brought 161 more opens (2,593 instead of 2,432, up 6.6%) and 28 more clicks from the same 10,000 mails.', [
            ('miscomputed derivation', '161 more', '171 more', '171'),
            ('miscomputed derivation', 'up 6.6%', 'up 16.6%', '16.6%'),
            ('sign or direction', '28 more clicks', '28 fewer clicks', '28'),
        ]),
        ('percent', 'The effect comes entirely from new customers, where the open rate rose from 19.0% to 22.0% (+3.0 pp, z = 4.13). Among loyal customers it slipped from 33.0% to 32.2%, which is within noise (p = 0.46).', [
            ('sign or direction', 'slipped from 33.0% to 32.2%', 'climbed from 32.2% to 33.0%', ['32.2%', '33.0%']),
            ('wrong statistic', 'z = 4.13', 'z = 2.62', '2.62'),
            ('digit', '(p = 0.46)', '(p = 0.64)', '0.64'),
        ]),
        ('list or table', '| Segment | A | B | Difference |\n|:--|--:|--:|--:|\n| New | 19.00% | 22.00% | +3.00 pp |\n| Loyal | 33.00% | 32.21% | −0.79 pp |\n| **All** | **24.32%** | **25.93%** | **+1.61 pp** |', [
            ('sign or direction', '−0.79 pp', '+0.79 pp', '0.79'),
            ('wrong column', '22.00%', '4.20%'),
            ('digit', '32.21%', '32.12%'),
        ]),
        ('counted', "46 recipients of B unsubscribed compared with 39 for A. That's 7 more, nothing to worry about statistically; most of them (37) were new customers.", [
            ('swapped entity', 'most of them (37)', 'most of them (31)', '31'),
            ('miscomputed derivation', '7 more', '6 more', '6 more'),
            ('wrong column', '46 recipients', '528 recipients', '528'),
        ]),
        ('French', "L'objet B est ouvert plus souvent : 25,9 % contre 24,3 %, soit 1,6 point de plus (p = 0,009). L'effet est limité aux nouveaux clients (+3 points) ; chez les fidèles, le taux baisse de 0,8 point.", [
            ('digit', '1,6 point', '1,9 point', '1,9'),
            ('sign or direction', 'baisse de 0,8 point', 'augmente de 0,8 point', '0,8'),
            ('swapped entity', '24,3 %', '23,4 %', '23,4'),
        ]),
    ],
}
