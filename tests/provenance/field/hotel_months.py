{
    "domain": 'hotel occupancy',
    "question": "Here's the occupancy of our 64-room hotel by month. How's the season, and how do the figures look after correcting the August typo?",
    "cells": [
r"""import pandas as pd
days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
nights = [712, 805, 968, 1104, 1390, 1612, 1788, 1175, 1495, 1206, 781, 894]
rate = [78, 76, 82, 88, 95, 108, 124, 126, 104, 90, 75, 86]
idx = pd.period_range("2024-01", periods=12, freq="M")
h = pd.DataFrame({"nights": nights, "days": days, "rate": rate}, index=idx)
h["occ"] = (h.nights / (64 * h.days) * 100).round(1)
h["revenue"] = h.nights * h.rate
print(h)
print("year:", h.nights.sum(), "nights, occupancy", round(h.nights.sum() / (64 * h.days.sum()) * 100, 1), "%, revenue", h.revenue.sum())""",
r"""h.loc["2024-08", "nights"] = 1751   # was typed as 1175
h["occ"] = (h.nights / (64 * h.days) * 100).round(1)
h["revenue"] = h.nights * h.rate
print(h.loc["2024-08"])
print("year:", h.nights.sum(), "nights, occupancy", round(h.nights.sum() / (64 * h.days.sum()) * 100, 1), "%, revenue", h.revenue.sum())""",
r"""season = h.loc["2024-05":"2024-09"]
print("May-Sep nights", season.nights.sum(), "share", round(season.nights.sum() / h.nights.sum(), 3), "revenue share", round(season.revenue.sum() / h.revenue.sum(), 3))
print("mean rate per night sold:", round(h.revenue.sum() / h.nights.sum(), 2), " plain mean of rates:", round(h.rate.mean(), 2))
print(h.revenue.nlargest(3))""",
    ],
    "answers": [
        ('summary of an analysis', 'With the August figure corrected to 1,751 nights, the year comes to 14,506 room nights, an occupancy of 61.9 % and revenue of 1,441,207. July is the strongest month with 221,712, narrowly ahead of August with 220,626. The five months from May to September bring 55 % of the nights and 63 % of the revenue.', [
            ('stale value', '14,506', '13,930'),
            ('stale value', '61.9 %', '59.5 %', '59.5'),
            ('stale value', 'with 220,626', 'with 148,050', '148,050'),
            ('wrong column', '63 % of the revenue', '90 % of the revenue', '90'),
        ]),
        ('plain', 'August occupancy is 88.3 %.', [
            ('stale value', '88.3', '59.2'),
            ('swapped entity', '88.3', '90.1'),
            ('digit', '88.3', '83.8'),
        ]),
        ('derived', "The correction adds 576 nights and 72,576 in revenue, about 5 % of the year's total.", [
            ('miscomputed derivation', '576 nights', '676 nights', '676'),
            ('scale', 'about 5 %', 'about 0.5 %', '0.5'),
            ('digit', '72,576', '75,276'),
            ('stale value', '72,576', '148,050'),
        ]),
        ('units or currency', 'Per night sold you earned 99.35 on average; the plain mean of the twelve rates would be 94.33.', [
            ('wrong statistic', '99.35 on average; the plain mean of the twelve rates would be 94.33', '94.33 on average; the plain mean of the twelve rates would be 99.35', ['94.33', '99.35']),
            ('digit', '99.35', '93.95'),
            ('swapped entity', 'be 94.33', 'be 104', '104'),
        ]),
        ('list or table', '- Lowest: January, 35.9 %\n- Spring: April 57.5 %, May 70.1 %\n- Peak: July, 90.1 %\n- Autumn: October 60.8 %, November 40.7 %', [
            ('swapped entity', 'November 40.7', 'November 45.1', '45.1'),
            ('wrong column', 'January, 35.9', 'January, 78', '78'),
            ('digit', '70.1', '71.0'),
            ('swapped entity', 'October 60.8', 'October 77.9', '77.9'),
        ]),
        ('inequalities', 'Three months exceeded 80 % occupancy (June, July and August); two had over 220,000 in revenue.', [
            ('miscomputed derivation', 'over 220,000', 'over 240,000', '240,000'),
            ('scale', '220,000', '2,200,000'),
            ('miscomputed derivation', 'exceeded 80 %', 'exceeded 90 %', '90'),
        ]),
        ('plain', 'Yes, the August number changes the picture: occupancy that month goes up from 59.2 % to 88.3 %, and August becomes the second-best month for revenue rather than the fourth.', [
            ('stale value', 'to 88.3 %', 'to 61.9 %', '61.9'),
            ('swapped entity', 'from 59.2', 'from 59.5', '59.5'),
            ('sign or direction', 'goes up from 59.2', 'goes down from 59.2', ['59.2', '88.3']),
        ]),
    ],
}
