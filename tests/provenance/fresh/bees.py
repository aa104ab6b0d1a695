{
    "domain": 'bees',
    "question": 'How did the hives do this season?',
    "cells": [
        """
import pandas as pd
hives = pd.DataFrame({
    "hive": ["Alder", "Birch", "Cedar", "Dogwood", "Elm"],
    "honey_kg": [21.4, 34.8, 18.9, 40.2, 27.6],
    "frames": [12, 18, 11, 20, 15],
    "mites": [9, 4, 14, 3, 6],
    "honey_last_year": [25.0, 30.1, 22.4, 36.6, 27.9]})
print(hives.to_string(index=False))
""",
        """
hives["per_frame"] = hives.honey_kg / hives.frames
print("total honey:", round(hives.honey_kg.sum(), 1), "kg, last year", round(hives.honey_last_year.sum(), 1), "kg")
print("mean per hive:", round(hives.honey_kg.mean(), 2), "median:", hives.honey_kg.median())
print(hives.set_index("hive").per_frame.round(3))
""",
    ],
    "answers": [
        ('plain', 'Dogwood was the most productive hive with 40.2 kg of honey; Cedar produced the least, 18.9 kg.', [
            ('swapped entity', 'Dogwood was', 'Birch was', '40.2'),
            ('swapped entity', '18.9', '21.4'),
            ('wrong column', '18.9 kg', '22.4 kg'),
            ('digit', '40.2', '42.0'),
        ]),
        ('plain', 'The total harvest was 142.9 kg, compared with 142.0 kg last year.', [
            ('digit', '142.9', '149.2'),
            ('swapped entity', '142.9 kg, compared with 142.0 kg', '142.0 kg, compared with 142.9 kg', ['142.0', '142.9']),
        ]),
        ('derived', 'That is 0.9 kg more than last year, an increase of 0.6 %.', [
            ('miscomputed derivation', '0.9', '1.9'),
            ('miscomputed derivation', '0.6 %', '1.6 %'),
            ('sign or direction', '0.9 kg more', '0.9 kg less', '0.9'),
        ]),
        ('derived', 'Birch gained 4.7 kg compared with last year, while Cedar lost 3.5 kg.', [
            ('sign or direction', 'Birch gained', 'Birch lost', '4.7'),
            ('miscomputed derivation', '4.7', '5.7'),
            ('swapped entity', '3.5', '3.6'),
        ]),
        ('plain', 'Per frame, Dogwood yields 2.01 kg, more than any other hive; Cedar yields 1.718 kg.', [
            ('swapped entity', '1.718', '1.783'),
            ('digit', '2.01', '2.11'),
        ]),
        ('plain', 'On average a hive gave 28.58 kg; the median is 27.6 kg.', [
            ('wrong statistic', '28.58 kg; the median is 27.6 kg', '27.6 kg; the median is 28.58 kg', ['28.58', '27.6']),
            ('digit', '28.58', '28.85'),
        ]),
        ('small integers', 'Cedar has the worst mite count, 14, and Dogwood the best with only 3.', [
            ('swapped entity', '14', '9'),
            ('wrong column', '14', '11'),
            ('digit', 'only 3', 'only 5', '5'),
        ]),
        ('counted', 'All five hives survived, with 76 frames altogether.', [
            ('miscomputed derivation', '76', '78'),
        ]),
        ('derived', 'Dogwood alone brought 28.1 % of the honey.', [
            ('miscomputed derivation', '28.1 %', '29.1 %'),
            ('swapped entity', 'Dogwood', 'Birch', '28.1 %'),
        ]),
    ],
}
