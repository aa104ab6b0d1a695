{
    "domain": 'home energy',
    "question": "These are my heat pump meter readings from October to March. What's the seasonal COP, and did I save money compared to gas at 11.2 p/kWh with a 90% boiler?",
    "cells": [
r"""import pandas as pd
df = pd.DataFrame({
    "month": ["Oct", "Nov", "Dec", "Jan", "Feb", "Mar"],
    "elec_kwh": [182, 318, 471, 526, 433, 297],
    "heat_kwh": [746, 1177, 1554, 1631, 1407, 1099],
    "out_temp": [11.2, 7.6, 4.1, 2.8, 4.4, 7.9],
})
df["cop"] = (df.heat_kwh / df.elec_kwh).round(2)
print(df.to_string(index=False))
print("mean of monthly COPs", round(df.cop.mean(), 2))
""",
r"""E, H = df.elec_kwh.sum(), df.heat_kwh.sum()
print("electricity", E, "heat", H, "SCOP", round(H / E, 2))
p_el, p_gas, eff = 0.2636, 0.112, 0.90
hp = E * p_el
gas = H / eff * p_gas
print(f"heat pump {hp:.2f}  gas {gas:.2f}  saved {gas - hp:.2f} ({(gas - hp) / gas:.1%})")
print("corr temp/COP", round(df.out_temp.corr(df.cop), 3))
""",
    ],
    "answers": [
        ('plain', 'Your seasonal COP is 3.42.', [
            ('wrong statistic', '3.42', '3.52'),
            ('swapped entity', '3.42', '4.10'),
            ('digit', '3.42', '3.24'),
        ]),
        ('units or currency', 'Yes: the heat pump cost you £587 for the six months; gas would have been about £948, so you saved roughly £360.', [
            ('swapped entity', 'cost you £587 for the six months; gas would have been about £948', 'cost you £948 for the six months; gas would have been about £587', ['948', '587']),
            ('miscomputed derivation', '£360', '£460', '460'),
            ('digit', '£587', '£578', '578'),
        ]),
        ('percent', "That's a saving of 38% against a 90% efficient gas boiler.", [
            ('miscomputed derivation', '38%', '61%'),
            ('sign or direction', 'a saving of 38%', 'an extra cost of 38%', '38%'),
        ]),
        ('derived', "Don't just average the monthly COPs: that gives 3.52, a tenth too high, since the cold months with COPs of 3.10 to 3.30 use nearly two thirds (64%) of the electricity.", [
            ('swapped entity', '3.10 to 3.30', '3.70 to 3.30', '3.70'),
            ('miscomputed derivation', '64%', '46%'),
            ('wrong statistic', '3.52', '3.42'),
        ]),
        ('plain', 'January was the coldest and the worst month: 2.8 °C outside, COP 3.10, 526 kWh of electricity.', [
            ('swapped entity', '526 kWh', '471 kWh', '471'),
            ('wrong column', '526 kWh', '1,631 kWh', '1,631'),
            ('sign or direction', '2.8 °C', '-2.8 °C', '-2.8'),
            ('swapped entity', 'COP 3.10', 'COP 3.25', '3.25'),
        ]),
        ('derived', 'You got 7,614 kWh of heat for 2,227 kWh of electricity, so about 5,400 kWh came for free from the outside air. COP follows the outdoor temperature almost perfectly (r = 0.997).', [
            ('miscomputed derivation', '5,400 kWh', '9,800 kWh', '9,800'),
            ('digit', '7,614 kWh', '7,164 kWh', '7,164'),
            ('digit', '0.997', '0.979'),
            ('sign or direction', '0.997', '-0.997'),
        ]),
        ('derived', 'Your savings work out at £60 a month on average.', [
            ('miscomputed derivation', '£60', '£30', '30'),
            ('wrong column', '£60', '£98', '98'),
        ]),
    ],
}
