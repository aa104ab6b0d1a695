{
    "domain": 'gene expr',
    "question": 'Which genes are differentially expressed?',
    "cells": [
        """
import pandas as pd
g = pd.DataFrame({
 "gene": ["TP53", "MYC", "GAPDH", "IL6", "BRCA1", "CD4"],
 "log2fc": [-1.84, 2.31, 0.05, 3.12, -0.42, -2.07],
 "pvalue": [0.0004, 0.00002, 0.81, 0.0011, 0.19, 0.0062]}).set_index("gene")
m = len(g)
g["padj"] = (g.pvalue * m / g.pvalue.rank()).clip(upper=1).round(5)
print(g)
sig = g[(g.padj < 0.05) & (g.log2fc.abs() > 1)]
print("significant:", len(sig), "up:", int((sig.log2fc > 0).sum()), "down:", int((sig.log2fc < 0).sum()))
print("fold change IL6:", round(2 ** g.log2fc["IL6"], 2))
""",
    ],
    "answers": [
        ('plain', 'IL6 is the most strongly induced gene (log2 fold change 3.12, i.e. 8.69-fold).', [
            ('swapped entity', '3.12', '2.31'),
            ('digit', '8.69', '6.89'),
            ('sign or direction', '3.12', '-3.12'),
        ]),
        ('small integers', 'Four of the six genes are significant: 2 up and 2 down.', [
            ('digit', '2 up', '3 up', '3'),
            ('digit', '2 down', '1 down', '1 down'),
        ]),
        ('plain', 'CD4 (log2FC -2.07) and TP53 (-1.84) are repressed.', [
            ('swapped entity', '-2.07) and TP53 (-1.84)', '-1.84) and TP53 (-2.07)', ['-2.07', '-1.84']),
            ('sign or direction', '-2.07', '+2.07'),
        ]),
        ('plain', 'GAPDH, the housekeeping gene, does not change (0.05, p = 0.81).', [
            ('swapped entity', '0.81', '0.19'),
            ('digit', '0.05', '0.15'),
        ]),
        ('constants of a method', 'We called genes with an adjusted p below 0.05 and an absolute log2 fold change above 1.', [
        ]),
        ('plain', 'MYC has the smallest adjusted p-value, 0.00012.', [
            ('wrong column', '0.00012', '0.00002'),
            ('scale', '0.00012', '0.0012'),
        ]),
        ('plain', 'BRCA1 is not significant: its adjusted p-value is 0.228.', [
            ('wrong column', '0.228', '0.190'),
            ('swapped entity', '0.228', '0.0093'),
        ]),
    ],
}
