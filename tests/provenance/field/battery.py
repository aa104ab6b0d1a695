{
    "domain": 'engineering, battery cycle test',
    "question": 'Cycle test of three battery cells: capacity after every 100 cycles. When do they drop below 80 % and which one is best?',
    "cells": [
r"""import pandas as pd
cap = pd.DataFrame({
    "cycle": [0, 100, 200, 300, 400, 500, 600, 700, 800],
    "A": [2.98, 2.91, 2.85, 2.80, 2.74, 2.67, 2.58, 2.44, 2.21],
    "B": [3.05, 2.95, 2.86, 2.76, 2.65, 2.53, 2.39, 2.20, 1.96],
    "C": [2.94, 2.90, 2.87, 2.84, 2.80, 2.77, 2.73, 2.69, 2.64],
}).set_index("cycle")
rel = (cap / cap.iloc[0] * 100).round(1)
rel""",
r"""for c in cap:
    r = cap[c] / cap[c].iloc[0]
    below = r[r < 0.8]
    if below.empty:
        print(c, "still above 80 %:", round(100*r.iloc[-1], 1))
    else:
        i = below.index[0]
        r0, r1 = r[i-100], r[i]
        print(c, "below 80 % at cycle", i, "interpolated", round(i-100 + 100*(r0-.8)/(r0-r1)))""",
r"""loss = cap.iloc[0] - cap.iloc[-1]
print("loss in Ah:", loss.round(2).to_dict())
print("mAh per cycle:", (loss / 800 * 1000).round(3).to_dict())""",
    ],
    "answers": [
        ('plain', 'Cell C is the best by far: it still has 89.8% of its capacity after 800 cycles.', [
            ('swapped entity', '89.8%', '74.2%', '74.2'),
            ('swapped entity', '89.8%', '91.5%', '91.5'),
            ('digit', '89.8%', '98.8%', '98.8'),
        ]),
        ('derived', 'B drops below 80% at about cycle 564, 160 cycles earlier than A (724).', [
            ('sign or direction', '160 cycles earlier', '160 cycles later', '160'),
            ('miscomputed derivation', '160 cycles', '260 cycles', '260'),
            ('swapped entity', 'cycle 564, 160 cycles earlier than A (724)', 'cycle 724, 160 cycles earlier than A (564)', ['724', '564']),
        ]),
        ('list or table', '| Cell | Start (Ah) | End (Ah) | Remaining | Loss per cycle |\n|---|---|---|---|---|\n| A | 2.98 | 2.21 | 74.2% | 0.96 mAh |\n| B | 3.05 | 1.96 | 64.3% | 1.36 mAh |\n| C | 2.94 | 2.64 | 89.8% | 0.38 mAh |', [
            ('swapped entity', '| 1.96 |', '| 2.20 |', '2.20'),
            ('wrong column', '| 0.96 mAh', '| 0.77 mAh', '0.77'),
            ('digit', '64.3%', '63.4%', '63.4'),
        ]),
        ('summary of an analysis', 'B started with the largest capacity (3.05 Ah) but aged fastest: it lost 1.09 Ah, more than a third, over the 800 cycles. A lost 0.77 Ah or about 26%, most of it late; at cycle 500 it was still at 89.6%. C lost just 0.3 Ah, roughly a tenth. In the measured data B is first under 80% at cycle 600 (78.4%), A at cycle 800, and C never.', [
            ('miscomputed derivation', 'about 26%', 'about 36%', '36'),
            ('swapped entity', '89.6%', '83.0%', '83.0'),
            ('scale', 'just 0.3 Ah', 'just 0.03 Ah', '0.03'),
            ('swapped entity', 'cycle 600 (78.4%)', 'cycle 700 (78.4%)', '700'),
        ]),
        ('scale words', 'B loses about 3.6 times as much capacity per cycle as C (1.36 vs. 0.375 mAh).', [
            ('miscomputed derivation', '3.6 times', '2.6 times', '2.6'),
            ('scale', '0.375 mAh', '0.375 Ah', '0.375'),
            ('swapped entity', '(1.36 vs.', '(0.96 vs.', '0.96'),
        ]),
        ('percent', 'Between cycle 700 and 800 A fell by 7.7 percentage points, its steepest drop; C fell by only 1.7.', [
            ('miscomputed derivation', '7.7 percentage', '8.7 percentage', '8.7'),
            ('sign or direction', 'A fell by 7.7', 'A rose by 7.7', '7.7'),
            ('swapped entity', 'only 1.7', 'only 1.4', '1.4'),
        ]),
    ],
}
