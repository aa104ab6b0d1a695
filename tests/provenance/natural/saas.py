{
    "domain": 'saas',
    "question": 'Analyse churn and revenue of our subscription plans.',
    "cells": [
        r"""
import pandas as pd, numpy as np
rng = np.random.default_rng(11)
n = 600
df = pd.DataFrame({
    "plan": rng.choice(["Basic", "Pro", "Team"], n, p=[0.5, 0.35, 0.15]),
    "country": rng.choice(["DE", "FR", "US", "UK"], n),
    "monthly_fee": 0.0,
    "tenure_months": rng.integers(1, 48, n),
    "tickets": rng.poisson(1.6, n),
})
df["monthly_fee"] = df["plan"].map({"Basic": 9.0, "Pro": 29.0, "Team": 99.0})
p = 1 / (1 + np.exp(-(0.5 * df["tickets"] - 0.06 * df["tenure_months"] - 0.6)))
df["churned"] = (rng.random(n) < p).astype(int)
print(df.shape)
print(df.head())
""",
        r"""
summary = df.groupby("plan").agg(customers=("churned", "size"), churn_rate=("churned", "mean"), avg_tenure=("tenure_months", "mean"), mrr=("monthly_fee", "sum")).round(3)
print(summary)
print("Overall churn rate:", round(df["churned"].mean(), 4))
print("Total MRR:", df["monthly_fee"].sum())
""",
        r"""
print(df.groupby("churned")["tickets"].agg(["mean", "median", "count"]).round(2))
print(df["tenure_months"].describe().round(2))
""",
    ],
    "answers": [
        ('plain', 'About a quarter of all customers churned (25.3 %). Team customers are the most loyal with a churn rate of 18.7 %, while Basic loses 26.7 %.', [
            ('swapped entity', '18.7 %', '26.3 %'),
            ('digit', '25.3 %', '23.5 %'),
            ('swapped entity', 'Basic loses 26.7 %', 'Basic loses 18.7 %', 'loses 18.7 %'),
        ]),
        ('plain', 'The Team plan has only 91 customers but brings in 9,009 of the 17,550 in monthly recurring revenue.', [
            ('swapped entity', '9,009', '5,742'),
            ('digit', '17,550', '17,505'),
            ('wrong column', '91 customers', '24 customers'),
        ]),
        ('derived', 'So 15 % of the customers (91 of 600) generate just over half (51.3 %) of the MRR.', [
            ('miscomputed derivation', '51.3 %', '53.1 %'),
            ('miscomputed derivation', '15 %', '18 %'),
            ('swapped entity', '91 of 600', '198 of 600', '198'),
        ]),
        ('plain', 'Customers who left had filed 2.12 tickets on average, those who stayed 1.42.', [
            ('swapped entity', '2.12 tickets on average, those who stayed 1.42', '1.42 tickets on average, those who stayed 2.12', ['1.42', '2.12']),
            ('wrong statistic', '2.12', '2.0'),
            ('digit', '1.42', '1.24'),
        ]),
        ('plain', 'Typical tenure is 25 months (median); a quarter of the customers have been with us for 13 months or less.', [
            ('wrong statistic', '25 months (median)', '24.63 months (median)', '24.63'),
            ('wrong statistic', '13 months or less', '36 months or less', '36 months'),
        ]),
        ('counted', 'The data has 600 rows and six columns.', [
            ('digit', '600', '660'),
            ('digit', 'six', '8'),
        ]),
        ('derived', "Pro customers pay 20 dollars more per month than Basic ones, and the Pro plan's MRR is about twice that of Basic (2.05 times).", [
            ('miscomputed derivation', '2.05', '2.50'),
            ('miscomputed derivation', '20 dollars', '22 dollars'),
        ]),
        ('derived', 'Altogether 152 customers were lost; 448 are still there.', [
            ('swapped entity', '152 customers were lost; 448 are', '448 customers were lost; 152 are', ['448', '152']),
            ('digit', '448', '484'),
        ]),
    ],
}
