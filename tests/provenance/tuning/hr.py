{
    "domain": "HR",
    "question": "Give me an exploratory summary of the staff table.",
    "cells": ['''
import random
import numpy as np
import pandas as pd

random.seed(3)
rows = []
for number in range(80):
    department = random.choices(["Sales", "IT", "Finance", "Support"], [30, 25, 10, 15])[0]
    age = round(random.gauss(41, 9))
    years = max(0, min(age - 20, round(random.expovariate(1 / 7))))
    salary = round(38000 + 900 * years + {"IT": 11000, "Finance": 8000}.get(department, 0) + random.gauss(0, 3500), -1)
    rows.append((department, age, years, salary, round(random.uniform(1, 5), 1)))
staff = pd.DataFrame(rows, columns=["department", "age", "years", "salary", "satisfaction"]).astype({"age": float})
staff.loc[[4, 51], "age"] = np.nan
staff.loc[[7, 19, 20, 33, 68], "satisfaction"] = np.nan
staff.info(verbose=False)
print(staff.shape)
print(staff.describe().round(2))
print(staff.isna().sum())
''', '''
print(staff.groupby("department").agg(people=("salary", "size"), salary=("salary", "mean"), years=("years", "mean"),
                                      satisfaction=("satisfaction", "mean")).round(2))
print("correlation of years and salary:", round(staff["years"].corr(staff["salary"]), 3))
'''],
    "answers": [
        ("summary of an analysis", "The table has 80 rows and 5 columns. Age is missing for 2 people and satisfaction for 5. The average employee is 39.68 years old, has been with us for 6.18 years and earns 47,014; the median salary is 46,305. Salaries range from 30,480 to 75,720. IT pays best (54,183.18 on average), Sales least (42,355.16). Seniority and salary correlate at 0.638.", [
            ("wrong statistic", "the median salary is 46,305", "the median salary is 47,014", "salary is 47,014"),
            ("swapped entity", "IT pays best (54,183.18 on average), Sales least (42,355.16)", "Sales pays best (54,183.18 on average), IT least (42,355.16)", ["54,183.18", "42,355.16"]),
            ("digit", "0.638", "0.683"),
            ("digit", "satisfaction for 5", "satisfaction for 7", "7. The")]),
        ("small integers", "Age has 2 missing values, satisfaction has 5.", [
            ("swapped entity", "Age has 2 missing values, satisfaction has 5", "Age has 5 missing values, satisfaction has 2", ["5 missing", "has 2"]),
            ("digit", "2 missing", "4 missing")]),
        ("plain", "Median age is 40, and three quarters of the staff are 47 or younger.", [
            ("wrong statistic", "Median age is 40", "Median age is 32", "32"),
            ("wrong column", "47 or younger", "9 or younger", "9")]),
        ("counted", "31 of the 80 people work in Sales.", [
            ("swapped entity", "work in Sales", "work in IT", "31"),
            ("number of something else", "31 of the 80", "31 of the 78", "78")]),
        ("derived", "IT earns 11,828.02 more than Sales on average, a premium of 27.9 %.", [
            ("miscomputed derivation", "11,828.02", "11,288.02"),
            ("miscomputed derivation", "27.9 %", "29.7 %"),
            ("sign or direction", "IT earns 11,828.02 more than Sales on average, a premium", "IT earns 11,828.02 less than Sales on average, a discount", "11,828.02")]),
        ("plain", "Satisfaction is highest in Support (3.32) and lowest in IT (2.70).", [
            ("swapped entity", "Support (3.32) and lowest in IT (2.70)", "Finance (3.32) and lowest in IT (2.70)", "3.32"),
            ("wrong column", "(3.32)", "(6.75)", "6.75")]),
        ("constants of a method", "The middle half of salaries (25th to 75th percentile) lies between 40,162.50 and 53,502.50.", [
            ("wrong statistic", "between 40,162.50 and 53,502.50", "between 30,480.00 and 53,502.50", "30,480.00"),
            ("rounding", "53,502.50", "53,500.20")]),
        ("units or currency", "The standard deviation of pay is about €8,552.", [
            ("wrong column", "€8,552", "€9.89"),
            ("scale", "€8,552", "€85,520")]),
    
        ("German", "Die Tabelle hat 80 Zeilen und 5 Spalten; beim Alter fehlen 2 Werte, bei der Zufriedenheit 5.", [
            ("digit", "80 Zeilen", "86 Zeilen"),
            ("invented", "5 Spalten", "13 Spalten", "13 Spalten")]),
        ("German", "In der IT liegt das mittlere Gehalt bei 54.183,18 €, im Sales bei 42.355,16 €.", [
            ("swapped entity", "In der IT liegt das mittlere Gehalt bei 54.183,18 €, im Sales bei 42.355,16 €", "Im Sales liegt das mittlere Gehalt bei 54.183,18 €, in der IT bei 42.355,16 €", ["54.183,18", "42.355,16"]),
            ("digit", "42.355,16", "42.535,16")]),
        ("French", "Le salaire moyen est de 47 014 €, le salaire médian de 46 305 €.", [
            ("wrong statistic", "Le salaire moyen est de 47 014 €, le salaire médian de 46 305 €", "Le salaire médian est de 47 014 €, le salaire moyen de 46 305 €", ["47 014", "46 305"]),
            ("digit", "46 305", "46 503")]),
    ],
}
