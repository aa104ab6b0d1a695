{
    "domain": 'A/B test',
    "question": 'We tested a one-page checkout against the old one for two weeks. Is the new one better, and by how much?',
    "cells": [
r"""import numpy as np
n_a, n_b = 8412, 8367
conv_a, conv_b = 531, 602
p_a, p_b = conv_a / n_a, conv_b / n_b
print(f"old: {p_a:.4f}  new: {p_b:.4f}")
print(f"absolute lift: {p_b - p_a:.4f}, relative lift: {(p_b / p_a - 1):.2%}")""",
r"""from math import erf, sqrt
p = (conv_a + conv_b) / (n_a + n_b)
se = sqrt(p * (1 - p) * (1 / n_a + 1 / n_b))
z = (p_b - p_a) / se
pval = 2 * (1 - 0.5 * (1 + erf(abs(z) / sqrt(2))))
print(f"pooled {p:.4f}, z = {z:.3f}, p = {pval:.4f}")""",
r"""rng = np.random.default_rng(12)
a = rng.binomial(n_a, p_a, 20000) / n_a
b = rng.binomial(n_b, p_b, 20000) / n_b
lo, hi = np.percentile(b - a, [2.5, 97.5])
print(f"bootstrap 95% CI for difference: [{lo:.4f}, {hi:.4f}]")
print("share of resamples with new > old:", round((b > a).mean(), 4))
rev_a, rev_b = 531 * 48.20, 602 * 46.90
print(f"revenue per visitor: old {rev_a / n_a:.3f}, new {rev_b / n_b:.3f}")""",
    ],
    "answers": [
        ('summary of an analysis', 'Yes, the new checkout converts better. It turned 7.19 % of visitors into buyers against 6.31 % for the old page, an absolute gain of 0.88 percentage points or about 14 % in relative terms. The two-proportion test gives z = 2.28 and p = 0.023, and the bootstrap interval for the difference runs from 0.13 to 1.63 points, so zero is excluded at the 95 % level.', [
            ('swapped entity', '7.19 % of visitors into buyers against 6.31 %', '6.31 % of visitors into buyers against 7.19 %', ['6.31', '7.19']),
            ('scale', 'p = 0.023', 'p = 0.23', '0.23'),
            ('wrong statistic', '6.31 % for the old page', '6.75 % for the old page', '6.75'),
            ('scale', '0.88 percentage', '8.8 percentage', '8.8'),
        ]),
        ('percent', 'The relative lift is 13.98 %.', [
            ('digit', '13.98', '19.38'),
            ('scale', '13.98', '1.398'),
            ('wrong statistic', '13.98', '0.88'),
        ]),
        ('derived', 'On these samples that is 71 more orders with the new page, from slightly fewer visitors (8,367 vs 8,412), or almost 9 extra orders per thousand visitors.', [
            ('miscomputed derivation', '71 more', '81 more', '81'),
            ('sign or direction', '71 more orders', '71 fewer orders', '71'),
            ('scale', 'almost 9 extra', 'almost 90 extra', '90'),
            ('digit', '8,367', '8,637'),
        ]),
        ('units or currency', 'Revenue per visitor went up as well, from 3.04 to 3.37, i.e. by about 33 cents or 11 %.', [
            ('miscomputed derivation', '33 cents', '43 cents', '43'),
            ('typed literal', 'from 3.04', 'from 48.20', '48.20'),
            ('wrong statistic', 'or 11 %', 'or 14 %', '14'),
            ('rounding', 'to 3.37', 'to 3.38', '3.38'),
        ]),
        ('plain', 'In 98.99 % of the resamples the new page came out ahead.', [
            ('digit', '98.99', '99.89'),
            ('scale', '98.99 %', '0.9899 %', '0.9899'),
            ('number of something else', '98.99', '97.5'),
        ]),
        ('list or table', '- Old checkout: 531 orders from 8,412 visitors (6.31 %)\n- New checkout: 602 orders from 8,367 visitors (7.19 %)\n- z = 2.278, p = 0.0227\n- 95 % interval for the difference: 0.0013 to 0.0163', [
            ('scale', '0.0163', '0.163'),
            ('wrong statistic', 'p = 0.0227', 'p = 0.0675', '0.0675'),
            ('invented', 'New checkout: 602', 'New checkout: 631', '631'),
            ('digit', '2.278', '2.728'),
        ]),
        ('constants of a method', 'The p-value of 0.0227 is below the usual 0.05, but it would not pass a stricter 0.01.', [
            ('scale', '0.0227', '0.00227'),
            ('number of something else', '0.0227', '0.0088'),
            ('digit', '0.0227', '0.0272'),
        ]),
    ],
}
