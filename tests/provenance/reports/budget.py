{
    "domain": 'household budget',
    "question": 'I take home 3240 a month. Here are my bills and what I spent in April. I want to put 15% aside AND go on a 2400 euro trip in about six months, doable? (forgot at first: train pass 89, insurance 267.60 per quarter)',
    "cells": [r"""rent, power, net, phone = 1180, 96.5, 39.99, 24.0
groceries = [142.3, 118.75, 160.1, 131.4]
fun = [64, 22.5, 91, 18, 47.8]
sav_rate = 0.15
net_income = 3240

fixed = rent + power + net + phone
g = sum(groceries)
f = sum(fun)
print(fixed, g, f)
print(net_income - fixed - g - f)""",
r"""# forgot the train pass and the insurance (paid quarterly)
pass_ = 89
ins = 267.6 / 3
fixed = rent + power + net + phone + pass_ + ins
left = net_income - fixed - g - f
print(round(fixed, 2), round(left, 2))
print(round(net_income * sav_rate, 2), round(left - net_income * sav_rate, 2))""",
r"""trip = 2400
tot = fixed + g + f
(round(tot, 2), round(fixed / net_income * 100, 1), round(g / 4, 2), max(fun), round(trip / left, 2))"""],
    "answers": [
        ('summary of an analysis', 'Yes, that works. With the train pass and a third of the quarterly insurance your fixed costs are €1,518.69 a month; groceries came to €552.55 and leisure to €243.30. That leaves €925.46 of your €3,240. After setting aside 15 % (€486) you still have €439.46 a month, so the €2,400 trip takes about five and a half months.', [
            ('stale value', '€1,518.69', '€1,340.49'),
            ('stale value', '€925.46', '€1,103.66'),
            ('miscomputed derivation', '€439.46', '€617.66'),
            ('digit', '€552.55', '€525.55'),
        ]),
        ('plain', "You'd have €439.46 left every month after saving 15 %.", [
            ('wrong statistic', '€439.46', '€925.46'),
            ('digit', '€439.46', '€493.46'),
            ('number of something else', '€439.46', '€486.00'),
        ]),
        ('percent', 'You spent €2,314.54 in April, 71.4 % of your income. Fixed costs take 46.9 %, groceries 17.1 % and leisure 7.5 %.', [
            ('digit', '46.9 %', '49.6 %'),
            ('miscomputed derivation', '17.1 %', '7.1 %', '7.1 %'),
            ('wrong statistic', '71.4 %', '28.6 %'),
        ]),
        ('derived', 'In six months you would put by about €2,637 on top of the 15 %, roughly €237 more than the trip costs. If you skipped saving altogether, the €2,400 would be together in 2.59 months.', [
            ('miscomputed derivation', '€2,637', '€2,916'),
            ('miscomputed derivation', '€237', '€273'),
            ('digit', '2.59 months', '2.95 months', '2.95'),
        ]),
        ('units or currency', "The two items I'd missed add €178.20 a month (the €89 pass and €89.20 for the insurance), which cuts what is left from €1,103.66 to €925.46.", [
            ('miscomputed derivation', '€178.20', '€356.60'),
            ('miscomputed derivation', '€89.20', '€66.90'),
            ('sign or direction', 'from €1,103.66 to €925.46', 'from €925.46 to €1,103.66', ['€925.46', '€1,103.66']),
        ]),
        ('fractions in words', 'A bit more than a third of your income goes to rent (€1,180), and just under half to fixed costs overall. Groceries averaged €138.14 a week over the four weeks; your most expensive outing was €91.', [
            ('wrong statistic', '€138.14', '€552.55'),
            ('swapped entity', '€91', '€64'),
            ('digit', '€138.14', '€183.14'),
        ]),
        ('inequalities', 'You have well over €400 a month to spare after savings, and less than €2,320 goes out. The trip fits inside six months, although with less than one month of slack.', [
            ('wrong statistic', 'over €400', 'over €900', '€900'),
            ('miscomputed derivation', 'less than €2,320', 'less than €2,230', '€2,230'),
        ]),
    ],
}
