{
    "domain": 'budget city',
    "question": "Compare planned and actual spending of the city's departments.",
    "cells": [
        """
plan = {"Schools": 18.4, "Roads": 9.7, "Parks": 3.2, "Culture": 2.6, "Administration": 6.1}
actual = {"Schools": 19.1, "Roads": 11.3, "Parks": 2.9, "Culture": 2.6, "Administration": 6.4}
print("all amounts in million euros")
for d in plan:
    diff = actual[d] - plan[d]
    print(f"{d:15} planned {plan[d]:5.1f}  actual {actual[d]:5.1f}  difference {diff:+.1f} ({diff / plan[d]:+.1%})")
print(f"total planned {sum(plan.values()):.1f}, total actual {sum(actual.values()):.1f}")
""",
    ],
    "answers": [
        ('units or currency', 'The city spent €42.3 million instead of the planned €40.0 million.', [
            ('swapped entity', '€42.3 million instead of the planned €40.0 million', '€40.0 million instead of the planned €42.3 million', ['40.0', '42.3']),
            ('scale', '€42.3 million', '€42.3 billion'),
            ('digit', '42.3', '43.2'),
        ]),
        ('derived', 'That is an overrun of 2.3 million, or 5.75 %.', [
            ('miscomputed derivation', '2.3', '3.2'),
            ('miscomputed derivation', '5.75 %', '5.44 %'),
        ]),
        ('plain', 'Roads went over budget most: 11.3 instead of 9.7 million, a plus of 16.5 %.', [
            ('swapped entity', '11.3', '6.4'),
            ('digit', '16.5 %', '15.6 %'),
            ('sign or direction', 'a plus of', 'a minus of', '16.5 %'),
        ]),
        ('plain', 'Only Parks stayed below its plan, by 0.3 million (9.4 %).', [
            ('swapped entity', 'Parks', 'Administration', ['0.3', '9.4 %']),
            ('sign or direction', 'below', 'above', ['0.3', '9.4 %']),
            ('digit', '9.4 %', '4.9 %'),
        ]),
        ('plain', 'Schools cost 0.7 million more than planned.', [
            ('swapped entity', '0.7', '1.6'),
            ('sign or direction', 'more', 'less', '0.7'),
            ('swapped entity', 'Schools', 'Roads', '0.7'),
        ]),
        ('plain', 'Culture spent exactly what was planned, 2.6 million.', [
            ('swapped entity', '2.6', '3.2'),
        ]),
        ('derived', 'Schools make up 45.2 % of the actual spending.', [
            ('miscomputed derivation', '45.2 %', '46.2 %'),
            ('swapped entity', 'Schools', 'Roads', '45.2 %'),
        ]),
        ('derived', 'Schools and Roads together spent 30.4 million.', [
            ('miscomputed derivation', '30.4', '31.4'),
        ]),
        ('list or table', 'Actual spending (million euros):\n\n- Schools: 19.1\n- Roads: 11.3\n- Administration: 6.4\n- Parks: 2.9\n- Culture: 2.6', [
            ('wrong column', '19.1', '18.4'),
            ('swapped entity', 'Parks: 2.9\n- Culture: 2.6', 'Parks: 2.6\n- Culture: 2.9', ['2.6', '2.9']),
            ('digit', '6.4', '4.6'),
        ]),
    ],
}
