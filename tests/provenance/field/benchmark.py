{
    "domain": 'software performance, JSON parser benchmark',
    "question": 'I benchmarked the old and the new parser, 30 runs each. Is the new one really faster, and how much memory does it use?',
    "cells": [
r"""import numpy as np, pandas as pd
rng = np.random.default_rng(64)
def runs(med, s, mem, n=30):
    x = med * (1 + np.abs(rng.normal(0, s, n)))
    x[0] *= 1.9          # cold start
    return pd.DataFrame({"ms": x.round(1), "mem": rng.normal(mem, mem*.01, n).round(1)})
r = pd.concat({k: runs(*v) for k, v in {"old": (184, .05, 412), "new": (121, .07, 468), "new -O": (97, .06, 470)}.items()}, names=["version", "run"]).reset_index()
print(r.groupby("version", sort=False).ms.agg(["count", "min", "median", "mean", "max", "std"]).round(1))""",
r"""w = r[r.run > 0]
g = w.groupby("version", sort=False).agg(n=("ms", "size"), median=("ms", "median"), mean=("ms", "mean"), std=("ms", "std"), mem=("mem", "mean")).round(1)
g["mb_s"] = (52.3 / (g["median"]/1000)).round(0).astype(int)   # file is 52.3 MB
print(g)""",
r"""b = np.random.default_rng(1)
o, n = (w[w.version == k].ms.values for k in ("old", "new"))
sp = [np.median(b.choice(o, len(o))) / np.median(b.choice(n, len(n))) for _ in range(2000)]
print("speedup %.2f, 95%% interval %.2f - %.2f" % (np.median(o)/np.median(n), *np.percentile(sp, [2.5, 97.5])))""",
    ],
    "answers": [
        ('plain', 'Yes, the new parser is 1.52 times as fast as the old one (95% interval 1.49-1.55).', [
            ('digit', '1.52 times', '1.25 times', '1.25'),
            ('swapped entity', '1.52 times', '1.90 times', '1.90'),
            ('rounding', '1.49-1.55', '1.48-1.55', '1.48'),
        ]),
        ('derived', 'The new version cuts the median from 190 to 125 ms, i.e. by about 34%, but uses 56 MB more memory.', [
            ('miscomputed derivation', '34%', '52%', '52'),
            ('sign or direction', '56 MB more', '56 MB less', '56'),
            ('swapped entity', 'to 125 ms', 'to 100 ms', '100'),
            ('miscomputed derivation', '56 MB', '46 MB', '46'),
        ]),
        ('list or table', 'Without the cold start (29 runs each):\n\n| Version | Median (ms) | Std (ms) | Memory (MB) | MB/s |\n|---|---|---|---|---|\n| old | 190.0 | 4.3 | 413.6 | 275 |\n| new | 125.0 | 4.5 | 469.8 | 418 |\n| new -O | 99.9 | 2.8 | 468.8 | 524 |', [
            ('stale value', '| 4.3 |', '| 31.0 |', '31.0'),
            ('wrong statistic', '| 125.0 |', '| 126.2 |', '126.2'),
            ('digit', '| 418 |', '| 481 |', '481'),
            ('typed literal', '| 413.6 |', '| 412.0 |', '412.0'),
        ]),
        ('summary of an analysis', 'Each version ran 30 times; I dropped the first run because of the cold start (359 ms for the old parser, 231 for the new). Median times are 190 ms, 125 ms and, with -O, just under 100 ms, which corresponds to 275, 418 and 524 MB/s. The optimised build is thus 1.9 times as fast as the old parser. The price is memory: 470 instead of 414 MB, an increase of 14%.', [
            ('miscomputed derivation', '1.9 times', '1.5 times', '1.5'),
            ('miscomputed derivation', 'of 14%', 'of 56%', '56'),
            ('swapped entity', '231 for', '188 for', '188'),
            ('typed literal', '190 ms', '184 ms', '184'),
        ]),
        ('units or currency', 'With -O you parse 524 MB per second, almost double the 275 of the old version.', [
            ('swapped entity', '524 MB', '418 MB', '418'),
            ('scale', '524 MB', '5.24 MB', '5.24'),
            ('digit', 'the 275', 'the 257', '257'),
        ]),
        ('plain', "Dropping the cold start shrinks the old parser's standard deviation from 31 to 4.3 ms.", [
            ('swapped entity', 'to 4.3 ms', 'to 19.7 ms', '19.7'),
            ('sign or direction', 'from 31 to 4.3 ms', 'from 4.3 to 31 ms', ['4.3', '31']),
            ('digit', 'to 4.3 ms', 'to 3.4 ms', '3.4'),
        ]),
    ],
}
