{
    "domain": 'abtest2',
    "question": 'Did the new checkout page win?',
    "cells": [
        r"""
import math
n_a, c_a, n_b, c_b = 8204, 492, 8177, 568
p_a, p_b = c_a / n_a, c_b / n_b
pool = (c_a + c_b) / (n_a + n_b)
z = (p_b - p_a) / math.sqrt(pool * (1 - pool) * (1 / n_a + 1 / n_b))
p = math.erfc(abs(z) / math.sqrt(2))
se = math.sqrt(p_a * (1 - p_a) / n_a + p_b * (1 - p_b) / n_b)
print(f"control:   {c_a}/{n_a} = {p_a:.4f}")
print(f"treatment: {c_b}/{n_b} = {p_b:.4f}")
print(f"absolute lift: {p_b - p_a:.4f}  95% CI [{p_b - p_a - 1.96 * se:.4f}, {p_b - p_a + 1.96 * se:.4f}]")
print(f"relative lift: {(p_b / p_a - 1) * 100:.2f}%")
print(f"z = {z:.3f}, p-value = {p:.4f}")
""",
    ],
    "answers": [
        ('plain', 'Conversion rose from 6.00 % in the control group to 6.95 % with the new page, a relative lift of 15.83 %.', [
            ('sign or direction', 'rose', 'fell', ['6.00 %', '6.95 %', '15.83 %']),
            ('digit', '6.95 %', '6.59 %'),
            ('digit', '15.83 %', '18.53 %'),
        ]),
        ('plain', 'Yes: z = 2.47 and p = 0.0135, so the difference is significant at the 5 % level.', [
            ('digit', '2.47', '2.74'),
            ('digit', '0.0135', '0.0153'),
        ]),
        ('plain', 'The absolute gain is 0.95 percentage points (95 % CI 0.20 to 1.70).', [
            ('digit', '0.95 percentage', '0.59 percentage', '0.59'),
            ('digit', '1.70', '1.07'),
        ]),
        ('plain', 'In the treatment group 568 of 8,177 visitors bought something; in the control group 492 of 8,204.', [
            ('digit', '8,177', '8,717'),
            ('swapped entity', '568 of 8,177 visitors bought something; in the control group 492 of 8,204', '492 of 8,204 visitors bought something; in the control group 568 of 8,177', ['492', '568']),
        ]),
        ('derived', 'That is 76 more buyers from 27 fewer visitors.', [
            ('miscomputed derivation', '76', '67'),
            ('miscomputed derivation', '27', '72'),
        ]),
        ('derived', 'Altogether 16,381 visitors took part and 1,060 of them converted.', [
            ('miscomputed derivation', '16,381', '16,831'),
            ('miscomputed derivation', '1,060', '1,600'),
        ]),
        ('derived', 'If all of 100,000 visitors saw the new page, one would expect about 950 more purchases.', [
            ('miscomputed derivation', '950', '590'),
            ('scale', '950', '9,500'),
        ]),
        ('French', 'Le taux de conversion passe de 6,00 % à 6,95 %, soit une hausse relative de 15,8 % (p = 0,0135).', [
            ('digit', '15,8 %', '18,5 %'),
            ('sign or direction', 'une hausse', 'une baisse', '15,8 %'),
        ]),
    ],
}
