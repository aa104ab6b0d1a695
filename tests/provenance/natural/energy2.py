{
    "domain": 'energy2',
    "question": 'Compare the electricity use of our sites in 2022 and 2023.',
    "cells": [
        r"""
import pandas as pd
use = pd.DataFrame({"site": ["Leeds", "Leeds", "Porto", "Porto", "Turin", "Turin", "Gdansk", "Gdansk"],
                    "year": [2022, 2023] * 4,
                    "mwh": [412.6, 388.1, 295.4, 301.9, 510.2, 466.7, 187.3, 203.5]})
wide = use.pivot(index="site", columns="year", values="mwh")
wide["change"] = wide[2023] - wide[2022]
wide["change_pct"] = (wide["change"] / wide[2022] * 100).round(1)
print(wide.round(1))
print(wide[[2022, 2023]].sum())
""",
        r"""
price = {2022: 0.284, 2023: 0.241}
for y in (2022, 2023):
    total = use.loc[use.year == y, "mwh"].sum()
    print(f"{y}: {total:.1f} MWh at {price[y]} EUR/kWh = {total * 1000 * price[y]:,.0f} EUR")
""",
    ],
    "answers": [
        ('plain', 'Turin saved most: its consumption fell by 43.5 MWh (8.5 %) to 466.7 MWh.', [
            ('sign or direction', 'fell', 'rose', ['43.5', '8.5 %']),
            ('swapped entity', '466.7', '388.1'),
            ('wrong column', 'to 466.7', 'to 510.2', '510.2'),
            ('digit', '43.5', '45.3'),
        ]),
        ('plain', 'Leeds went from 412.6 to 388.1 MWh, while Gdansk increased by 8.6 %.', [
            ('swapped entity', '8.6 %', '2.2 %'),
            ('sign or direction', 'increased', 'decreased', '8.6 %'),
            ('swapped entity', 'from 412.6 to 388.1', 'from 388.1 to 412.6', ['388.1', '412.6']),
        ]),
        ('derived', 'In total the four sites used 1,360.2 MWh in 2023, 45.3 MWh (3.2 %) less than the year before.', [
            ('miscomputed derivation', '45.3', '43.5'),
            ('miscomputed derivation', '3.2 %', '2.3 %'),
            ('wrong column', '1,360.2', '1,405.5'),
            ('sign or direction', 'less than', 'more than', ['45.3', '3.2 %']),
        ]),
        ('derived', 'The bill shrank from EUR 399,162 to EUR 327,808, a saving of EUR 71,354 or 17.9 %.', [
            ('miscomputed derivation', '71,354', '73,154'),
            ('miscomputed derivation', '17.9 %', '21.8 %'),
            ('swapped entity', 'EUR 399,162 to EUR 327,808', 'EUR 327,808 to EUR 399,162', ['327,808', '399,162']),
        ]),
        ('scale words', 'Electricity cost about 328 thousand euros in 2023 at 24.1 cents per kWh.', [
            ('scale', '328 thousand', '328 million'),
            ('wrong column', '24.1', '28.4'),
        ]),
        ('small integers', 'Two sites used less and two used more than in 2022.', []),
        ('derived', 'Turin alone made up 34.3 % of the consumption in 2023.', [
            ('miscomputed derivation', '34.3 %', '36.3 %'),
            ('swapped entity', 'Turin', 'Leeds', '34.3 %'),
        ]),
    ],
}
