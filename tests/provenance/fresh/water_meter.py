{
    "domain": "water meter",
    "question": "Summarise the monthly water use of 2023 and compare with 2022.",
    "cells": ['''
import pandas as pd
use22 = [11.8, 10.9, 11.5, 12.2, 13.9, 15.7, 17.1, 16.4, 13.2, 12.0, 11.1, 11.9]
use23 = [11.2, 10.4, 11.9, 11.6, 13.1, 16.8, 15.9, 14.7, 12.8, 11.3, 10.6, 11.4]
months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
water = pd.DataFrame({"m3_2022": use22, "m3_2023": use23}, index=months)
print(water)
''', '''
totals = water.sum().round(1)
print(totals)
change = (totals["m3_2023"] / totals["m3_2022"] - 1) * 100
print(f"change: {change:.2f} %")
print("peak month 2023:", water["m3_2023"].idxmax(), water["m3_2023"].max())
print("peak month 2022:", water["m3_2022"].idxmax(), water["m3_2022"].max())
''', '''
price = 4.35   # EUR per cubic metre, fixed fee 96
cost = totals * price + 96
print(cost.round(2).to_dict())
'''],
    "answers": [
        ("plain", "In 2023 the household used 151.7 m³, 3.8 % less than the 157.7 m³ of 2022.", [
            ("swapped entity", "used 151.7 m³, 3.8 % less than the 157.7 m³", "used 157.7 m³, 3.8 % less than the 151.7 m³", ["157.7", "151.7"]),
            ("sign or direction", "3.8 % less", "3.8 % more", "3.8 %"),
            ("digit", "151.7", "157.1")]),
        ("derived", "That is a saving of 6.0 m³.", [
            ("miscomputed derivation", "6.0", "8.0")]),
        ("plain", "Use peaked in June 2023 at 16.8 m³, a year earlier in July at 17.1 m³.", [
            ("swapped entity", "16.8 m³, a year earlier in July at 17.1", "17.1 m³, a year earlier in July at 16.8", ["17.1", "16.8"])]),
        ("plain", "February was the lowest month of 2023 with 10.4 m³.", [
            ("wrong column", "10.4", "10.9"),
            ("swapped entity", "February", "November", "10.4")]),
        ("units or currency", "The bill falls from 781.99 € to 755.89 €.", [
            ("sign or direction", "falls from 781.99 € to 755.89 €", "rises from 781.99 € to 755.89 €", ["781.99", "755.89"]),
            ("digit", "755.89", "758.59")]),
        ("derived", "You pay 26.10 € less than the year before.", [
            ("miscomputed derivation", "26.10", "21.60"),
            ("sign or direction", "26.10 € less", "26.10 € more", "26.10")]),
        ("derived", "On average that was 12.64 m³ per month in 2023.", [
            ("miscomputed derivation", "12.64", "12.46"),
            ("swapped entity", "12.64", "13.14")]),
        ("constants of a method", "The cost includes the fixed fee of 96 € and 4.35 € per cubic metre.", [
            ("digit", "4.35", "4.53")]),
        ("French", "En 2023, la consommation a été de 151,7 m³, contre 157,7 m³ en 2022.", [
            ("swapped entity", "de 151,7 m³, contre 157,7", "de 157,7 m³, contre 151,7", ["157,7", "151,7"])]),
        ("inequalities", "Every month stayed below 17 m³ in 2023.", [
            ("number of something else", "below 17 m³", "below 15 m³", "15")]),
    ],
}
