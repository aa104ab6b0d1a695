{
    "domain": 'shop funnel',
    "question": 'Where do we lose customers in the funnel, on mobile and on desktop?',
    "cells": [
        """
import pandas as pd
funnel = pd.DataFrame({"mobile": [48210, 15427, 4320, 1296], "desktop": [21890, 9850, 4138, 2069]},
                      index=["visit", "product", "cart", "purchase"])
print(funnel)
rate = funnel.div(funnel.iloc[0])
print(rate.round(4))
step = funnel.div(funnel.shift(1)).dropna()
print((100 * step).round(1))
print("overall conversion: %.2f%%" % (100 * funnel.loc["purchase"].sum() / funnel.loc["visit"].sum()))
""",
    ],
    "answers": [
        ('plain', 'Of 48,210 mobile visitors only 1,296 bought something, i.e. 2.69 %.', [
            ('swapped entity', '1,296', '2,069'),
            ('swapped entity', '2.69 %', '9.45 %'),
            ('swapped entity', '48,210', '21,890'),
            ('scale', '2.69 %', '26.9 %'),
        ]),
        ('plain', 'On desktop 9.45 % of visitors buy; overall conversion is 4.80 %.', [
            ('wrong statistic', '4.80 %', '9.45 %', 'is 9.45 %'),
            ('digit', '4.80 %', '8.40 %'),
            ('swapped entity', 'desktop', 'mobile', '9.45 %'),
        ]),
        ('percent', 'From cart to purchase 50 % of desktop users go on, but just 30 % on mobile.', [
            ('swapped entity', '50 % of desktop users go on, but just 30 % on mobile', '30 % of desktop users go on, but just 50 % on mobile', ['50 %', '30 %']),
            ('wrong column', '30 %', '28 %'),
        ]),
        ('derived', 'So 70 % of the mobile carts are abandoned.', [
            ('miscomputed derivation', '70 %', '60 %'),
        ]),
        ('derived', 'Desktop converts 3.5 times as well as mobile.', [
            ('miscomputed derivation', '3.5', '4.5'),
        ]),
        ('derived', 'Altogether 3,365 purchases were made by 70,100 visitors.', [
            ('miscomputed derivation', '3,365', '3,356'),
            ('miscomputed derivation', '70,100', '71,000'),
        ]),
        ('plain', 'The first step is the hardest: only 32 % of mobile and 45 % of desktop visitors look at a product.', [
            ('swapped entity', '32 % of mobile and 45 % of desktop', '45 % of mobile and 32 % of desktop', ['45 %', '32 %']),
            ('wrong column', '32 %', '28 %'),
        ]),
        ('plain', '4,138 desktop users put something into the cart.', [
            ('swapped entity', '4,138', '4,320'),
            ('wrong column', '4,138', '9,850'),
        ]),
    ],
}
