{
    "domain": "finance",
    "question": "I put 10,000 into each of three funds in January. What happened by December?",
    "cells": ['''
monthly = {
    "Alpha": [1.2, -0.8, 2.1, 0.4, -1.9, 3.0, 0.7, 1.1, -2.4, 0.9, 1.6, 0.5],
    "Beta": [0.3, 0.4, 0.2, 0.5, 0.1, 0.4, 0.3, 0.2, 0.4, 0.3, 0.5, 0.2],
    "Gamma": [-2.5, 3.8, -4.1, 1.2, -3.3, 2.0, -1.7, 0.8, -5.2, 2.6, -0.9, 1.4],
}
final = {}
for fund, returns in monthly.items():
    value = 10000.0
    for r in returns:
        value *= 1 + r / 100
    final[fund] = value
    print(f"{fund}: {value:,.2f} ({value / 100 - 100:+.2f} %)")
''', '''
import statistics
for fund, returns in monthly.items():
    print(f"{fund} volatility {statistics.stdev(returns):.3f}, worst month {min(returns)} %, best month {max(returns)} %")
print(f"portfolio: {sum(final.values()):,.2f}")
'''],
    "answers": [
        ("plain", "Alpha grew to 10,644.84, a gain of 6.45 %.", [
            ("swapped entity", "Alpha grew", "Beta grew", ["10,644.84", "6.45 %"]),
            ("digit", "10,644.84", "10,464.84"),
            ("sign or direction", "a gain of 6.45 %", "a loss of 6.45 %", "6.45 %")]),
        ("plain", "Gamma lost 6.18 % and ended at 9,382.30.", [
            ("sign or direction", "Gamma lost 6.18 %", "Gamma gained 6.18 %", "6.18 %"),
            ("scale", "9,382.30", "93,823.00"),
            ("question number given as result", "ended at 9,382.30", "ended at 10,000", "10,000")]),
        ("derived", "Of your 30,000 you have 30,413.74 now: a profit of 413.74, or 1.38 %.", [
            ("miscomputed derivation", "413.74, or", "431.74, or", "431.74"),
            ("miscomputed derivation", "1.38 %", "1.83 %")]),
        ("units or currency", "In the end you hold $30,413.74.", [
            ("digit", "$30,413.74", "$30,431.74"),
            ("invented", "$30,413.74", "$31,250.00")]),
        ("summary of an analysis", "Alpha did best (+6.45 %), Beta was steady (+3.87 %, volatility 0.127) and Gamma disappointing (-6.18 %, worst month -5.2 %).", [
            ("swapped entity", "Beta was steady (+3.87 %, volatility 0.127)", "Beta was steady (+3.87 %, volatility 1.565)", "1.565"),
            ("wrong statistic", "worst month -5.2 %", "worst month -2.4 %", "-2.4 %"),
            ("sign or direction", "Gamma disappointing (-6.18 %", "Gamma disappointing (+6.18 %", "+6.18 %")]),
        ("derived", "Alpha beat Gamma by 1,262.54.", [
            ("miscomputed derivation", "1,262.54", "1,226.54"),
            ("sign or direction", "Alpha beat Gamma", "Gamma beat Alpha", "1,262.54")]),
        ("German", "Alpha stieg auf 10.644,84 € (+6,45 %), Gamma fiel auf 9.382,30 €.", [
            ("swapped entity", "Alpha stieg auf 10.644,84 € (+6,45 %), Gamma fiel auf 9.382,30 €", "Gamma stieg auf 10.644,84 € (+6,45 %), Alpha fiel auf 9.382,30 €", ["10.644,84", "9.382,30"]),
            ("scale", "10.644,84", "106.448,40")]),
        ("inequalities", "Beta had no losing month; its worst was 0.1 %, its best 0.5 %.", [
            ("swapped entity", "its worst was 0.1 %, its best 0.5 %", "its worst was 0.5 %, its best 0.1 %", ["0.5 %", "0.1 %"])]),
    ],
}
