{
    "domain": "payroll",
    "question": "Give me an overview of salaries and overtime and the effect of a 3 % raise.",
    "cells": ['''
import pandas as pd
staff = pd.DataFrame({
    "name": ["Ines", "Karl", "Moira", "Pavel", "Rosa", "Sven", "Tilda", "Umar"],
    "team": ["ops", "ops", "dev", "dev", "dev", "sales", "sales", "ops"],
    "salary": [41200, 38900, 61500, 58250, 67300, 45800, 49600, 40150],
    "overtime": [12, 30, 5, 18, 9, 22, 14, 27],
})
print(staff.describe().round(1))
''', '''
pay = staff.groupby("team").agg(people=("name", "count"), mean_salary=("salary", "mean"), hours=("overtime", "sum"))
print(pay.round(2))
top = staff.loc[staff.salary.idxmax()]
print("highest paid:", top["name"], top["salary"])
low = staff.loc[staff.salary.idxmin()]
print("lowest paid:", low["name"], low["salary"])
''', '''
raised = staff.salary * 1.03
print("payroll before:", staff.salary.sum())
print("payroll after 3 % raise:", round(raised.sum(), 2))
'''],
    "answers": [
        ("summary of an analysis", "The average salary is 50,337.50 and the median 47,700; salaries run from 38,900 (Karl) to 67,300 (Rosa). Overtime averages 17.1 hours per person.", [
            ("wrong statistic", "The average salary is 50,337.50 and the median 47,700", "The average salary is 47,700 and the median 50,337.50", ["47,700", "50,337.50"]),
            ("swapped entity", "38,900 (Karl) to 67,300 (Rosa)", "38,900 (Rosa) to 67,300 (Karl)", ["38,900", "67,300"]),
            ("digit", "17.1", "11.7")]),
        ("plain", "Developers earn the most, 62,350 on average, but put in the least overtime, 32 hours in total.", [
            ("swapped entity", "62,350", "47,700"),
            ("wrong column", "32 hours", "3 hours", "3 hours"),
            ("swapped entity", "32 hours", "69 hours", "69")]),
        ("derived", "The raise lifts the payroll from 402,700 to 414,781, i.e. by 12,081 a year.", [
            ("miscomputed derivation", "12,081", "12,801"),
            ("swapped entity", "from 402,700 to 414,781", "from 414,781 to 402,700", ["414,781", "402,700"])]),
        ("derived", "Rosa earns 28,400 more than Karl.", [
            ("miscomputed derivation", "28,400", "24,800"),
            ("sign or direction", "Rosa earns 28,400 more than Karl", "Karl earns 28,400 more than Rosa", "28,400")]),
        ("small integers", "Three people work in ops and two in sales.", []),
        ("derived", "Half of the 137 overtime hours were worked by ops (69).", [
            ("swapped entity", "ops (69)", "ops (36)", "36"),
            ("miscomputed derivation", "137", "173")]),
        ("plain", "A quarter of the staff earns less than 40,937.50.", [
            ("wrong statistic", "40,937.50", "59,062.50"),
            ("digit", "40,937.50", "49,037.50")]),
        ("German", "Das mittlere Gehalt im Vertrieb (sales) liegt bei 47.700, in der Entwicklung (dev) bei 62.350.", [
            ("swapped entity", "47.700, in der Entwicklung (dev) bei 62.350", "62.350, in der Entwicklung (dev) bei 47.700", ["62.350", "47.700"])]),
    ],
}
