{
    "domain": "energy advice",
    "question": "Client wants to know whether replacing the gas boiler (1978 house, 148 m²) by a heat pump pays off. Offer 31,500 €, 55 % grant on max. 30,000 €, a new gas boiler would be 9,800 €. Supplier says SCOP 3.4.",
    "cells": [
r"""# 1978 house, 148 m2, currently gas
gas_kwh = {2021: 27850, 2022: 24310, 2023: 23980}
hdd = {2021: 3290, 2022: 2905, 2023: 2870}
for y in gas_kwh:
    print(y, gas_kwh[y], hdd[y], round(gas_kwh[y] / hdd[y], 3), round(gas_kwh[y] / 148, 1))
avg = sum(gas_kwh.values()) / 3
avg""",
r"""boiler_eff = 0.89
heat = avg * boiler_eff
scop = 3.4
el = heat / scop
price_gas, price_el = 0.118, 0.282
cost_gas, cost_hp = avg * price_gas, el * price_el
co2_gas, co2_hp = avg * 0.201, el * 0.380
print(f"heat demand {heat:.0f} kWh, electricity {el:.0f} kWh")
print(f"running cost: gas {cost_gas:.2f} EUR, heat pump {cost_hp:.2f} EUR")
print(f"CO2: gas {co2_gas/1000:.2f} t, heat pump {co2_hp/1000:.2f} t")""",
r"""invest, grant_rate, cap = 31_500, 0.55, 30_000
grant = min(invest, cap) * grant_rate
net = invest - grant
boiler_new = 9_800
years = (net - boiler_new) / (cost_gas - cost_hp)
print(grant, net, round(years, 2))""",
r"""# the SCOP from the supplier's sheet was for 35 °C flow; with the old radiators at 55 °C it is 2.9
scop = 2.9
el = heat / scop
cost_hp = el * price_el
years = (net - boiler_new) / (cost_gas - cost_hp)
print(f"SCOP {scop}: electricity {el:.0f} kWh, cost {cost_hp:.2f} EUR, saving {cost_gas - cost_hp:.2f} EUR/a, payback {years:.1f} years")"""],
    "answers": [
        ("summary of an analysis", "With the realistic SCOP of 2.9 the heat pump needs 7,789 kWh of electricity a year and costs €2,196.51 to run, €798.33 less than gas. The additional investment is recovered after 6.5 years.", [
            ("stale value", "7,789 kWh", "6,644 kWh", "6,644"),
            ("stale value", "after 6.5 years", "after 4.64 years", "4.64"),
            ("rounding", "after 6.5 years", "after 6.6 years", "6.6"),
            ("digit", "€798.33", "€789.33", "789.33"),
            ("question number given as result", "SCOP of 2.9", "SCOP of 3.4", "3.4"),
        ]),
        ("units or currency", "The grant is 16,500 €, so 15,000 € remain to be paid, 5,200 € more than a new gas boiler would cost.", [
            ("miscomputed derivation", "16,500 €", "17,325 €", "17,325"),
            ("miscomputed derivation", "5,200 € more", "6,200 € more", "6,200"),
        ]),
        ("derived", "The lower SCOP costs the client €323 a year: the saving against gas shrinks from about €1,121 to €798, and payback moves from 4.6 to 6.5 years.", [
            ("miscomputed derivation", "€323 a year", "€423 a year", "423"),
            ("sign or direction", "payback moves from 4.6 to 6.5 years", "payback moves from 6.5 to 4.6 years", ["6.5", "4.6"]),
            ("miscomputed derivation", "about €1,121", "about €1,211", "1,211"),
        ]),
        ("plain", "Gas consumption averaged 25,380 kWh over the three years, which at 89 % boiler efficiency means a heat demand of 22,588 kWh.", [
            ("wrong statistic", "averaged 25,380 kWh", "averaged 24,310 kWh", "24,310"),
            ("digit", "22,588 kWh", "22,858 kWh", "22,858"),
            ("digit", "at 89 % boiler", "at 98 % boiler", "98 %"),
        ]),
        ("percent", "Consumption fell 13.9 % from 2021 to 2023, but degree days fell 12.8 % too, so the weather-adjusted use barely changed: 8.465 vs. 8.355 kWh per degree day.", [
            ("miscomputed derivation", "fell 13.9 %", "fell 16.1 %", "16.1 %"),
            ("sign or direction", "Consumption fell 13.9 %", "Consumption rose 13.9 %", "13.9 %"),
            ("digit", "8.465 vs. 8.355", "8.465 vs. 8.535", "8.535"),
        ]),
        ("list or table", "* 2021: 27,850 kWh, 188.2 kWh/m²\n* 2022: 24,310 kWh, 164.3 kWh/m²\n* 2023: 23,980 kWh, 162.0 kWh/m²", [
            ("digit", "188.2", "182.8"),
            ("invented", "24,310 kWh, 164.3", "24,310 kWh, 172.3", "172.3"),
        ]),
        ("derived", "Running costs would drop by 27 %, from €2,994.84 for gas to €2,196.51 for the heat pump.", [
            ("stale value", "by 27 %", "by 37 %", "37 %"),
            ("stale value", "to €2,196.51", "to €1,873.49", "1,873.49"),
        ]),
    ],
}
