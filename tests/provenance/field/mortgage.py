{
    "domain": 'mortgage',
    "question": "I'm borrowing 320,000 over 30 years at 4.15%. What's the monthly payment, and how much do I save if I pay 100-300 extra each month?",
    "cells": [
r"""principal = 320_000
rate = 0.0415
years = 30
def payment(p, r, n):
    i = r / 12
    return p * i / (1 - (1 + i) ** -n)
pmt = payment(principal, rate, years * 12)
print(f"monthly payment: {pmt:.2f}")
print(f"total paid: {pmt*years*12:,.2f}")
print(f"total interest: {pmt*years*12 - principal:,.2f}")
""",
r"""def run(p, r, pm, extra=0):
    bal, n, interest = p, 0, 0.0
    while bal > 0.005:
        it = bal * r / 12
        pay = min(pm + extra, bal + it)
        bal = bal + it - pay
        interest += it
        n += 1
    return n, interest
for extra in (0, 100, 200, 300):
    n, it = run(principal, rate, pmt, extra)
    print(f"extra {extra:>3}: {n} months ({n//12}y {n%12}m), interest {it:,.0f}")
""",
    ],
    "answers": [('plain',
  "Your monthly payment is about 1,556, and over the full term you'd pay roughly 240,000 in interest.",
  [('digit', '1,556', '1,565'), ('wrong statistic', '240,000', '560,000'), ('scale', '240,000', '24,000')]),
 ('derived',
  'Paying 200 extra a month clears the loan 71 months early and saves you about 53,900 in interest.',
  [('stale value', '71 months', '289 months', '289'),
   ('swapped entity', '53,900', '30,600'),
   ('sign or direction', '71 months early', '71 months late', '71')]),
 ('units or currency',
  "With an extra 100 per month you're done after 26 years and 8 months instead of 30 years; interest drops to 209,420.",
  [('swapped entity', '209,420', '186,113'), ('number of something else', '26 years', '24 years', '24'), ('digit', '209,420', '204,920')]),
 ('list or table',
  'Here is how it plays out on your 320,000 loan at 4.15%:\n'
  '\n'
  '- **No extra:** 360 months, 239,991 interest\n'
  '- **+100:** 320 months, saves about 30,600\n'
  '- **+200:** 289 months, saves about 53,900\n'
  '- **+300:** 263 months, saves about 72,300 and gets you out just over 8 years sooner',
  [('swapped entity', '320 months', '340 months', '340'),
   ('miscomputed derivation', '72,300', '62,300'),
   ('question number given as result', '263 months', '336 months', '336'),
   ('miscomputed derivation', 'just over 8 years', 'just over 7.5 years', '7.5')]),
 ('fractions in words',
  "Without prepayments you'd pay back 559,991 in all, so the interest alone amounts to three quarters of what you borrow. That's 239,991 on top of "
  'the principal.',
  [('invented', '559,991', '541,220'), ('digit', '239,991 on', '293,991 on', '293,991')]),
 ('inequalities',
  'Even 100 a month cuts more than 3 years off, and 300 a month saves over 70,000.',
  [('miscomputed derivation', '3 years', '4 years', '4'), ('miscomputed derivation', '70,000', '80,000')])],
}
