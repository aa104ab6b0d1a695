{
    "domain": "subscriptions",
    "question": "How many customers did we lose in Q3, and what is our recurring revenue? 23 cancellations were of test accounts.",
    "cells": ['''
start, new, lost = 2480, 305, 171
end = start + new - lost
mrr = end * 24.5
print("customers at the end:", end)
print(f"churn: {lost / start:.2%}")
print(f"recurring revenue: {mrr:,.2f}")
''', '''
# 23 cancellations were test accounts and do not count
lost = lost - 23
end = start + new - lost
mrr = end * 24.5
print("customers lost:", lost)
print("customers at the end:", end)
print(f"churn: {lost / start:.2%}")
print(f"recurring revenue: {mrr:,.2f}")
print(f"net growth: {(end - start) / start:.2%}")
'''],
    "answers": [
        ("plain", "You lost 148 customers in the quarter, a churn of 5.97 %.", [
            ("stale value", "5.97 %", "6.90 %"),
            ("digit", "148", "184"),
            ("scale", "5.97 %", "59.7 %")]),
        ("plain", "You end the quarter with 2,637 customers and recurring revenue of 64,606.50.", [
            ("stale value", "2,637 customers", "2,614 customers"),
            ("stale value", "64,606.50", "64,043.00"),
            ("digit", "64,606.50", "66,406.50")]),
        ("derived", "Leaving out the test accounts raises recurring revenue by 563.50.", [
            ("miscomputed derivation", "563.50", "536.50"),
            ("sign or direction", "raises recurring revenue by 563.50", "lowers recurring revenue by 563.50", "563.50")]),
        ("percent", "Net growth came to 6.33 %.", [
            ("stale value", "6.33 %", "6.90 %"),
            ("invented", "6.33 %", "7.15 %")]),
        ("units or currency", "Recurring revenue: $64.6k.", [
            ("scale", "$64.6k", "$64.6M"),
            ("stale value", "$64.6k", "$64.0k")]),
        ("derived", "A year of that would be 775,278.", [
            ("miscomputed derivation", "775,278", "757,278")]),
        ("derived", "Taking the 23 test accounts out reduces churn by 0.93 percentage points, from 6.90 % to 5.97 %.", [
            ("miscomputed derivation", "0.93", "0.83"),
            ("sign or direction", "reduces churn by 0.93 percentage points, from 6.90 % to 5.97 %", "increases churn by 0.93 percentage points, from 6.90 % to 5.97 %", "0.93")]),
    
        ("German", "Am Ende des Quartals sind es 2.637 Kunden; die Abwanderung liegt bei 5,97 %.", [
            ("stale value", "2.637 Kunden", "2.614 Kunden"),
            ("stale value", "5,97 %", "6,90 %")]),
        ("French", "Le revenu récurrent atteint 64 606,50 €.", [
            ("stale value", "64 606,50", "64 043,00"),
            ("digit", "64 606,50", "66 406,50")]),
    ],
}
