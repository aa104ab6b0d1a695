{
    "domain": 'penguins',
    "question": 'How do body mass and flipper length differ between the species?',
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(41)
rows = []
for name, n, mass, flip in (("Adelie", 52, 3700, 190), ("Chinstrap", 34, 3733, 196), ("Gentoo", 44, 5076, 217)):
    for i in range(n):
        rows.append((name, round(rng.normal(mass, 420)), round(rng.normal(flip, 6), 1), rng.choice(["F", "M"])))
df = pd.DataFrame(rows, columns=["species", "body_mass_g", "flipper_length_mm", "sex"])
df.loc[[3, 17, 60, 99, 120], "body_mass_g"] = np.nan
print(df.shape)
print(df.isna().sum())
print(df.describe())
''', '''
print(df.groupby("species").body_mass_g.agg(["count", "mean", "median", "std"]).round(1))
print(df.species.value_counts())
print(df[["body_mass_g", "flipper_length_mm"]].corr().round(3))
'''],
    "answers": [
        ('summary of an analysis', 'The dataset has 130 rows and 4 columns; only body_mass_g has missing values (5). Body mass ranges from 2,746 g to 5,941 g with a mean of 4,136.5 g, while flippers are 200.2 mm long on average (standard deviation 13.1 mm).', [
            ('wrong column', 'missing values (5)', 'missing values (4)', 'values (4'),
            ('wrong statistic', 'mean of 4,136.5 g', 'mean of 4,029 g', '4,029'),
            ('digit', '13.1 mm', '31.1 mm', '31.1')]),
        ('plain', 'Gentoo penguins are by far the heaviest at 5,067 g on average, compared with 3,697.6 g for Adelie and 3,617.1 g for Chinstrap.', [
            ('swapped entity', '3,697.6 g for Adelie and 3,617.1 g for Chinstrap', '3,617.1 g for Adelie and 3,697.6 g for Chinstrap', ['3,617.1', '3,697.6']),
            ('wrong statistic', '5,067 g', '5,046 g', '5,046'),
            ('scale', '5,067 g', '50.67 g', '50.67')]),
        ('derived', 'On average a Gentoo weighs 1,369.4 g more than an Adelie, i.e. about 37% more.', [
            ('miscomputed derivation', '1,369.4', '1,396.4'),
            ('sign or direction', 'g more than', 'g less than', '1,369.4'),
            ('miscomputed derivation', '37%', '27%')]),
        ('plain', 'Body mass and flipper length are strongly correlated (r = 0.715).', [
            ('digit', '0.715', '0.751'),
            ('sign or direction', 'r = 0.715', 'r = -0.715', '-0.715')]),
        ('counted', 'There are 52 Adelie, 34 Chinstrap and 44 Gentoo penguins in the 130 records.', [
            ('swapped entity', '34 Chinstrap and 44 Gentoo', '44 Chinstrap and 34 Gentoo', ['44 C', '34 G'])]),
        ('plain', 'Half of the animals weigh less than 4,029 g, and a quarter of them less than 3,536 g.', [
            ('wrong statistic', 'less than 4,029 g', 'less than 4,136 g', '4,136'),
            ('wrong statistic', '3,536', '4,718')]),
    ],
}
