{
    "domain": 'covidish',
    "question": 'Compare the incidence per 100,000 in the four districts.',
    "cells": ['''
import pandas as pd
d = pd.DataFrame({"district":["Nordstadt","Westend","Altstadt","Hafen"], "population":[84200, 121500, 39800, 56300], "cases":[412, 388, 251, 467], "deaths":[9, 6, 7, 11]})
d["incidence"] = (d.cases/d.population*1e5).round(1)
d["cfr_pct"] = (d.deaths/d.cases*100).round(2)
d.sort_values("incidence", ascending=False)
''', '''
print(f"{d.cases.sum()} cases among {d.population.sum()} people")
print(f"overall incidence {d.cases.sum()/d.population.sum()*1e5:.1f}")
print(f"overall case fatality {d.deaths.sum()/d.cases.sum():.2%}")
'''],
    "answers": [
        ('plain', 'Hafen has the highest incidence with 829.5 cases per 100,000, Westend the lowest with 319.3.', [
            ('swapped entity', '829.5 cases per 100,000, Westend the lowest with 319.3', '319.3 cases per 100,000, Westend the lowest with 829.5', ['319.3', '829.5']),
            ('digit', '829.5', '892.5'),
            ('wrong column', '829.5 cases', '467 cases', '467')]),
        ('plain', 'Overall there were 1,518 cases among 301,800 people, i.e. 503.0 per 100,000.', [
            ('digit', '1,518', '1,581'),
            ('invented', '503.0', '527.4')]),
        ('plain', 'Case fatality is highest in Altstadt (2.79%), although Hafen has more deaths (11 versus 7).', [
            ('swapped entity', 'Altstadt (2.79%)', 'Altstadt (2.36%)', '2.36%'),
            ('swapped entity', '11 versus 7', '9 versus 7', '(9')]),
        ('derived', 'The incidence in Hafen is 2.6 times that of Westend.', [
            ('miscomputed derivation', '2.6', '2.9'),
            ('swapped entity', 'Westend', 'Altstadt', '2.6')]),
        ('scale words', 'About 0.3 million people live in the four districts.', [
            ('scale', '0.3 million', '3 million', '3 million')]),
        ('derived', '33 people died, 2.17% of all cases.', [
            ('miscomputed derivation', '33 people', '37 people', '37'),
            ('digit', '2.17%', '2.71%')]),
    ],
}
