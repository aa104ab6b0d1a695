{
    "domain": 'astronomy, variable star light curve',
    "question": 'Find the period of my variable star from these 160 brightness measurements, and its amplitude.',
    "cells": [
r"""import numpy as np
rng = np.random.default_rng(42)
t = np.sort(rng.uniform(0, 60, 160))
true = 11.84 + 0.31*np.sin(2*np.pi*t/3.728) + 0.09*np.sin(4*np.pi*t/3.728 + .7)
m = true + rng.normal(0, 0.035, len(t))
bad = rng.choice(len(t), 4, replace=False)
m[bad] += 1.7
print("n", len(t), "mean %.3f median %.3f std %.3f min %.3f max %.3f" % (m.mean(), np.median(m), m.std(), m.min(), m.max()))""",
r"""ok = np.abs(m - np.median(m)) < 0.8
t2, m2 = t[ok], m[ok]
print("rejected", (~ok).sum(), "-> mean %.3f, std %.3f, range %.3f - %.3f" % (m2.mean(), m2.std(), m2.min(), m2.max()))
per = np.arange(0.8, 12, 0.002)
def resid(P):
    A = np.column_stack([np.ones_like(t2), np.sin(2*np.pi*t2/P), np.cos(2*np.pi*t2/P)])
    return ((m2 - A @ np.linalg.lstsq(A, m2, rcond=None)[0])**2).sum()
r = np.array([resid(P) for P in per])
best = per[r.argmin()]
print("best period %.3f d, chi ratio %.3f" % (best, r.min()/((m2-m2.mean())**2).sum()))""",
r"""P = best
A = np.column_stack([np.ones_like(t2)] + [f(2*np.pi*k*t2/P) for k in (1, 2) for f in (np.sin, np.cos)])
co = np.linalg.lstsq(A, m2, rcond=None)[0]
a1, a2 = np.hypot(co[1], co[2]), np.hypot(co[3], co[4])
rms = (m2 - A @ co).std()
print("mean mag %.3f, a1 %.3f, a2 %.3f, rms %.4f" % (co[0], a1, a2, rms))
ph = np.linspace(0, 1, 500)
B = np.column_stack([np.ones_like(ph)] + [f(2*np.pi*k*ph) for k in (1, 2) for f in (np.sin, np.cos)])
y = B @ co
print("peak to peak %.3f mag, cycles observed %.1f" % (y.max()-y.min(), (t.max()-t.min())/P))""",
    ],
    "answers": [
        ('plain', 'Best period: 3.732 days, peak-to-peak amplitude 0.71 mag.', [
            ('typed literal', '3.732', '3.728'),
            ('wrong statistic', '0.71 mag', '0.32 mag', '0.32'),
            ('digit', '3.732', '3.372'),
        ]),
        ('counted', 'I rejected 4 of the 160 points as outliers, so 156 remained.', [
            ('miscomputed derivation', '156', '154'),
            ('number of something else', '4 of the 160', '12 of the 160', '12'),
            ('digit', 'the 160', 'the 106', '106'),
        ]),
        ('derived', 'Cleaning shifts the mean from 11.898 to 11.857 mag and cuts the scatter by about a third, from 0.34 to 0.22.', [
            ('swapped entity', 'to 11.857', 'to 11.926', '11.926'),
            ('number of something else', 'to 0.22', 'to 0.32', '0.32'),
            ('digit', '11.857', '11.587'),
        ]),
        ('summary of an analysis', 'After throwing out 4 outliers (the faintest at 13.83 mag) the star varies between 11.4 and 12.2 mag. A single sine at 3.732 d already explains 88% of the variance. Adding the first harmonic gives amplitudes of 0.317 and 0.097 mag around a mean of 11.84, and leaves residuals of 0.0355 mag. The 60 days cover 15.6 cycles.', [
            ('miscomputed derivation', '88%', '78%', '78'),
            ('wrong statistic', 'and 12.2 mag', 'and 11.9 mag', '11.9'),
            ('digit', '0.097', '0.079'),
            ('swapped entity', 'residuals of 0.0355', 'residuals of 0.22', '0.22'),
        ]),
        ('list or table', '- Period: 3.732 d\n- Mean magnitude: 11.839\n- First amplitude: 0.317 mag\n- Second amplitude: 0.097 mag\n- rms: 0.0355 mag\n- Peak to peak: 0.708 mag', [
            ('stale value', '11.839', '11.898'),
            ('typed literal', '0.097', '0.09'),
            ('rounding', '0.708', '0.709'),
            ('scale', '0.0355', '0.355'),
        ]),
        ('scale words', 'The harmonic is roughly 30% as strong as the fundamental (0.097 against 0.317 mag).', [
            ('miscomputed derivation', '30%', '40%', '40'),
            ('digit', '0.317', '0.371'),
        ]),
    ],
}
