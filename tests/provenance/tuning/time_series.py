{
    "domain": "time series",
    "question": "What is the trend of monthly passengers, 2021 to 2023?",
    "cells": ['''
import pandas as pd

values = [112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170, 158, 133, 114, 140,
          145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166]
passengers = pd.Series(values, index=pd.period_range("2021-01", periods=36, freq="M"), name="passengers")
print(passengers.to_string())
''', '''
yearly = passengers.groupby(passengers.index.year).sum()
print(yearly)
print((yearly.pct_change() * 100).round(2))
print("mean per month:", round(passengers.mean(), 2))
print("peak:", passengers.max(), "in", passengers.idxmax())
print("low:", passengers.min(), "in", passengers.idxmin())
'''],
    "answers": [
        ("plain", "Passengers rose from 1,520 in 2021 to 1,676 in 2022 and 2,042 in 2023.", [
            ("swapped entity", "1,676 in 2022 and 2,042 in 2023", "2,042 in 2022 and 1,676 in 2023", ["2,042", "1,676"]),
            ("sign or direction", "Passengers rose from 1,520 in 2021 to 1,676 in 2022", "Passengers fell from 1,520 in 2021 to 1,676 in 2022", "1,676"),
            ("digit", "1,520", "1,250")]),
        ("percent", "Growth was 10.26 % in 2022 and accelerated to 21.84 % in 2023.", [
            ("swapped entity", "10.26 % in 2022 and accelerated to 21.84 % in 2023", "21.84 % in 2022 and slowed to 10.26 % in 2023", ["21.84 %", "10.26 %"]),
            ("digit", "21.84 %", "28.14 %")]),
        ("dates, versions, ordinals", "The peak of 199 was reached in 2023-07 (and again in August 2023), the low of 104 in November 2021.", [
            ("wrong statistic", "The peak of 199 was reached in 2023-07 (and again in August 2023), the low of 104", "The peak of 104 was reached in 2023-07 (and again in August 2023), the low of 199", ["104", "199"]),
            ("digit", "199", "191")]),
        ("derived", "Over the two years that is an increase of 522 passengers, or 34.3 %.", [
            ("miscomputed derivation", "522", "552"),
            ("miscomputed derivation", "34.3 %", "33.4 %"),
            ("sign or direction", "an increase of 522", "a decrease of 522", "522")]),
        ("derived", "In 2023 there were on average 170.2 passengers per month.", [
            ("miscomputed derivation", "170.2", "172.0"),
            ("wrong statistic", "170.2", "145.5")]),
        ("summary of an analysis", "Over 36 months the mean is 145.5. Every year peaks in July and August (148, 170 and 199) and dips in November (104, 114 and 146).", [
            ("swapped entity", "dips in November (104, 114 and 146)", "dips in November (104, 119 and 146)", "119"),
            ("digit", "145.5", "154.5")]),
        ("counted", "The series has 36 values over 3 years.", [
            ("digit", "36 values", "32 values")]),
        ("plain", "December 2023 saw 166 passengers.", [
            ("swapped entity", "December 2023 saw 166", "December 2022 saw 166", "166")]),
    
        ("German", "Die Zahl der Passagiere stieg von 1.520 (2021) auf 2.042 (2023), das sind 34,3 % mehr.", [
            ("miscomputed derivation", "34,3 %", "43,3 %"),
            ("sign or direction", "stieg von 1.520 (2021) auf 2.042 (2023), das sind 34,3 % mehr", "fiel von 1.520 (2021) auf 2.042 (2023), das sind 34,3 % weniger", "34,3 %")]),
        ("French", "Le maximum, 199, a été atteint en juillet 2023 ; le minimum, 104, en novembre 2021.", [
            ("wrong statistic", "Le maximum, 199, a été atteint en juillet 2023 ; le minimum, 104", "Le maximum, 104, a été atteint en juillet 2023 ; le minimum, 199", ["104", "199"]),
            ("digit", "199", "191")]),
    ],
}
