{
    "domain": "public library",
    "question": "Please look at last month's loans: which genres are borrowed most, how long do people keep things, how many came back late (limit 28 days, 20 cents per day) and does it differ by branch?",
    "cells": [
r"""import pandas as pd, numpy as np
rng = np.random.default_rng(314)
genres = ["crime", "children", "travel", "cooking", "sci-fi", "history", "language"]
n = 640
loans = pd.DataFrame({
    "genre": rng.choice(genres, n, p=[.24, .29, .07, .08, .13, .12, .07]),
    "branch": rng.choice(["Main", "East", "Harbour"], n, p=[.55, .3, .15]),
    "days": rng.gamma(4.0, 5.5, n).round().astype(int),
})
loans["late"] = loans.days > 28
loans.genre.value_counts()""",
r"""loans.days.describe()""",
r"""pd.crosstab(loans.branch, loans.late, margins=True)""",
r"""fees = (loans.days - 28).clip(lower=0) * 0.20
print(f"{loans.late.sum()} late returns, fees {fees.sum():.2f} EUR, worst {loans.days.max() - 28} days late")
loans.groupby("genre").days.mean().round(1).sort_values()"""],
    "answers": [
        ("summary of an analysis", "Of the 640 loans, children's books (171) and crime (155) make up just over half. Items stayed out for 21.5 days on average (median 20), and 138 of them, 21.6%, came back late, which makes €260.80 in fees.", [
            ("wrong statistic", "21.5 days on average (median 20)", "20 days on average (median 21.5)", ["20 days", "21.5"]),
            ("digit", "€260.80", "€268.00", "268.00"),
            ("swapped entity", "crime (155)", "crime (91)", "91"),
            ("rounding", "21.6%", "21.5%", "21.5%"),
        ]),
        ("percent", "Late returns are slightly more common at Main (23.0%) than at Harbour (20.0%) and East (19.6%).", [
            ("swapped entity", "Harbour (20.0%) and East (19.6%)", "Harbour (12.3%) and East (19.6%)", "12.3%"),
            ("miscomputed derivation", "(23.0%)", "(29.8%)", "29.8%"),
        ]),
        ("counted", "Main lent out 366 items (57%), East 189 and Harbour 85; 84, 37 and 17 of these were late.", [
            ("wrong column", "East 189", "East 152", "152"),
            ("digit", "366 items", "336 items", "336"),
            ("typed literal", "(57%)", "(55%)", "55%"),
        ]),
        ("plain", "Half of the loans lasted between 14 and 27 days; the standard deviation is 10.6 days and the longest loan was 70 days, 42 over the limit.", [
            ("wrong statistic", "the longest loan was 70 days", "the longest loan was 42 days", "was 42 days"),
            ("digit", "is 10.6 days", "is 16.0 days", "16.0"),
            ("wrong statistic", "between 14 and 27", "between 2 and 27", "between 2"),
        ]),
        ("derived", "The average late item was 9.4 days overdue and cost its borrower €1.89; altogether 1,304 overdue days were charged.", [
            ("miscomputed derivation", "9.4 days", "8.4 days", "8.4"),
            ("scale", "€1.89", "€18.90", "18.90"),
            ("invented", "overdue days were charged.", "overdue days were charged to 97 different borrowers.", "97"),
            ("miscomputed derivation", "1,304 overdue", "1,430 overdue", "1,430"),
        ]),
        ("plain", "Genre hardly matters for how long things are kept: cooking is shortest with 20.7 days, sci-fi longest with 22.4, a difference of 1.7 days.", [
            ("digit", "sci-fi longest with 22.4", "sci-fi longest with 23.4", "23.4"),
            ("miscomputed derivation", "difference of 1.7", "difference of 2.7", "2.7"),
        ]),
        ("list or table", "| Genre | Loans | Share |\n|---|---:|---:|\n| children | 171 | 26.7 % |\n| crime | 155 | 24.2 % |\n| history | 91 | 14.2 % |\n| sci-fi | 84 | 13.1 % |\n| other three | 139 | 21.7 % |", [
            ("typed literal", "26.7 %", "29.0 %"),
            ("miscomputed derivation", "| 139 |", "| 149 |", "149"),
            ("swapped entity", "| history | 91 |", "| history | 48 |", "48"),
        ]),
        ("constants of a method", "By the usual 1.5 × IQR rule a loan counts as an outlier above 46.5 days (27 + 1.5 × 13).", [
            ("miscomputed derivation", "above 46.5 days", "above 40 days", "40"),
            ("digit", "46.5", "45.6"),
        ]),
    ],
}
