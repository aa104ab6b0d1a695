{
    "domain": 'engineering, beam deflection',
    "question": 'Simply supported beam, 4.5 m span, uniform load 6 kN/m. Which of these IPE profiles keep deflection under L/300 and stress under 160 MPa? What do they weigh?',
    "cells": [
r"""L = 4.5; q = 6.0e3; E = 210e9
M = q * L**2 / 8
print(f"max moment {M/1e3:.2f} kNm, shear {q*L/2/1e3:.1f} kN, limit {L/300*1e3:.1f} mm")""",
r"""prof = {  # I cm4, W cm3, kg/m
    "IPE140": (541, 77.3, 12.9), "IPE160": (869, 109, 15.8), "IPE180": (1317, 146, 18.8),
    "IPE200": (1943, 194, 22.4), "IPE220": (2772, 252, 26.2),
}
out = []
for k, (I, W, g) in prof.items():
    d = 5*q*L**4 / (384*E*I*1e-8) * 1e3
    s = M / (W*1e-6) / 1e6
    out.append((k, round(d, 1), round(s, 1), round(g*L, 1), d <= L/300*1e3 and s <= 160))
print(f"{'profile':8s} {'defl mm':>8s} {'MPa':>7s} {'kg':>6s} ok")
for r in out:
    print(f"{r[0]:8s} {r[1]:8.1f} {r[2]:7.1f} {r[3]:6.1f} {r[4]}")""",
    ],
    "answers": [
        ('plain', 'IPE180 is the lightest one that works: 11.6 mm deflection (15 mm allowed) and 104 MPa.', [
            ('swapped entity', '11.6 mm', '17.6 mm', '17.6'),
            ('digit', '104 MPa', '140 MPa', '140'),
            ('wrong column', '104 MPa', '84.6 MPa', '84.6'),
        ]),
        ('small integers', 'Three of the five profiles pass both checks; IPE160 fails on deflection only, exceeding the limit by 2.6 mm.', [
            ('miscomputed derivation', '2.6 mm', '3.6 mm', '3.6'),
            ('sign or direction', 'exceeding the limit by 2.6', 'staying under the limit by 2.6', '2.6'),
            ('number of something else', 'Three of the five', '4 of the five', '4'),
        ]),
        ('list or table', '- IPE140: 28.2 mm, 196.5 MPa, 58 kg, fails both\n- IPE160: 17.6 mm, 139 MPa, 71 kg, too soft\n- IPE180: 11.6 mm, 104 MPa, 85 kg, OK\n- IPE200: 7.9 mm, 78 MPa, 101 kg, OK\n- IPE220: 5.5 mm, 60 MPa, 118 kg, OK', [
            ('invented', 'MPa, 58 kg', 'MPa, 64 kg', '64'),
            ('rounding', '78 MPa', '79 MPa', '79'),
            ('digit', '118 kg', '181 kg', '181'),
            ('wrong column', '85 kg', '18.8 kg', '18.8'),
        ]),
        ('summary of an analysis', 'The load produces a maximum moment of 15.2 kNm at midspan and 13.5 kN of shear at each support. With a 4.5 m span the deflection limit is 15 mm. The IPE180 uses 77% of that and 65% of the allowable stress, and it weighs about 85 kg in total. Going one size up costs 16 kg more but cuts the deflection by about a third, to 7.9 mm.', [
            ('digit', '15.2 kNm', '12.5 kNm', '12.5'),
            ('miscomputed derivation', '65%', '75%', '75'),
            ('miscomputed derivation', '16 kg', '26 kg', '26'),
            ('sign or direction', '16 kg more', '16 kg less', '16'),
        ]),
        ('derived', 'An IPE220 would be only a fifth as flexible as the IPE140 (5.5 instead of 28.2 mm) at about twice the weight.', [
            ('swapped entity', '5.5 instead', '7.9 instead', '7.9'),
            ('digit', '28.2 mm', '22.8 mm', '22.8'),
        ]),
        ('units or currency', 'The midspan moment is about 15,200 Nm.', [
            ('scale', '15,200 Nm', '1,520 Nm', '1,520'),
            ('wrong column', '15,200 Nm', '13,500 Nm', '13,500'),
            ('digit', '15,200 Nm', '12,500 Nm', '12,500'),
        ]),
    ],
}
