{
    "domain": 'orders_json',
    "question": 'Summarise the orders of the API response.',
    "cells": [
        r"""
import json
data = {"currency": "EUR", "orders": [
  {"id": "A-1001", "customer": "Weber", "items": 3, "total": 184.50, "status": "paid"},
  {"id": "A-1002", "customer": "Rossi", "items": 1, "total": 59.90, "status": "open"},
  {"id": "A-1003", "customer": "Weber", "items": 7, "total": 412.00, "status": "paid"},
  {"id": "A-1004", "customer": "Dubois", "items": 2, "total": 98.20, "status": "cancelled"},
  {"id": "A-1005", "customer": "Rossi", "items": 5, "total": 266.75, "status": "paid"},
  {"id": "A-1006", "customer": "Novak", "items": 4, "total": 130.00, "status": "open"}]}
by = {}
for o in data["orders"]:
    c = by.setdefault(o["customer"], {"orders": 0, "items": 0, "revenue": 0.0})
    c["orders"] += 1; c["items"] += o["items"]; c["revenue"] = round(c["revenue"] + o["total"], 2)
print(json.dumps(by, indent=2))
""",
        r"""
status = {}
for o in data["orders"]:
    status[o["status"]] = status.get(o["status"], 0) + 1
paid = sum(o["total"] for o in data["orders"] if o["status"] == "paid")
print(status)
print(f"paid: {paid:.2f} of {sum(o['total'] for o in data['orders']):.2f}")
""",
    ],
    "answers": [
        ('plain', 'Weber is the best customer: two orders with 10 items for 596.50 EUR.', [
            ('swapped entity', '596.50', '326.65'),
            ('wrong column', '10 items', '6 items', '6 items'),
            ('digit', '596.50', '569.50'),
        ]),
        ('plain', 'Six orders came in, of which three are paid, two still open and one was cancelled.', [
            ('digit', 'three', '4', '4 are'),
            ('digit', 'Six', '9', '9 orders'),
        ]),
        ('percent', '863.25 EUR of the 1,151.35 EUR have been paid, i.e. 75 %.', [
            ('miscomputed derivation', '75 %', '57 %'),
            ('digit', '863.25', '836.25'),
        ]),
        ('derived', '288.10 EUR have not been paid: 189.90 are open, 98.20 belong to the cancelled order.', [
            ('miscomputed derivation', '288.10', '281.10'),
            ('swapped entity', '98.20', '130.00'),
        ]),
        ('derived', 'The average order is worth 191.89 EUR.', [
            ('miscomputed derivation', '191.89', '198.19'),
        ]),
        ('derived', 'More than half of the revenue (51.8 %) comes from Weber.', [
            ('miscomputed derivation', '51.8 %', '58.1 %'),
            ('swapped entity', 'Weber', 'Rossi', '51.8 %'),
        ]),
        ('counted', 'The orders come from four customers.', [
            ('digit', 'four', '5'),
        ]),
        ('list or table', '1. Weber – 596.50 €\n2. Rossi – 326.65 €\n3. Novak – 130.00 €\n4. Dubois – 98.20 €', [
            ('digit', '326.65', '362.65'),
            ('swapped entity', 'Rossi – 326.65 €\n3. Novak – 130.00 €', 'Rossi – 130.00 €\n3. Novak – 326.65 €', ['130.00', '326.65']),
        ]),
    ],
}
