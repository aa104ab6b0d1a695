{
    "domain": 'warehouse',
    "question": 'Which items must be reordered and what is the stock worth?',
    "cells": ['''
import pandas as pd
stock = pd.DataFrame({"item": ["bolt","nut","washer","gear","belt","valve"], "on_hand": [1200, 340, 5600, 48, 112, 9], "reorder_level": [500, 400, 2000, 60, 100, 25], "unit_cost": [0.12, 0.08, 0.03, 14.5, 22.75, 61.2]})
stock["value"] = stock.on_hand*stock.unit_cost
stock["short"] = (stock.reorder_level-stock.on_hand).clip(lower=0)
print(stock)
print("stock value", round(stock.value.sum(),2))
''', '''
low = stock[stock.on_hand < stock.reorder_level]
print(low[["item","on_hand","reorder_level","short"]].to_string(index=False))
print("items to reorder:", len(low))
print("cost to refill:", round((low.short*low.unit_cost).sum(),2))
'''],
    "answers": [
        ('small integers', '3 of the 6 items must be reordered: nut (60 short), gear (12 short) and valve (16 short).', [
            ('swapped entity', 'gear (12 short) and valve (16 short)', 'gear (16 short) and valve (12 short)', ['gear (16', 'valve (12']),
            ('digit', '3 of', '4 of', '4')]),
        ('plain', 'The stock is worth 4,134.00 in total, of which belts account for 2,548.00.', [
            ('swapped entity', 'belts account for 2,548.00', 'belts account for 696.00', '696.00'),
            ('digit', '4,134.00', '4,143.00')]),
        ('plain', 'Refilling everything to its reorder level costs 1,158.00.', [
            ('number of something else', '1,158.00', '1,391.00')]),
        ('list or table', '| item | on hand | level |\n|---|---|---|\n| nut | 340 | 400 |\n| gear | 48 | 60 |\n| valve | 9 | 25 |', [
            ('swapped entity', '| gear | 48 | 60 |\n| valve | 9 | 25 |', '| gear | 9 | 60 |\n| valve | 48 | 25 |', ['gear | 9', 'valve | 48'])]),
        ('derived', 'Only 9 valves are left, 16 below the reorder level of 25; refilling them costs 979.20.', [
            ('miscomputed derivation', '979.20', '997.20'),
            ('wrong column', 'Only 9 valves', 'Only 16 valves', 'Only 16')]),
        ('percent', 'Belts make up 61.6 % of the value of the stock.', [
            ('miscomputed derivation', '61.6 %', '60.6 %'),
            ('swapped entity', 'Belts', 'Gears', '61.6 %')]),
    ],
}
