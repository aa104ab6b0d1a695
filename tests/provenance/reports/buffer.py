{
    "domain": "chemistry",
    "question": "Need 500 mL of acetate buffer pH 5.0, 0.1 M total. How much sodium acetate trihydrate and glacial acetic acid do I need, and how far does the pH move if I add 5 mL of 1 M HCl? I titrated my vinegar too: 10.0 mL took 16.85, 16.90 and 16.80 mL of 0.5 M NaOH.",
    "cells": [r"""
import math

pKa, pH, c, V = 4.756, 5.0, 0.1, 0.500
ratio = 10 ** (pH - pKa)
n_total = c * V
n_base = n_total * ratio / (1 + ratio)
n_acid = n_total - n_base
M_NaOAc, M_HOAc, rho = 136.08, 60.05, 1.049
print(f"[A-]/[HA] = {ratio:.3f}")
print(f"n(A-) = {n_base * 1000:.2f} mmol, n(HA) = {n_acid * 1000:.2f} mmol")
print(f"NaOAc.3H2O: {n_base * M_NaOAc:.3f} g")
print(f"HOAc: {n_acid * M_HOAc:.3f} g = {n_acid * M_HOAc / rho:.3f} mL")
""", r"""
def after_acid(ml, molar=1.0):
    h = ml / 1000 * molar
    return pKa + math.log10((n_base - h) / (n_acid + h))

print("mL HCl   pH     shift")
for ml in (1, 2, 5, 10, 20):
    x = after_acid(ml)
    print(f"{ml:>6}  {x:.3f}  {x - pH:+.3f}")
water = -math.log10(0.005 / 0.505)
print("same 5 mL in 500 mL pure water: pH", round(water, 2))
""", r"""
titres = [16.85, 16.90, 16.80]
mean_titre = sum(titres) / len(titres)
n_naoh = mean_titre * 0.5            # mmol
conc = n_naoh / 10.0                 # mol/L in the vinegar
print("mean titre", round(mean_titre, 2), "mL; n(NaOH)", round(n_naoh, 3), "mmol")
print("acetic acid", round(conc, 4), "mol/L =", round(conc * M_HOAc, 2), "g/L =", round(conc * M_HOAc / 10, 2), "% w/v")
"""],
    "answers": [
        ("summary of an analysis", "For 500 mL of 0.1 M acetate buffer at pH 5.0, weigh out **4.333 g sodium acetate trihydrate** and add **1.04 mL (1.090 g) glacial acetic acid**. Adding 5 mL of 1 M HCl lowers the pH from 5.00 to 4.82.", [
            ("scale", "4.333 g", "43.33 g", "43.33"),
            ("wrong column", "1.04 mL (1.090 g)", "1.09 mL (1.090 g)", "1.09 mL"),
            ("swapped entity", "to 4.82", "to 4.65", "4.65"),
            ("sign or direction", "lowers the pH from 5.00 to 4.82", "raises the pH from 5.00 to 5.18", "5.18"),
        ]),
        ("plain", "The Henderson–Hasselbalch ratio [A-]/[HA] is 1.754, which means 31.84 mmol acetate and 18.16 mmol acetic acid.", [
            ("digit", "1.754", "1.745"),
            ("swapped entity", "31.84 mmol acetate and 18.16 mmol acetic acid", "18.16 mmol acetate and 31.84 mmol acetic acid", ["18.16", "31.84"]),
        ]),
        ("derived", "The pH drops by 0.18 units with 5 mL of HCl and by 0.354 with 10 mL. The same 5 mL in pure water would take you down to pH 2.0, so the buffer ends up 2.82 units higher.", [
            ("wrong column", "drops by 0.18", "drops by 4.82", "4.82"),
            ("digit", "0.354", "0.534"),
            ("miscomputed derivation", "2.82 units", "3.82 units", "3.82"),
        ]),
        ("units or currency", "Your vinegar: a mean titre of 16.85 mL of 0.5 M NaOH is 8.425 mmol, so the acetic acid concentration is 0.8425 mol/L, i.e. 50.6 g/L or 5.06% w/v.", [
            ("scale", "0.8425 mol/L", "8.425 mol/L", "8.425 mol/L"),
            ("digit", "50.6 g/L", "56.0 g/L", "56.0"),
            ("rounding", "5.06%", "5.10%"),
        ]),
        ("percent", "About 64% of the total acetate is present as the base form and 36% as the free acid. After the 5 mL of HCl the numbers are 26.84 and 23.16 mmol.", [
            ("miscomputed derivation", "64%", "75%"),
            ("miscomputed derivation", "26.84", "36.84"),
        ]),
        ("inequalities", "Up to 2 mL of the acid the buffer holds to within 0.1 pH units; at 20 mL it has slipped by 0.75 to 4.25, which is no longer useful.", [
            ("typed literal", "Up to 2 mL", "Up to 10 mL", ["10", "0.1"]),
            ("digit", "0.75", "0.57"),
            ("digit", "to 4.25", "to 4.35", "4.35"),
        ]),
        ("derived", "If you want a full litre instead, double everything: 8.67 g of the trihydrate and 2.08 mL of glacial acetic acid. Your three titres agree to within 0.10 mL, so I'd trust the 5.06%.", [
            ("miscomputed derivation", "8.67 g", "8.33 g", "8.33"),
            ("wrong column", "2.08 mL", "2.18 mL", "2.18"),
            ("scale", "0.10 mL", "0.01 mL", "0.01"),
        ]),
    ],
}
