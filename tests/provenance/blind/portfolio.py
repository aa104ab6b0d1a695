{
    "domain": 'portfolio',
    "question": 'How did my three funds do last year, and what is the volatility?',
    "cells": ['''
import pandas as pd
p = pd.DataFrame({"Growth":[100,103.2,101.1,106.8,109.9,108.4,112.6], "Income":[100,100.6,101.0,101.3,101.9,102.2,102.4], "Tech":[100,108.5,97.2,104.9,118.3,110.7,121.8]}, index=pd.period_range("2024-01", periods=7, freq="M"))
r = p.pct_change().dropna()
print(p)
print("total return %"); print(((p.iloc[-1]/p.iloc[0]-1)*100).round(2))
print("monthly volatility %"); print((r.std()*100).round(2))
''', '''
dd = (p/p.cummax()-1).min()*100
print("max drawdown %"); print(dd.round(2))
value = 5000*p.iloc[-1]/100
print("value of 5000 each"); print(value.round(2))
print("sum", round(value.sum(),2))
'''],
    "answers": [
        ('plain', 'Tech gained 21.8%, Growth 12.6% and Income 2.4%.', [
            ('swapped entity', 'Growth 12.6% and Income 2.4%', 'Growth 2.4% and Income 12.6%', ['Growth 2.4%', 'Income 12.6%']),
            ('sign or direction', 'Tech gained', 'Tech lost', '21.8%')]),
        ('plain', 'Tech is also the most volatile fund (9.64% per month, maximum drawdown 10.41%), whereas Income barely moves (0.17%).', [
            ('wrong statistic', '9.64% per month', '10.41% per month', '10.41% per month'),
            ('swapped entity', 'moves (0.17%)', 'moves (3.05%)', '3.05%'),
            ('digit', '0.17%', '0.71%')]),
        ('derived', 'Your 15,000 grew to 16,840, a profit of 1,840 or 12.3%.', [
            ('miscomputed derivation', '1,840', '1,480'),
            ('miscomputed derivation', '12.3%', '13.2%'),
            ('sign or direction', 'a profit of 1,840', 'a loss of 1,840', '1,840')]),
        ('plain', 'In June 2024 Tech stood at 110.7, down from 118.3 in May.', [
            ('sign or direction', 'down from', 'up from', ['110.7', '118.3']),
            ('swapped entity', 'at 110.7', 'at 108.4', '108.4')]),
        ('derived', 'Tech outperformed Growth by 9.2 percentage points.', [
            ('miscomputed derivation', '9.2', '9.4'),
            ('sign or direction', 'outperformed', 'underperformed', '9.2')]),
    ],
}
