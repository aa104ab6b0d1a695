{
    "domain": 'crypto',
    "question": "I bought 150 euros of bitcoin every month for a year. What's my average price, how much am I up, and would a lump sum in January have been better?",
    "cells": [
r"""months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
price = [38900, 41250, 58100, 62400, 57800, 60950, 59300, 56100, 53850, 57900, 66700, 91200]
budget, fee = 150, 0.0149
btc = 0
for m, p in zip(months, price):
    got = budget * (1 - fee) / p
    btc += got
    print(f"{m} {p:>6} {got:.6f} {btc:.6f}")
""",
r"""paid = budget * 12
last = 89400
value = btc * last
lump = paid * (1 - fee) / price[0] * last
print("paid", paid, "fees", round(paid * fee, 2))
print("average cost", round(paid / btc), "mean of prices", round(sum(price) / 12))
print("value", round(value, 2), "gain", round(value - paid, 2), f"{value / paid - 1:.1%}")
print("lump sum value", round(lump, 2), f"{lump / paid - 1:.1%}")
""",
    ],
    "answers": [
        ('plain', "You paid 57,088 per coin on average, and your 1,800 euros are now worth about 2,819. That's a gain of 56.6%.", [
            ('wrong statistic', '57,088', '58,704'),
            ('swapped entity', '56.6%', '126.4%'),
            ('wrong column', '2,819', '4,075'),
            ('scale', '1,800', '18,000'),
        ]),
        ('derived', 'In hindsight yes: putting it all in in January would have given you 4,075 €, roughly 1,256 € more than your monthly plan.', [
            ('sign or direction', '1,256 € more', '1,256 € less', '1,256'),
            ('miscomputed derivation', '1,256 €', '1,526 €', '1,526'),
            ('swapped entity', '4,075 €', '2,819 €', '2,819'),
        ]),
        ('derived', "Your average cost is about 1,600 lower than the plain average of the twelve prices (57,088 vs. 58,704), because a fixed amount buys more when it's cheap.", [
            ('sign or direction', '1,600 lower', '1,600 higher', '1,600'),
            ('digit', '58,704', '58,407'),
            ('miscomputed derivation', '1,600', '2,600'),
        ]),
        ('units or currency', 'You own 0.03153 BTC and lost 26.82 € in fees on the way.', [
            ('scale', '0.03153', '0.3153'),
            ('miscomputed derivation', '26.82 €', '28.62 €', '28.62'),
            ('stale value', '0.03153', '0.02991'),
        ]),
        ('fractions in words', "Your December purchase got you just 0.00162 BTC, less than half of January's 0.0038, since the price had climbed from 38,900 to 91,200 (up 134%).", [
            ('miscomputed derivation', '134%', '234%'),
            ('swapped entity', '0.00162', '0.002215'),
            ('sign or direction', 'up 134%', 'down 134%', '134%'),
            ('digit', '91,200', '92,100'),
        ]),
        ('plain', "You're up a little over 1,000 €.", [
            ('wrong column', '1,000 €', '2,800 €', '2,800'),
            ('sign or direction', 'up a little over 1,000 €', 'down a little over 1,000 €', '1,000'),
            ('wrong column', '1,000 €', '2,200 €', '2,200'),
        ]),
    ],
}
