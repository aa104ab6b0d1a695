{
    "domain": 'purchase quote',
    "question": 'Need to order 340 shirts at 18.90 each, 19% VAT, shipping 145. Supplier mentioned something like 12 % off for volume. Does it fit into a 7000 € budget?',
    "cells": [r"""unit_price = 18.90
qty = 340
discount = 0.12      # assumed volume discount
vat = 0.19
shipping = 145.00

sub = unit_price * qty
net = sub * (1 + discount) + shipping
gross = net * (1 + vat)
print(f"{sub:.2f}\n{net:.2f}\n{gross:.2f}")""",
r"""# discount was added instead of subtracted
net = sub * (1 - discount) + shipping
gross = net * (1 + vat)
print(f"{sub:.2f}\n{net:.2f}\n{gross:.2f}")
print(gross / qty)""",
r"""budget = 7000
for d in (0.10, 0.12, 0.15, 0.18, 0.20):
    x = (sub * (1 - d) + shipping) * (1 + vat)
    print(d, round(x, 2), round(budget - x, 2))
q_max = int((budget / (1 + vat) - shipping) // (unit_price * (1 - discount)))
print(q_max)"""],
    "answers": [
        ('summary of an analysis', "Yes, narrowly. The list price of 340 shirts is €6,426.00. With the assumed 12 % discount and €145 shipping that's €5,799.88 net, or €6,901.86 including 19 % VAT. You stay €98.14 below your €7,000 budget and pay about €20.30 per shirt all in.", [
            ('stale value', '€6,901.86', '€8,737.12'),
            ('stale value', '€5,799.88', '€7,342.12'),
            ('miscomputed derivation', '€98.14', '€89.14'),
            ('typed literal', '€20.30', '€18.90'),
        ]),
        ('plain', 'The order costs 6,901.86 € gross, so it fits.', [
            ('digit', '6,901.86', '6,091.86'),
            ('question number given as result', '6,901.86', '7,000.00'),
            ('number of something else', '6,901.86', '6,672.45'),
        ]),
        ('list or table', 'Gross price for different discounts:\n\n| Discount | Total | Left of 7,000 € |\n|---|---|---|\n| 10 % | 7,054.80 € | −54.80 € |\n| 12 % | 6,901.86 € | 98.14 € |\n| 15 % | 6,672.45 € | 327.55 € |\n| 18 % | 6,443.04 € | 556.96 € |\n| 20 % | 6,290.10 € | 709.90 € |', [
            ('swapped entity', '6,672.45 € | 327.55 €', '6,672.45 € | 556.96 €', '6,672.45 € | 556.96'),
            ('sign or direction', '−54.80 €', '54.80 €', '| 54.80 €'),
            ('digit', '6,290.10', '6,920.10'),
            ('digit', '98.14', '94.18'),
        ]),
        ('derived', 'The 12 % discount is worth €771.12, and €1,101.98 of the total is VAT. With 12 % off you could order at most 344 shirts, only 4 more than planned.', [
            ('miscomputed derivation', '€771.12', '€717.12'),
            ('miscomputed derivation', '€1,101.98', '€1,220.94'),
            ('digit', '344 shirts', '334 shirts', '334'),
        ]),
        ('inequalities', "At a 10 % discount you'd be over budget by a bit more than €50, at 12 % you are just under. The rate of 12 % is an assumption, so get it in writing: less than €100 of slack is left.", [
            ('miscomputed derivation', 'more than €50', 'more than €500', '€500'),
            ('wrong statistic', 'less than €100', 'less than €50', 'less than €50'),
        ]),
        ('units or currency', "I first added the discount instead of taking it off, which gave €8,737.12; the right gross total is €6,901.86, i.e. €1,835.26 less. Per shirt that's €20.30 including shipping and tax.", [
            ('miscomputed derivation', '€1,835.26', '€1,853.26'),
            ('rounding', '€20.30', '€20.29'),
            ('stale value', 'total is €6,901.86', 'total is €7,342.12', '€7,342.12'),
        ]),
        ('percent', "You'd use 98.6 % of the €7,000. If the supplier goes up to 20 %, the bill drops to €6,290.10.", [
            ('digit', '98.6 %', '96.8 %'),
            ('swapped entity', '€6,290.10', '€6,443.04'),
            ('miscomputed derivation', '98.6 %', '89.9 %'),
        ]),
    ],
}
