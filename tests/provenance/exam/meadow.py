{
    "domain": "field biology",
    "question": "Pollinator counts on three meadow treatments (mown, strip-mown, unmown), 7 taxa. Could you compute Shannon H, evenness, Simpson and test whether composition differs between treatments?",
    "cells": [
r"""import numpy as np, pandas as pd
counts = pd.DataFrame({
    "mown":    {"Bombus terrestris": 14, "Apis mellifera": 52, "Episyrphus balteatus": 9, "Pieris rapae": 3, "Maniola jurtina": 0, "Andrena flavipes": 6, "Lasioglossum sp.": 4},
    "strip":   {"Bombus terrestris": 31, "Apis mellifera": 40, "Episyrphus balteatus": 27, "Pieris rapae": 8, "Maniola jurtina": 12, "Andrena flavipes": 11, "Lasioglossum sp.": 19},
    "unmown":  {"Bombus terrestris": 28, "Apis mellifera": 17, "Episyrphus balteatus": 22, "Pieris rapae": 5, "Maniola jurtina": 36, "Andrena flavipes": 9, "Lasioglossum sp.": 13},
})
counts""",
r"""N = counts.sum()
p = counts / N
H = -(p * np.log(p.where(p > 0))).sum()
S = (counts > 0).sum()
out = pd.DataFrame({"N": N, "S": S, "H": H, "evenness": H / np.log(S), "simpson": 1 - (p**2).sum()})
out.T""",
r"""E = np.outer(counts.sum(axis=1), N) / N.sum()
chi2 = ((counts.values - E)**2 / E).sum()
dof = (counts.shape[0] - 1) * (counts.shape[1] - 1)
print(f"chi2 = {chi2:.2f}, dof = {dof}, smallest expected = {E.min():.2f}")"""],
    "answers": [
        ("summary of an analysis", "Diversity is lowest on the mown meadow (H = 1.28, evenness 0.71) and nearly identical on the strip-mown (H = 1.81, evenness 0.93) and unmown plots (H = 1.79, evenness 0.92).", [
            ("wrong column", "H = 1.81, evenness 0.93", "H = 1.81, evenness 0.82", "0.82"),
            ("digit", "H = 1.28", "H = 1.82", "1.82"),
            ("digit", "(H = 1.79, evenness 0.92)", "(H = 1.97, evenness 0.92)", "1.97"),
        ]),
        ("plain", "The chi-square test of composition gives χ² = 81.25 with 12 degrees of freedom, so the species composition clearly depends on treatment; note that the smallest expected count is 3.85, below the usual 5.", [
            ("digit", "81.25", "82.15"),
            ("invented", "12 degrees of freedom,", "12 degrees of freedom (p = 0.04),", "0.04"),
            ("miscomputed derivation", "12 degrees", "14 degrees", "14"),
            ("wrong statistic", "expected count is 3.85", "expected count is 0", "count is 0"),
        ]),
        ("counted", "You recorded 366 individuals: 88 on the mown, 148 on the strip-mown and 130 on the unmown plots. All seven taxa occurred in the last two, but only six on the mown one (no *Maniola jurtina*).", [
            ("miscomputed derivation", "366 individuals", "356 individuals", "356"),
            ("swapped entity", "148 on the strip-mown and 130 on the unmown", "130 on the strip-mown and 148 on the unmown", ["130", "148"]),
        ]),
        ("percent", "The honeybee makes up 59% of all visitors on mown plots, 27% on strips and just 13% on unmown plots, where *Maniola jurtina* leads with 28%.", [
            ("swapped entity", "27% on strips", "17% on strips", "17%"),
            ("wrong column", "makes up 59%", "makes up 52%", "52%"),
            ("miscomputed derivation", "leads with 28%", "leads with 36%", "36%"),
        ]),
        ("derived", "Strip mowing brought in 68% more pollinators than full mowing (148 vs. 88), with three times as many *Episyrphus balteatus*, 27 instead of 9.", [
            ("miscomputed derivation", "68% more", "41% more", "41%"),
            ("rounding", "68% more", "69% more", "69%"),
            ("digit", "27 instead of 9", "28 instead of 9", "28"),
        ]),
        ("plain", "Simpson's index (1 − D) is 0.607 for mown, 0.818 for strip and 0.815 for unmown.", [
            ("rounding", "0.607", "0.608"),
            ("wrong statistic", "0.815", "0.922"),
            ("digit", "0.818", "0.881"),
        ]),
    ],
}
