{
    "domain": 'chemistry, acid-base titration',
    "question": "I titrated 25 mL of vinegar (diluted 1:10) with 0.1038 M NaOH. Volumes are in the list. What's the acetic acid concentration and is any of my runs off?",
    "cells": [
r"""import statistics as st
v = [20.45, 20.52, 20.48, 21.31, 20.50]
c_naoh, v_sample, dil = 0.1038, 25.00, 10
print("mean", round(st.mean(v), 3), "sd", round(st.stdev(v), 3))""",
r"""# Dixon Q for the suspicious value
s = sorted(v)
Q = (s[-1] - s[-2]) / (s[-1] - s[0])
print("Q =", round(Q, 3), "critical (n=5, 95%) = 0.710")
v2 = s[:-1]
m = st.mean(v2)
print("without it: mean", round(m, 4), "sd", round(st.stdev(v2), 4), "rsd %", round(100 * st.stdev(v2) / m, 3))""",
r"""c_dil = c_naoh * m / v_sample
c = c_dil * dil
g_l = c * 60.052
{"c_diluted": round(c_dil, 5), "c_vinegar": round(c, 4), "g_per_L": round(g_l, 2), "percent_w_v": round(g_l / 10, 2)}""",
    ],
    "answers": [
        ('plain', 'Your vinegar contains 0.851 mol/L acetic acid, i.e. about 5.1% (w/v).', [
            ('scale', '0.851 mol/L', '0.0851 mol/L', '0.0851'),
            ('digit', '0.851', '0.815'),
            ('typed literal', '0.851 mol/L', '0.104 mol/L', '0.104'),
        ]),
        ('constants of a method', "Run 4 is off: Dixon's Q comes out at 0.919, well over the critical 0.710 for five values at 95%, so I dropped the 21.31 mL reading.", [
            ('digit', '0.919', '0.619'),
            ('wrong statistic', '21.31 mL', '20.52 mL', '20.52'),
            ('swapped entity', 'comes out at 0.919, well over the critical 0.710', 'comes out at 0.710, well over the critical 0.919', ['0.710', '0.919']),
        ]),
        ('derived', 'Leaving out the bad run lowers the mean titre by 0.16 mL, from 20.65 to 20.49 mL.', [
            ('sign or direction', 'lowers the mean titre by 0.16', 'raises the mean titre by 0.16', '0.16'),
            ('miscomputed derivation', '0.16 mL', '0.26 mL', '0.26'),
            ('number of something else', 'to 20.49 mL', 'to 20.45 mL', '20.45'),
        ]),
        ('summary of an analysis', 'I used four of your five titrations. Their mean is 20.49 mL with a standard deviation of 0.03 mL, so the relative spread is only about 0.15%; with the outlier the SD would have been more than ten times larger (0.37 mL). With 0.1038 M NaOH and 25 mL of sample this gives 0.0851 M in the diluted solution, 0.851 M in the original, and that is 51.1 g of acetic acid per litre.', [
            ('stale value', '0.03 mL', '0.369 mL', '0.369'),
            ('scale', 'about 0.15%', 'about 14.6%', '14.6'),
            ('wrong column', '51.1 g', '5.11 g', '5.11'),
            ('digit', '0.0851 M', '0.0815 M', '0.0815'),
        ]),
        ('list or table', '| Quantity | Value |\n|---|---|\n| Runs used | 4 of 5 |\n| Mean volume | 20.4875 mL |\n| SD | 0.030 mL |\n| RSD | 0.146 % |\n| c(diluted) | 0.08506 M |\n| c(vinegar) | 0.8506 M |\n| Acidity | 5.11 % w/v |', [
            ('stale value', '20.4875', '20.652'),
            ('wrong column', '5.11 %', '51.08 %', '51.08'),
            ('rounding', '0.030 mL', '0.031 mL', '0.031'),
            ('digit', '0.8506 M', '0.8560 M', '0.8560'),
        ]),
        ('German', 'Ohne den Ausreißer (21,31 mL) beträgt der mittlere Verbrauch 20,49 mL; der Essig enthält damit 51,1 g Essigsäure pro Liter.', [
            ('stale value', '20,49 mL', '20,65 mL', '20,65'),
            ('scale', '51,1 g', '511 g', '511'),
            ('digit', '21,31', '21,13'),
        ]),
    ],
}
