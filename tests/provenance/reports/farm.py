{
    "domain": "agriculture",
    "question": "Attached are the harvest figures of our 14 fields. What did each crop yield per hectare, did biochar make a difference, and which crop earned the most per hectare?",
    "cells": [
r'''import io
import pandas as pd
csv = """field,crop,ha,yield_t,rain_mm,n_kg_ha,treatment
A1,wheat,12.4,98.0,412,160,control
A2,wheat,9.8,83.3,405,160,biochar
A3,wheat,15.1,114.8,398,140,control
A4,wheat,11.0,96.8,420,160,biochar
B1,barley,8.7,57.4,388,120,control
B2,barley,10.2,73.4,391,120,biochar
B3,barley,7.5,48.0,402,110,control
B4,barley,9.1,62.8,410,120,biochar
C1,rapeseed,13.6,46.2,417,180,control
C2,rapeseed,12.9,47.7,409,180,biochar
C3,rapeseed,6.4,20.5,395,170,control
D1,maize,18.2,174.7,432,190,control
D2,maize,16.5,168.3,428,190,biochar
D3,maize,14.0,130.2,399,180,control
"""
f = pd.read_csv(io.StringIO(csv))
f["t_ha"] = f.yield_t / f.ha
print(f.dtypes)
f.round(2)''',
r"""crop = f.groupby("crop").agg(fields=("field", "count"), ha=("ha", "sum"), tonnes=("yield_t", "sum"))
crop["t_ha"] = crop.tonnes / crop.ha
crop.round(2)""",
r"""f.groupby(["crop", "treatment"])["t_ha"].mean().unstack().round(2).assign(
    uplift_pct=lambda x: ((x.biochar / x.control - 1) * 100).round(1))""",
r"""prices = {"wheat": 214, "barley": 187, "rapeseed": 438, "maize": 196}   # EUR/t
crop["revenue"] = crop.tonnes * crop.index.map(prices)
crop["eur_ha"] = crop.revenue / crop.ha
for name, r in crop.sort_values("eur_ha", ascending=False).iterrows():
    print(f"{name:<9} {r.revenue:>10,.0f} EUR  {r.eur_ha:>8,.0f} EUR/ha")
print(f"{'total':<9} {crop.revenue.sum():>10,.0f} EUR  {crop.revenue.sum() / crop.ha.sum():>8,.0f} EUR/ha")
print("corr(rain, t/ha):", f.groupby("crop").apply(lambda x: x.rain_mm.corr(x.t_ha)).round(2).to_dict())""",
    ],
    "answers": [
        ("summary of an analysis", "**Harvest summary**\n\n- In total you harvested 1,222.1 t on 165.4 ha.\n- **Maize** leads with 9.72 t/ha, then **wheat** (8.13), **barley** (6.81) and **rapeseed** (3.48).\n- **Biochar fields yielded more in all four crops**, by between 7.9% (maize) and 12.1% (rapeseed).\n- Revenue came to €272,114, or €1,645 per hectare.", [
            ("digit", "1,222.1 t", "1,212.2 t", "1,212.2"),
            ("wrong statistic", "**barley** (6.81)", "**barley** (7.05)", "7.05"),
            ("miscomputed derivation", "165.4 ha", "175.4 ha", "175.4"),
            ("sign or direction", "yielded more in all four crops**, by between 7.9%", "yielded less in all four crops**, by between 7.9%", "7.9%"),
        ]),
        ("units or currency", "Per hectare, maize earned the most (€1,904), ahead of wheat (€1,741), rapeseed (€1,523) and barley (€1,273). In absolute terms maize is first as well with €92,747, about a third of the total.", [
            ("swapped entity", "rapeseed (€1,523) and barley (€1,273)", "rapeseed (€1,273) and barley (€1,523)", ["€1,273", "€1,523"]),
            ("scale", "€92,747", "€927,470"),
            ("digit", "€1,741", "€1,471"),
        ]),
        ("list or table", "| Crop | Control (t/ha) | Biochar (t/ha) | Uplift |\n|---|---|---|---|\n| Rapeseed | 3.30 | 3.70 | +12.1% |\n| Wheat | 7.75 | 8.65 | +11.6% |\n| Barley | 6.50 | 7.05 | +8.5% |\n| Maize | 9.45 | 10.20 | +7.9% |\n\nThese are unweighted means over fields; the maize and rapeseed biochar values rest on a single field each.", [
            ("digit", "8.65", "8.56"),
            ("miscomputed derivation", "+11.6%", "+10.4%"),
            ("wrong column", "| 3.30 | 3.70 |", "| 3.48 | 3.70 |", "3.48"),
        ]),
        ("derived", "Biochar wheat averaged 8.65 t/ha against 7.75 t/ha on the control fields, i.e. 0.9 t/ha more. At the €214 per tonne used here that is worth about €193 per hectare.", [
            ("miscomputed derivation", "0.9 t/ha more", "1.9 t/ha more", "1.9"),
            ("miscomputed derivation", "€193", "€139"),
            ("sign or direction", "0.9 t/ha more", "0.9 t/ha less", "0.9"),
            ("number of something else", "against 7.75 t/ha", "against 7.60 t/ha", "7.60"),
        ]),
        ("counted", "Six of the 14 fields were treated with biochar, eight served as controls. The best single field was D2 (maize, biochar) with 10.2 t/ha; the weakest was C3 (rapeseed, control) with 3.2 t/ha on 6.4 ha.", [
            ("number of something else", "with 10.2 t/ha", "with 16.5 t/ha", "16.5"),
            ("swapped entity", "with 3.2 t/ha", "with 3.4 t/ha", "3.4"),
            ("digit", "on 6.4 ha", "on 4.6 ha", "4.6"),
        ]),
        ("plain", "Rainfall correlates positively with yield for wheat (0.72), maize (0.68) and rapeseed (0.53), but not for barley (−0.11). With three or four fields per crop I would not read much into this.", [
            ("sign or direction", "(−0.11)", "(0.11)", "0.11"),
            ("swapped entity", "wheat (0.72), maize (0.68)", "wheat (0.68), maize (0.72)", ["0.68", "0.72"]),
            ("digit", "(0.53)", "(0.35)", "0.35"),
        ]),
        ("German", "Insgesamt wurden auf 165,4 ha 1.222,1 t geerntet. Mais brachte mit 9,72 t/ha den höchsten Ertrag und mit 1.904 €/ha auch den höchsten Erlös. Der Gesamterlös beträgt rund 272.000 €.", [
            ("scale", "272.000 €", "2.720.000 €"),
            ("swapped entity", "9,72 t/ha", "8,13 t/ha", "8,13"),
            ("rounding", "1.904 €/ha", "1.905 €/ha", "1.905"),
        ]),
        ("percent", "Wheat and maize together occupy 97 ha, just under 59% of the area, and bring in 65% of the revenue. Rapeseed uses about a fifth of the land and earns 18.4% of the money.", [
            ("miscomputed derivation", "97 ha", "107 ha", "107"),
            ("miscomputed derivation", "65% of the revenue", "56% of the revenue", "56%"),
            ("swapped entity", "18.4%", "16.6%"),
        ]),
    ],
}
