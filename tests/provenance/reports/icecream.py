{
    "domain": 'ice cream sales regression',
    "question": 'How much do temperature, rain and our promo weeks drive scoop sales? And what would you expect for a 25 degree week with one rainy day, with and without promo?',
    "cells": [
r'''import io
import numpy as np, pandas as pd
data = io.StringIO("""week;temp;rain_days;promo;scoops
18;14.2;3;0;1310
19;16.8;2;0;1585
20;15.1;5;0;1242
21;19.4;1;1;2140
22;21.0;2;0;2015
23;23.7;0;0;2420
24;22.5;3;1;2388
25;25.9;1;0;2560
26;27.3;0;1;3055
27;24.4;2;0;2301
28;20.2;4;0;1702
29;26.1;1;1;2870
30;28.8;0;0;2894
31;22.9;3;0;2060
""")
w = pd.read_csv(data, sep=";")
w.corr().round(3)["scoops"]''',
r'''X = np.column_stack([np.ones(len(w)), w.temp, w.rain_days, w.promo])
y = w.scoops.to_numpy()
b, *_ = np.linalg.lstsq(X, y, rcond=None)
res = y - X @ b
s2 = res @ res / (len(y) - X.shape[1])
se = np.sqrt(np.diag(s2 * np.linalg.inv(X.T @ X)))
r2 = 1 - res @ res / ((y - y.mean()) ** 2).sum()
out = pd.DataFrame({"coef": b, "se": se, "t": b / se}, index=["const", "temp", "rain_days", "promo"])
print(out.round(2))
print("R2", round(r2, 4), "| adj", round(1 - (1 - r2) * (len(y) - 1) / (len(y) - 4), 4), "| s", round(np.sqrt(s2), 1), "| n", len(y))''',
r'''new = np.array([[1, 25, 1, 0], [1, 25, 1, 1]])
pred = new @ b
print(pred.round(0))
worst = np.abs(res).argmax()
w.loc[worst].to_dict(), round(res[worst], 1)''',
    ],
    "answers": [
        ('summary of an analysis', "All three factors matter, and together they explain 99.6% of the variance (n = 14 weeks):\n- each extra degree adds about **95 scoops**,\n- each rainy day costs about **78**,\n- a promo week brings about **291** more.\n\nFor 25 °C and one rainy day I'd expect 2,453 scoops without and 2,744 with promo.", [
            ('sign or direction', 'costs about **78**', 'adds another **78**', '78'),
            ('wrong statistic', 'about **291** more', 'about **26** more', '26'),
            ('digit', '2,744', '2,474'),
            ('question number given as result', 'about **95 scoops**', 'about **25 scoops**', '**25'),
        ]),
        ('list or table', '| Term | Coefficient | Std. error | t |\n|---|---|---|---|\n| Intercept | 156.27 | 95.41 | 1.64 |\n| Temperature | 94.99 | 3.62 | 26.27 |\n| Rain days | −77.60 | 10.61 | −7.31 |\n| Promo | 290.77 | 25.61 | 11.35 |', [
            ('sign or direction', '| −77.60 |', '| 77.60 |', '77.60'),
            ('swapped entity', '| 25.61 |', '| 10.16 |', '10.16'),
            ('digit', '26.27', '22.67'),
        ]),
        ('plain', 'Temperature alone correlates with sales at r = 0.955, rain days at −0.804. The promo dummy looks weaker (0.494) until temperature is held constant.', [
            ('sign or direction', 'at −0.804', 'at 0.804', '0.804'),
            ('swapped entity', 'weaker (0.494)', 'weaker (0.629)', '0.629'),
            ('digit', 'r = 0.955', 'r = 0.995', '0.995'),
        ]),
        ('derived', 'A promo is worth as much as roughly 3 extra degrees (290.77 / 94.99), and it more than offsets three days of rain. Five degrees more mean some 475 extra scoops a week.', [
            ('miscomputed derivation', 'roughly 3 extra degrees', 'roughly 4 extra degrees', '4 extra'),
            ('miscomputed derivation', 'some 475 extra', 'some 575 extra', '575'),
        ]),
        ('counted', 'The model misses week 21 by the most: it sold 2,140 scoops, 72 fewer than predicted. The typical error is 41 scoops.', [
            ('sign or direction', '72 fewer than predicted', '72 more than predicted', '72'),
            ('number of something else', 'week 21', 'week 26', '26'),
            ('swapped entity', '2,140 scoops', '2,015 scoops', '2,015'),
        ]),
        ('percent', 'R² is 0.996 and the adjusted R² 0.995, so less than 1% of the variation in weekly sales is left unexplained. Four of the 14 weeks had a promo.', [
            ('scale', 'R² is 0.996 and', 'R² is 9.96 and', '9.96'),
            ('number of something else', 'the 14 weeks', 'the 31 weeks', '31'),
            ('digit', 'adjusted R² 0.995', 'adjusted R² 0.959', '0.959'),
        ]),
    ],
}
