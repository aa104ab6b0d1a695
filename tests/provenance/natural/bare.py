{
    "domain": 'bare',
    "question": 'What are the mean, the median and the spread of the measurements?',
    "cells": [
        r"""
import statistics as st
x = [12.1, 14.8, 13.3, 15.9, 12.7, 18.4, 13.0, 14.2, 16.6, 13.9]
print(st.mean(x))
print(st.median(x))
print(round(st.stdev(x), 3))
print(min(x), max(x))
""",
        r"""
st.quantiles(x, n=4)
""",
        r"""
len([v for v in x if v > 14])
""",
    ],
    "answers": [
        ('plain', 'The mean is 14.49 and the median 14.05; the standard deviation is 1.967.', [
            ('swapped entity', 'mean is 14.49 and the median 14.05', 'mean is 14.05 and the median 14.49', ['14.05', '14.49']),
            ('digit', '1.967', '1.976'),
            ('digit', '14.49', '14.94'),
        ]),
        ('plain', 'Values range from 12.1 to 18.4.', [
            ('digit', '18.4', '14.8'),
            ('digit', '12.1', '11.2'),
        ]),
        ('plain', 'Half of the values lie between 12.925 and 16.075.', [
            ('digit', '12.925', '12.295'),
            ('wrong statistic', '16.075', '18.4'),
        ]),
        ('small integers', '5 of the 10 values are above 14.', [
            ('digit', '5 of', '6 of', '6'),
        ]),
        ('derived', 'The range is 6.3.', [
            ('miscomputed derivation', '6.3', '5.3'),
        ]),
    ],
}
