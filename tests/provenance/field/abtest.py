{
"domain": "A/B test",
"question": "Did the new checkout page convert better than the old one?",
"cells": [
r"""import math
A = dict(n=12480, conv=649, rev=31152.0)
B = dict(n=12512, conv=738, rev=34686.0)
for k, v in (("A", A), ("B", B)):
    print(k, "visitors", v["n"], "orders", v["conv"], "rate %.2f%%" % (100*v["conv"]/v["n"]), "revenue", v["rev"], "per order %.2f" % (v["rev"]/v["conv"]), "per visitor %.3f" % (v["rev"]/v["n"]))""",
r"""pa, pb = A["conv"]/A["n"], B["conv"]/B["n"]
p = (A["conv"]+B["conv"])/(A["n"]+B["n"])
z = (pb-pa)/math.sqrt(p*(1-p)*(1/A["n"]+1/B["n"]))
pv = math.erfc(abs(z)/math.sqrt(2))
se = math.sqrt(pa*(1-pa)/A["n"]+pb*(1-pb)/B["n"])
print("diff %.4f  z %.2f  p %.4f  95%% CI [%.4f, %.4f]" % (pb-pa, z, pv, pb-pa-1.96*se, pb-pa+1.96*se))""",
],
"answers": [
("derived", "Yes. The new page converts at 5.90% instead of 5.20%, 0.7 points better.", [
    ("sign or direction", "0.7 points better", "0.7 points worse", "0.7"),
    ("swapped entity", "5.90% instead of 5.20%", "5.20% instead of 5.90%", ["5.20", "5.90"]),
    ("miscomputed derivation", "0.7 points", "0.9 points", "0.9"),
]),
("derived", "B brought 89 more orders (738 vs 649), up 13.7%.", [
    ("miscomputed derivation", "89 more", "99 more", "99"),
    ("sign or direction", "89 more orders", "89 fewer orders", "89"),
    ("miscomputed derivation", "13.7%", "12.1%", "12.1"),
    ("digit", "738", "783"),
]),
("constants of a method", "The difference is significant at the 5% level (z = 2.41, p = 0.016); the 95% interval runs from 0.13 to 1.27 percentage points.", [
    ("invented", "z = 2.41, p = 0.016", "z = 2.96, p = 0.016", "2.96"),
    ("scale", "p = 0.016", "p = 0.16", "0.16"),
    ("sign or direction", "from 0.13 to 1.27", "from -0.13 to 1.27", "-0.13"),
]),
("summary of an analysis", "The groups are almost the same size: B had 12,512 visitors, just 32 more than A. It got 738 orders, 89 more, so the conversion rate is 13% higher in relative terms. The average order was slightly smaller, $47.00 against $48.00, but that's outweighed: revenue per visitor rose by 11%, from $2.496 to $2.772. In total B took in $34,686, $3,534 more than the old page.", [
    ("miscomputed derivation", "$3,534", "$3,354", "3,354"),
    ("sign or direction", "rose by 11%", "fell by 11%", "11"),
    ("swapped entity", "$47.00 against $48.00", "$48.00 against $47.00", ["48.00", "47.00"]),
    ("miscomputed derivation", "just 32 more", "just 42 more", "42"),
]),
("list or table", '''| | A | B | B vs. A |
|---|---|---|---|
| Visitors | 12,480 | 12,512 | +32 |
| Orders | 649 | 738 | +89 |
| Rate | 5.20% | 5.90% | +0.70 pts |
| Per order | 48.00 | 47.00 | -1.00 |
| Per visitor | 2.496 | 2.772 | +0.276 |''', [
    ("sign or direction", "-1.00", "+1.00"),
    ("miscomputed derivation", "+0.276", "+0.376"),
    ("digit", "12,480", "12,840"),
    ("miscomputed derivation", "+89", "+98"),
]),
("derived", "Both pages together: 1,387 orders from 24,992 visitors, and 53% of the orders came through B.", [
    ("miscomputed derivation", "53%", "57%", "57"),
    ("miscomputed derivation", "1,387", "1,487"),
    ("number of something else", "24,992", "12,512"),
]),
]
}
