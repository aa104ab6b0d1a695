{
    "domain": 'ecology, breeding bird survey',
    "question": 'Counts from two plots (restored and grazed). Compare species richness and diversity.',
    "cells": [
r"""import math
restored = {"chaffinch": 31, "blackcap": 24, "wren": 22, "robin": 19, "great tit": 17, "song thrush": 11, "nuthatch": 6, "marsh tit": 5, "treecreeper": 4, "pied flycatcher": 3}
grazed = {"chaffinch": 44, "skylark": 18, "great tit": 9, "robin": 6, "starling": 57, "wren": 4}
for name, d in (("restored", restored), ("grazed", grazed)):
    n = sum(d.values())
    p = [v/n for v in d.values()]
    H = -sum(x*math.log(x) for x in p)
    D = 1 - sum(x*x for x in p)
    print(f"{name}: N={n} S={len(d)} H={H:.3f} Simpson={D:.3f} evenness={H/math.log(len(d)):.3f} dominance={max(p):.3f}")""",
r"""common = set(restored) & set(grazed)
print(sorted(common), len(set(restored) | set(grazed)))
bc = 1 - 2*sum(min(restored[s], grazed[s]) for s in common) / (sum(restored.values()) + sum(grazed.values()))
print("Jaccard", round(len(common)/len(set(restored) | set(grazed)), 3), "Bray-Curtis", round(bc, 3))""",
r"""exp = lambda h: math.exp(h)
[(k, round(exp(-sum(v/sum(d.values())*math.log(v/sum(d.values())) for v in d.values())), 2)) for k, d in (("restored", restored), ("grazed", grazed))]""",
    ],
    "answers": [
        ('plain', "The restored plot is more diverse: 10 species and H' = 2.08, against 6 species and 1.41 on the grazed plot.", [
            ('number of something else', '10 species', '12 species', '12'),
            ('digit', '2.08', '2.80'),
            ('wrong column', 'and 1.41', 'and 0.704', '0.704'),
        ]),
        ('counted', 'Together there are 12 species, 4 of which occur in both plots (a Jaccard index of one third).', [
            ('number of something else', '4 of which', '6 of which', '6'),
            ('number of something else', '12 species', '16 species', '16'),
        ]),
        ('derived', "In effective species the restored site has 8.0 and the grazed one 4.1, so it's almost twice as diverse.", [
            ('swapped entity', '8.0 and the grazed one 4.1', '4.1 and the grazed one 8.0', ['4.1', '8.0']),
            ('digit', '4.1,', '1.4,', '1.4'),
            ('wrong column', 'has 8.0', 'has 2.1', '2.1'),
        ]),
        ('summary of an analysis', 'You counted nearly the same number of birds in both plots, 142 and 138. On the grazed one, starlings alone make up 41% and chaffinches another 32%, whereas the commonest restored-plot species, the chaffinch, reaches just 22%. Evenness is accordingly 0.90 versus 0.79. Six species were found only on the restored site and two only on the grazed one.', [
            ('miscomputed derivation', 'another 32%', 'another 23%', '23'),
            ('swapped entity', 'just 22%', 'just 17%', '17'),
            ('wrong column', 'versus 0.79', 'versus 0.70', '0.70'),
            ('digit', '142 and', '124 and', '124'),
        ]),
        ('list or table', '| Metric | Restored | Grazed |\n|---|---|---|\n| Individuals | 142 | 138 |\n| Species | 10 | 6 |\n| Shannon H | 2.077 | 1.412 |\n| Simpson | 0.857 | 0.704 |\n| Evenness | 0.902 | 0.788 |\n\nBray-Curtis dissimilarity: 0.643', [
            ('wrong statistic', 'dissimilarity: 0.643', 'dissimilarity: 0.333', '0.333'),
            ('digit', '0.857', '0.875'),
            ('swapped entity', '| 0.704 |', '| 0.413 |', '0.413'),
            ('rounding', '2.077', '2.078'),
        ]),
        ('inequalities', 'The Bray-Curtis dissimilarity is 0.64, so less than half of the individuals overlap; the grazed plot is 4 birds short of the other.', [
            ('miscomputed derivation', '4 birds', '14 birds', '14'),
            ('digit', '0.64', '0.46'),
        ]),
    ],
}
