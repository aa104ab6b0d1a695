{
    "domain": "analytical chemistry",
    "question": "Evaluate my vinegar titration please. 5 mL vinegar diluted to 100 mL, 25 mL aliquots, NaOH 0.1025 M. The bottle claims 5 % acetic acid.",
    "cells": [
r"""# vinegar titration with NaOH
c_naoh = 0.1025          # mol/L
v_sample = 5.00e-3       # L of vinegar, diluted to 100 mL, 25 mL aliquots
aliquot_frac = 25 / 100
burette = [(0.15, 10.52), (10.52, 20.81), (20.81, 31.14), (0.05, 10.36)]   # mL start, end
vols = [round(e - s, 2) for s, e in burette]
print(vols)
used = vols[1:]          # first run was the rough one
v_mean = sum(used) / len(used)
spread = max(used) - min(used)
print(f"mean titre = {v_mean:.3f} mL, spread = {spread:.2f} mL")""",
r"""n_acid_aliquot = c_naoh * v_mean / 1000
n_acid = n_acid_aliquot / aliquot_frac
c_vinegar = n_acid / v_sample
M = 60.052
mass_conc = c_vinegar * M
density = 1.006e3        # g/L
print(f"n(acid) in aliquot = {n_acid_aliquot:.4e} mol")
print(f"n(acid) in sample  = {n_acid:.4e} mol")
print(f"c(CH3COOH) = {c_vinegar:.4f} mol/L = {mass_conc:.2f} g/L = {100 * mass_conc / density:.2f} % (w/w)")""",
r"""import math
Ka = 1.754e-5
h = (-Ka + math.sqrt(Ka**2 + 4 * Ka * c_vinegar)) / 2
print("pH of the vinegar", -math.log10(h))
print("degree of dissociation", h / c_vinegar)"""],
    "answers": [
        ("plain", "Your vinegar contains 5.05 % (w/w) acetic acid, in good agreement with the 5 % on the label.", [
            ("digit", "5.05 %", "5.50 %"),
            ("question number given as result", "5.05 %", "5.00 %"),
            ("number of something else", "5.05 %", "5.077 %"),
        ]),
        ("summary of an analysis", "Leaving out the rough first run (10.37 mL), the three titres of 10.29, 10.33 and 10.31 mL average 10.310 mL, with a spread of 0.04 mL. This gives c(CH3COOH) = 0.8454 mol/L, or 50.77 g/L.", [
            ("wrong statistic", "average 10.310 mL", "average 10.325 mL", "10.325"),
            ("scale", "spread of 0.04 mL", "spread of 0.4 mL", "0.4 mL"),
            ("digit", "0.8454 mol/L", "0.8544 mol/L", "0.8544"),
            ("miscomputed derivation", "50.77 g/L", "57.70 g/L", "57.70"),
        ]),
        ("units or currency", "Each 25 mL aliquot held 1.0568 × 10⁻³ mol of acid (about 1.06 mmol), so the 5 mL sample contained 4.2271 × 10⁻³ mol.", [
            ("scale", "about 1.06 mmol", "about 10.6 mmol", "10.6"),
            ("digit", "4.2271", "4.2721"),
        ]),
        ("plain", "The undiluted vinegar should have a pH of about 2.42, with only 0.45 % of the acetic acid dissociated.", [
            ("scale", "only 0.45 %", "only 4.5 %", "4.5 %"),
            ("rounding", "about 2.42", "about 2.41", "2.41"),
            ("invented", "about 2.42", "about 2.88", "2.88"),
        ]),
        ("derived", "A 15 mL tablespoon of it therefore holds roughly 0.76 g of acetic acid, and a 250 mL glass about 12.7 g.", [
            ("miscomputed derivation", "0.76 g", "0.67 g", "0.67"),
            ("scale", "about 12.7 g", "about 1.27 g", "1.27"),
        ]),
        ("derived", "The spread of the three titres you used is 0.4 % of their mean; keeping the rough titre would have raised the mean to 10.325 mL, about 0.15 % more.", [
            ("miscomputed derivation", "about 0.15 %", "about 1.5 %", "1.5 %"),
            ("digit", "10.325", "10.352"),
        ]),
    ],
}
