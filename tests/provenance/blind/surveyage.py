{
    "domain": 'surveyage',
    "question": 'What share of people per age group would recommend us?',
    "cells": ['''
import pandas as pd
s = pd.DataFrame({"age":["18-29","30-44","45-59","60+"], "asked":[210, 340, 295, 155], "yes":[147, 221, 168, 78]})
s["share"] = (s.yes/s.asked).round(3)
s
''', '''
from scipy.stats import chi2_contingency
chi2, p, dof, _ = chi2_contingency([s.yes, s.asked-s.yes])
print(f"chi2 = {chi2:.2f}, dof = {dof}, p = {p:.5f}")
print("respondents", s.asked.sum(), "yes", s.yes.sum())
'''],
    "answers": [
        ('plain', 'Agreement falls with age: 70% of the 18-29 year-olds would recommend us, but only 50.3% of those over 60.', [
            ('swapped entity', '70% of the 18-29', '65% of the 18-29', '65%'),
            ('digit', '50.3%', '53.0%')]),
        ('plain', 'The difference is highly significant (χ² = 18.90, 3 degrees of freedom, p < 0.001).', [
            ('digit', '18.90', '19.80'),
            ('digit', '3 degrees', '4 degrees', '4')]),
        ('fractions in words', 'Overall, 614 of the 1,000 respondents said yes, roughly three in five.', [
            ('digit', '614', '641')]),
        ('percent', 'The overall share is 61.4%, and the 45-59 group lies below it at 56.9%.', [
            ('miscomputed derivation', '61.4%', '64.1%'),
            ('swapped entity', 'at 56.9%', 'at 65.0%', '65.0%'),
            ('sign or direction', 'lies below it', 'lies above it', '56.9%')]),
        ('derived', 'Between the youngest and the oldest group there is a gap of 19.7 percentage points.', [
            ('miscomputed derivation', '19.7', '17.9')]),
    ],
}
