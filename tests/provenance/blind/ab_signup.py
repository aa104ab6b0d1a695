{
    "domain": 'ab signup',
    "question": 'Did the new signup form convert better than the old one? Use alpha 0.05.',
    "cells": ['''
from math import sqrt, erf
n = {"old": 4120, "new": 4087}
conv = {"old": 371, "new": 432}
rate = {k: conv[k]/n[k] for k in n}
for k in n:
    print(f"{k}: {conv[k]} of {n[k]} converted ({rate[k]:.2%})")
pool = sum(conv.values())/sum(n.values())
z = (rate["new"]-rate["old"])/sqrt(pool*(1-pool)*(1/n["old"]+1/n["new"]))
p = 2*(1-0.5*(1+erf(abs(z)/sqrt(2))))
print("z =", round(z,3), "p =", round(p,4))
lift = rate["new"]/rate["old"]-1
print("relative lift:", f"{lift:.1%}")
'''],
    "answers": [
        ('plain', 'The new form converted 10.57% of visitors (432 of 4,087), the old one 9.00% (371 of 4,120).', [
            ('swapped entity', '432 of 4,087', '371 of 4,087', '371 of 4,087'),
            ('swapped entity', 'form converted 10.57%', 'form converted 9.00%', 'converted 9.00%'),
            ('digit', '4,087', '4,078')]),
        ('constants of a method', 'With z = 2.39 and p = 0.017 < 0.05 the difference is significant at the 5% level.', [
            ('digit', 'p = 0.017', 'p = 0.071', '0.071'),
            ('wrong column', 'z = 2.39', 'z = 1.57', '1.57')]),
        ('derived', 'That is an absolute gain of 1.57 percentage points, or 17.4% in relative terms.', [
            ('miscomputed derivation', '1.57', '1.75'),
            ('sign or direction', 'gain of 1.57', 'loss of 1.57', '1.57')]),
        ('counted', 'In all, 803 of 8,207 visitors signed up.', [
            ('miscomputed derivation', '803', '813'),
            ('digit', '8,207', '8,270')]),
        ('plain', 'The new form won 61 more signups despite 33 fewer visitors.', [
            ('miscomputed derivation', '61 more', '51 more', '51'),
            ('sign or direction', '33 fewer', '33 more', '33')]),
    ],
}
