{
    "domain": "soil",
    "question": "Compare the three fertiliser treatments.",
    "cells": ['''
import pandas as pd
from scipy import stats
plots = pd.DataFrame({
    "treatment": ["control"] * 6 + ["compost"] * 6 + ["mineral"] * 6,
    "yield_kg": [41.2, 39.8, 43.5, 40.1, 42.7, 38.9, 47.3, 45.9, 49.1, 46.4, 48.8, 44.7, 51.2, 53.4, 49.9, 52.6, 50.3, 54.1],
    "ph": [6.1, 6.3, 6.0, 6.2, 6.1, 6.4, 6.6, 6.7, 6.5, 6.8, 6.6, 6.7, 5.8, 5.7, 5.9, 5.6, 5.8, 5.7],
})
print(plots.groupby("treatment").agg({"yield_kg": ["mean", "std"], "ph": ["mean", "std"]}).round(3))
''', '''
groups = [g.yield_kg.values for _, g in plots.groupby("treatment")]
f, p = stats.f_oneway(*groups)
print("ANOVA F =", round(f, 2), "p =", f"{p:.2e}")
print(plots[["yield_kg", "ph"]].corr().round(3))
'''],
    "answers": [
        ("plain", "Mineral fertiliser gives the highest yield (51.917 kg), followed by compost (47.033 kg); the control reached 41.033 kg.", [
            ("swapped entity", "compost (47.033 kg); the control reached 41.033", "compost (41.033 kg); the control reached 47.033", ["41.033", "47.033"]),
            ("wrong column", "51.917", "5.75"),
            ("digit", "51.917", "59.117")]),
        ("constants of a method", "The one-way ANOVA is significant at the 0.05 level (F = 59.36, p = 7.49e-08).", [
            ("digit", "59.36", "56.39"),
            ("scale", "7.49e-08", "7.49e-03")]),
        ("plain", "Yield and pH are negatively correlated (-0.467).", [
            ("sign or direction", "negatively correlated (-0.467)", "positively correlated (0.467)", "0.467")]),
        ("derived", "Compost raises the yield by 6.0 kg over the control, mineral fertiliser by 10.9 kg.", [
            ("miscomputed derivation", "6.0 kg", "6.9 kg"),
            ("swapped entity", "6.0 kg over the control, mineral fertiliser by 10.9 kg", "10.9 kg over the control, mineral fertiliser by 6.0 kg", ["10.9", "6.0"])]),
        ("percent", "Mineral fertiliser increases the yield by 26.5 % compared with the control.", [
            ("miscomputed derivation", "26.5 %", "25.6 %"),
            ("sign or direction", "increases the yield by 26.5 %", "reduces the yield by 26.5 %", "26.5 %")]),
        ("plain", "The pH is lowest under mineral fertiliser, 5.75 on average, and highest under compost with 6.65.", [
            ("swapped entity", "under mineral fertiliser, 5.75 on average, and highest under compost with 6.65", "under compost, 5.75 on average, and highest under mineral fertiliser with 6.65", ["5.75", "6.65"])]),
        ("plain", "The standard deviation of the yield under control is 1.78 kg.", [
            ("wrong statistic", "1.78", "41.03"),
            ("swapped entity", "1.78", "1.71"),
            ("wrong column", "1.78 kg", "0.147 kg")]),
        ("small integers", "Each of the 3 treatments had 6 plots.", [
            ("digit", "6 plots", "8 plots", "8")]),
        ("French", "Le rendement moyen est de 51,917 kg avec l'engrais minéral (mineral) et de 47,033 kg avec le compost.", [
            ("swapped entity", "51,917 kg avec l'engrais minéral (mineral) et de 47,033", "47,033 kg avec l'engrais minéral (mineral) et de 51,917", ["47,033", "51,917"])]),
    ],
}
