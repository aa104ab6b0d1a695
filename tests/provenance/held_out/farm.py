{
    "domain": "agriculture",
    "question": "Which wheat variety yields most, and is the fertilised half better?",
    "cells": ['''
import pandas as pd

plots = pd.DataFrame({
    "variety": ["Aros"] * 6 + ["Belun"] * 6 + ["Cadis"] * 6,
    "fertilised": [True, True, True, False, False, False] * 3,
    "yield_t_ha": [8.12, 7.95, 8.33, 6.81, 6.97, 6.64, 7.44, 7.61, 7.29, 6.92, 6.75, 6.88, 8.71, 8.94, 8.58, 7.02, 7.31, 6.95],
    "protein": [12.1, 12.4, 12.0, 11.2, 11.0, 11.3, 13.2, 13.0, 13.4, 12.5, 12.2, 12.6, 11.4, 11.1, 11.6, 10.8, 10.5, 10.9],
})
table = plots.pivot_table(index="variety", columns="fertilised", values="yield_t_ha").round(3)
print(table)
print(plots.groupby("variety")["protein"].mean().round(2))
''', '''
gain = plots[plots.fertilised]["yield_t_ha"].mean() - plots[~plots.fertilised]["yield_t_ha"].mean()
print("plots:", len(plots))
print("mean yield with fertiliser:", round(plots[plots.fertilised]["yield_t_ha"].mean(), 3))
print("mean yield without:", round(plots[~plots.fertilised]["yield_t_ha"].mean(), 3))
print("gain:", round(gain, 3), "t/ha")
'''],
    "answers": [
        ("plain", "Cadis yields most when fertilised: 8.743 t/ha, against 8.133 for Aros and 7.447 for Belun.", [
            ("swapped entity", "8.133 for Aros and 7.447 for Belun", "7.447 for Aros and 8.133 for Belun", "7.447"),
            ("digit", "8.743", "8.473"),
            ("wrong column", "8.743 t/ha", "7.093 t/ha")]),
        ("derived", "Fertiliser brings 1.65 t/ha for Cadis but only 0.597 t/ha for Belun.", [
            ("miscomputed derivation", "1.65 t/ha", "1.56 t/ha"),
            ("swapped entity", "1.65 t/ha for Cadis but only 0.597 t/ha for Belun", "1.65 t/ha for Aros but only 0.597 t/ha for Belun", "1.65")]),
        ("percent", "Over all 18 plots the fertilised half yields 17.2 % more (8.108 instead of 6.917 t/ha).", [
            ("sign or direction", "17.2 % more (8.108 instead of 6.917", "17.2 % less (8.108 instead of 6.917", "17.2 %"),
            ("miscomputed derivation", "17.2 %", "14.7 %"),
            ("number of something else", "18 plots", "12 plots")]),
        ("plain", "Belun has the most protein, 12.82 on average; Cadis the least, 11.05.", [
            ("swapped entity", "Belun has the most protein, 12.82 on average; Cadis the least, 11.05", "Cadis has the most protein, 12.82 on average; Belun the least, 11.05", "12.82"),
            ("rounding", "12.82", "12.9")]),
        ("small integers", "Three varieties were tried, on 18 plots.", []),
        ("plain", "The gain is 1.191 t/ha.", [
            ("digit", "1.191", "1.119"),
            ("sign or direction", "The gain is 1.191 t/ha", "The loss is 1.191 t/ha", "1.191")]),
    ],
}
