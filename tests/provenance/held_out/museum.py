{
    "domain": "museum visitors",
    "question": "Visitors per weekday, please, and revise it for the closed Tuesday.",
    "cells": ['''
visitors = {"Mon": 412, "Tue": 388, "Wed": 455, "Thu": 501, "Fri": 690, "Sat": 1204, "Sun": 1178}
total = sum(visitors.values())
print("total:", total)
print("mean per day:", round(total / len(visitors), 1))
''', '''
visitors["Tue"] = 0          # the count was of another house: we were closed
total = sum(visitors.values())
opened = [v for v in visitors.values() if v]
mean = total / len(opened)
print("total:", total)
print("mean per day:", round(mean, 1))
print("weekend share:", round((visitors["Sat"] + visitors["Sun"]) / total, 4))
''', '''
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
plt.bar(list(visitors), list(visitors.values()))
plt.title("Visitors per weekday")
plt.ylabel("visitors")
plt.savefig("visitors.png")
'''],
    "answers": [
        ("plain", "With Tuesday closed there were 4,440 visitors, on average 740 per open day.", [
            ("stale value", "4,440", "4,828"),
            ("stale value", "740 per open day", "689.7 per open day")]),
        ("percent", "The weekend brings 53.65 % of all visitors.", [
            ("digit", "53.65 %", "56.35 %"),
            ("scale", "53.65 %", "5.365 %")]),
        ("fractions in words", "More than half of the visitors come on Saturday or Sunday (2,382 of 4,440).", [
            ("miscomputed derivation", "2,382", "2,328"),
            ("stale value", "2,382 of 4,440", "2,382 of 4,828", "4,828")]),
        ("derived", "The correction takes away 388 visitors, from 4,828 to 4,440.", [
            ("miscomputed derivation", "388", "378"),
            ("sign or direction", "takes away 388 visitors, from 4,828 to 4,440", "adds 388 visitors, from 4,828 to 4,440", "388")]),
        ("plain", "Saturday was the best day with 1,204 visitors; Monday had 412.", [
            ("swapped entity", "Saturday was the best day with 1,204 visitors; Monday had 412", "Monday was the best day with 1,204 visitors; Saturday had 412", ["1,204", "412"]),
            ("digit", "1,204", "1,402")]),
        ("counted", "The house was open on 6 of 7 days.", []),
    ],
}
