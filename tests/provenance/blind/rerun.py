{
    "domain": 'rerun',
    "question": 'Clean the sensor readings and give mean and count.',
    "cells": ['''
import statistics as st
raw = [21.4, 21.9, 22.3, 85.0, 21.7, 22.8, -40.0, 22.1, 21.5, 22.6, 23.0, 21.2]
print("n =", len(raw))
print("mean =", round(st.mean(raw), 3))
print("stdev =", round(st.stdev(raw), 3))
''', '''
raw = [x for x in raw if 0 < x < 50]
print("n =", len(raw))
print("mean =", round(st.mean(raw), 3))
print("stdev =", round(st.stdev(raw), 3))
print("min/max =", min(raw), max(raw))
''', '''
limit = 22.75
above = sum(x > limit for x in raw)
print("above limit:", above)
'''],
    "answers": [
        ('plain', 'After cleaning, 10 readings remain with a mean of 22.05 and a standard deviation of 0.617.', [
            ('stale value', 'mean of 22.05', 'mean of 22.125', '22.125'),
            ('stale value', 'deviation of 0.617', 'deviation of 26.657', '26.657'),
            ('stale value', '10 readings', '12 readings', '12')]),
        ('plain', 'The raw data had 12 readings; two of them were implausible and were dropped.', []),
        ('plain', 'Cleaned readings lie between 21.2 and 23.0, and 2 are above the limit of 22.75.', [
            ('digit', '21.2 and', '20.2 and', '20.2'),
            ('invented', '2 are above', '4 are above', '4')]),
        ('derived', 'The mean hardly changed by the cleaning (22.125 before, 22.05 after), but the standard deviation fell from 26.657 to 0.617.', [
            ('sign or direction', 'fell from 26.657 to 0.617', 'rose from 26.657 to 0.617', ['26.657', '0.617']),
            ('swapped entity', '22.125 before, 22.05 after', '22.05 before, 22.125 after', ['22.05', '22.125'])]),
        ('plain', 'The average of the readings is 22.05.', [
            ('stale value', '22.05', '22.13')]),
    ],
}
