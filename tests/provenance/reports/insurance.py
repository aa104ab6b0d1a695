{
    "domain": 'insurance combined ratios',
    "question": 'Need a quick read on our three lines 2022-2024 (amounts in € million): loss ratio, combined ratio, where did 2023 go wrong?',
    "cells": [
r'''import pandas as pd
with open("policies.csv", "w") as f:
    f.write("""line,year,premium,claims,n_claims,expenses
Motor,2022,18.4,13.9,5210,4.1
Motor,2023,19.7,16.8,5944,4.3
Motor,2024,22.1,16.6,5607,4.6
Home,2022,9.2,4.8,1320,2.5
Home,2023,9.6,7.9,2105,2.6
Home,2024,10.8,6.1,1588,2.7
Travel,2022,2.1,1.1,2890,0.7
Travel,2023,2.9,1.6,3975,0.9
Travel,2024,3.4,1.7,4120,1.0
""")
d = pd.read_csv("policies.csv")          # EUR million
d["loss"] = (d.claims / d.premium * 100).round(1)
d["combined"] = ((d.claims + d.expenses) / d.premium * 100).round(1)
d["avg_claim"] = (d.claims * 1e6 / d.n_claims).round(0).astype(int)
d''',
r'''d.pivot(index="line", columns="year", values="combined")''',
r'''t = d.groupby("year")[["premium", "claims", "expenses"]].sum()
t["result"] = t.premium - t.claims - t.expenses
t["combined"] = (t.claims + t.expenses) / t.premium * 100
for y, r in t.iterrows():
    print(f"{y}: premium {r.premium:.1f}m, claims {r.claims:.1f}m, expenses {r.expenses:.1f}m -> result {r.result:+.1f}m, combined ratio {r.combined:.1f}%")''',
    ],
    "answers": [
        ('summary of an analysis', '2023 was the only loss-making year: the combined ratio jumped from 91.2% to 105.9% and the technical result fell to −€1.9m. **Home** (109.4%) and **Motor** (107.1%) caused this, Travel stayed at 86.2%. In 2024 the book recovered to 90.1% and +€3.6m.', [
            ('swapped entity', '**Home** (109.4%) and **Motor** (107.1%)', '**Home** (107.1%) and **Motor** (109.4%)', ['107.1%', '109.4%']),
            ('sign or direction', '−€1.9m', '+€1.9m', '€1.9m'),
            ('swapped entity', 'to 90.1%', 'to 95.9%', '95.9%'),
            ('wrong column', 'to 105.9% and', 'to 82.3% and', '82.3%'),
        ]),
        ('derived', 'Home claims rose by €3.1m in 2023, from 4.8 to 7.9 million, an increase of about 65%, and the number of claims went up by 785 to 2,105.', [
            ('miscomputed derivation', 'by €3.1m', 'by €2.1m', '€2.1m'),
            ('miscomputed derivation', 'about 65%', 'about 39%', '39%'),
            ('miscomputed derivation', 'up by 785', 'up by 758', '758'),
        ]),
        ('units or currency', 'The average motor claim has become steadily more expensive: €2,668 in 2022, €2,826 in 2023 and €2,961 in 2024. An average home claim now costs €3,841, a travel claim just €413.', [
            ('swapped entity', '€2,826', '€3,753'),
            ('scale', 'just €413', 'just €4,130', '€4,130'),
            ('stale value', '€3,841', '€3,636'),
        ]),
        ('percent', 'Premiums grew 8.4% in 2023 and 12.7% in 2024, to €36.3m. Claims went the other way last year, down 7.2% to €24.4m.', [
            ('miscomputed derivation', '12.7%', '11.7%'),
            ('sign or direction', 'down 7.2% to', 'up 7.2% to', '7.2%'),
            ('wrong column', 'to €36.3m', 'to €32.2m', '€32.2m'),
        ]),
        ('list or table', 'Combined ratio by line:\n\n| | 2022 | 2023 | 2024 |\n|---|---|---|---|\n| Home | 79.3 | 109.4 | 81.5 |\n| Motor | 97.8 | 107.1 | 95.9 |\n| Travel | 85.7 | 86.2 | 79.4 |', [
            ('digit', '81.5', '85.1'),
            ('wrong column', '97.8', '75.5'),
            ('swapped entity', '79.4', '74.9'),
        ]),
        ('inequalities', 'Motor is still the thinnest line: a combined ratio of 95.9% leaves just €0.9m on more than €22m of premium, while Home earned €2.0m on less than half of that.', [
            ('miscomputed derivation', 'just €0.9m', 'just €1.9m', '€1.9m'),
            ('wrong column', 'of 95.9%', 'of 75.1%', '75.1%'),
            ('miscomputed derivation', 'earned €2.0m', 'earned €4.7m', '€4.7m'),
        ]),
    ],
}
