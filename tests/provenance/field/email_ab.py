{
    "domain": 'email A/B/C test',
    "question": 'Three subject lines, opens and clicks. Which one wins, and do the results hold without the staff addresses that got mixed in?',
    "cells": [
r"""import pandas as pd
d = pd.DataFrame({"variant": ["A", "B", "C"], "sent": [5120, 5104, 5131], "opened": [1203, 1318, 1262], "clicked": [214, 205, 259]}).set_index("variant")
d["open_rate"] = (d.opened / d.sent * 100).round(2)
d["click_rate"] = (d.clicked / d.sent * 100).round(2)
d["click_to_open"] = (d.clicked / d.opened * 100).round(2)
print(d)""",
r"""staff = pd.DataFrame({"sent": [40, 62, 35], "opened": [31, 58, 24], "clicked": [12, 9, 15]}, index=["A", "B", "C"])
e = d[["sent", "opened", "clicked"]] - staff
e["open_rate"] = (e.opened / e.sent * 100).round(2)
e["click_rate"] = (e.clicked / e.sent * 100).round(2)
e["click_to_open"] = (e.clicked / e.opened * 100).round(2)
print(e)
print(e[["sent", "opened", "clicked"]].sum())""",
r"""from math import sqrt, erf
def ztest(x1, n1, x2, n2):
    p = (x1 + x2) / (n1 + n2)
    z = (x1 / n1 - x2 / n2) / sqrt(p * (1 - p) * (1 / n1 + 1 / n2))
    return round(z, 3), round(1 - erf(abs(z) / sqrt(2)), 4)
for v, w in (("B", "A"), ("B", "C"), ("C", "A")):
    print(v, "vs", w, "opens", ztest(e.opened[v], e.sent[v], e.opened[w], e.sent[w]), "clicks", ztest(e.clicked[v], e.sent[v], e.clicked[w], e.sent[w]))""",
    ],
    "answers": [
        ('summary of an analysis', "Without the 137 staff addresses, B has the best open rate (24.99 %) but C gets the most clicks: 4.79 % against 3.98 % for A and 3.89 % for B. C's lead over A in clicks is just significant (p = 0.0455) and so is its lead over B (p = 0.0261). For opens, only B versus A is significant (p = 0.0238).", [
            ('stale value', '(24.99 %)', '(25.82 %)', '25.82'),
            ('stale value', 'clicks: 4.79 %', 'clicks: 5.05 %', '5.05'),
            ('swapped entity', '3.98 % for A and 3.89 % for B', '3.89 % for A and 3.98 % for B', ['3.89', '3.98']),
            ('wrong column', 'B versus A is significant (p = 0.0238)', 'B versus A is significant (p = 0.8178)', '0.8178'),
        ]),
        ('plain', 'After cleaning, C was clicked by 244 of 5,096 recipients.', [
            ('stale value', '244', '259'),
            ('stale value', '5,096', '5,131'),
            ('wrong column', '244 of', '1,238 of', '1,238'),
            ('digit', '5,096', '5,069'),
        ]),
        ('derived', 'C brought 42 more clicks than A and 48 more than B.', [
            ('stale value', '42 more', '45 more', '45'),
            ('stale value', '48 more', '54 more', '54'),
            ('miscomputed derivation', '42 more', '52 more', '52'),
            ('sign or direction', '48 more', '48 fewer', '48'),
        ]),
        ('percent', 'Among those who opened, 19.7 % clicked in group C, against 15.6 % in B.', [
            ('stale value', '19.7', '20.5'),
            ('wrong column', '19.7', '24.3'),
            ('swapped entity', '15.6', '17.2'),
        ]),
        ('list or table', '| Variant | Sent | Opened | Clicked | Open rate | Click rate |\n|---|---|---|---|---|---|\n| A | 5,080 | 1,172 | 202 | 23.07 % | 3.98 % |\n| B | 5,042 | 1,260 | 196 | 24.99 % | 3.89 % |\n| C | 5,096 | 1,238 | 244 | 24.29 % | 4.79 % |', [
            ('stale value', '1,260', '1,318'),
            ('stale value', '| 202 |', '| 214 |', '214'),
            ('stale value', '24.29', '24.60'),
            ('wrong column', '3.98 %', '17.24 %', '17.24'),
        ]),
        ('derived', "B's open rate came down by 0.83 points once the staff were removed, because 58 of its 62 staff recipients had opened the mail.", [
            ('miscomputed derivation', '0.83', '0.43'),
            ('sign or direction', 'came down by 0.83', 'went up by 0.83', '0.83'),
            ('swapped entity', '58 of', '31 of', '31'),
        ]),
        ('derived', 'In total 3,670 of 15,218 people opened, about 24 %, and 642 clicked.', [
            ('stale value', '3,670', '3,783'),
            ('miscomputed derivation', '24 %', '34 %', '34'),
            ('digit', '642', '624'),
        ]),
    ],
}
