{
    "domain": 'physics',
    "question": 'What is g from the pendulum data, with its error?',
    "cells": ['''
import numpy as np
L = np.array([0.30,0.45,0.60,0.75,0.90]); T = np.array([1.102,1.347,1.553,1.741,1.902])
a, b = np.polyfit(L, T**2, 1)
g = 4*np.pi**2/a
print("slope", a, "offset", b)
print("g =", g)
gs = 4*np.pi**2*L/T**2
print("single values", gs.round(3))
print("mean", gs.mean().round(3), "sd", gs.std(ddof=1).round(4))
print("deviation from 9.81: %.2f %%" % ((gs.mean()-9.81)/9.81*100))
'''],
    "answers": [
        ('plain', 'The fit gives g = 9.83 m/s²; the mean of the single values is 9.791 ± 0.031 m/s².', [
            ('digit', '9.83', '9.38'),
            ('wrong statistic', 'single values is 9.791', 'single values is 9.832', '9.832')]),
        ('plain', 'That is 0.19 % below the textbook value of 9.81 m/s².', [
            ('sign or direction', 'below', 'above', '0.19 %'),
            ('digit', '0.19 %', '0.91 %')]),
        ('plain', 'T² plotted against L has a slope of 4.015 s²/m and an offset of 0.0086 s².', [
            ('swapped entity', 'slope of 4.015', 'slope of 0.0086', 'slope of 0.0086'),
            ('digit', '4.015', '4.150')]),
        ('plain', 'The five single values range from 9.753 to 9.822.', [
            ('wrong statistic', 'from 9.753', 'from 9.768', '9.768')]),
    ],
}
