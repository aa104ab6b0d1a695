{
    "domain": "farm harvest",
    "question": "Compare the crops by yield and income.",
    "cells": ['''
import pandas as pd
from io import StringIO
csv = """field,crop,hectares,tonnes,price
A1,wheat,12.5,91.3,212
A2,wheat,8.0,54.4,212
B1,barley,10.2,61.2,187
B2,barley,6.4,36.5,187
C1,rape,9.1,33.7,455
C2,rape,5.3,18.0,455
"""
df = pd.read_csv(StringIO(csv))
df["yield_t_ha"] = (df.tonnes / df.hectares).round(2)
df["income"] = (df.tonnes * df.price).round(0)
print(df.to_string(index=False))
''', '''
agg = df.groupby("crop").agg(area=("hectares", "sum"), harvest=("tonnes", "sum"), income=("income", "sum"))
agg["t_per_ha"] = (agg.harvest / agg.area).round(2)
print(agg)
print("Total income:", agg.income.sum())
print("Best field:", df.loc[df.yield_t_ha.idxmax(), "field"])
'''],
    "answers": [
        ("summary of an analysis", "Wheat is the main crop: 20.5 hectares gave 145.7 tonnes (7.11 t/ha) and an income of 30,889. Rape yields only 3.59 t/ha but still earned 23,524, more than barley with 18,270.", [
            ("swapped entity", "earned 23,524, more than barley with 18,270", "earned 18,270, more than barley with 23,524", ["18,270", "23,524"]),
            ("wrong column", "20.5 hectares", "97.7 hectares", "97.7"),
            ("digit", "30,889", "38,089")]),
        ("plain", "The best field is A1 with 7.3 t/ha; C2 is the weakest at 3.4.", [
            ("swapped entity", "with 7.3 t/ha; C2 is the weakest at 3.4", "with 3.4 t/ha; C2 is the weakest at 7.3", ["3.4", "7.3"]),
            ("number of something else", "3.4", "3.7")]),
        ("plain", "Total income is 72,683.", [
            ("wrong statistic", "72,683", "30,889"),
            ("digit", "72,683", "76,283")]),
        ("derived", "Wheat makes up 42.5 % of the income.", [
            ("miscomputed derivation", "42.5 %", "45.2 %"),
            ("swapped entity", "Wheat", "Barley", "42.5 %")]),
        ("derived", "The farm has 51.5 hectares in all.", [
            ("miscomputed derivation", "51.5", "55.1")]),
        ("plain", "Barley was sold at 187 per tonne, rape at 455.", [
            ("swapped entity", "187 per tonne, rape at 455", "455 per tonne, rape at 187", ["455", "187"])]),
        ("small integers", "Two fields of 9.1 and 5.3 hectares grew rape.", [
            ("swapped entity", "5.3 hectares", "6.4 hectares", "6.4"),
            ("digit", "Two fields of 9.1", "Two fields of 1.9", "1.9")]),
        ("French", "Le blé (wheat) rapporte 30 889 pour 145,7 tonnes.", [
            ("swapped entity", "145,7", "97,7"),
            ("digit", "30 889", "38 089")]),
    ],
}
