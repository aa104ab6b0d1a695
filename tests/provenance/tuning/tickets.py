{
    "domain": "customer support",
    "question": "What happened to support tickets in Q2 2024?",
    "cells": ['''
tickets = {
    "billing": {"opened": 312, "closed": 298, "hours": 6.4, "rating": 4.2},
    "login": {"opened": 541, "closed": 537, "hours": 1.9, "rating": 4.6},
    "shipping": {"opened": 427, "closed": 371, "hours": 21.7, "rating": 3.1},
    "returns": {"opened": 188, "closed": 171, "hours": 15.2, "rating": 3.4},
}
opened = sum(t["opened"] for t in tickets.values())
closed = sum(t["closed"] for t in tickets.values())
print(f"opened {opened}, closed {closed}, open {opened - closed}")
for topic, t in sorted(tickets.items(), key=lambda item: -item[1]["hours"]):
    print(f"{topic}: opened {t['opened']}, closed {t['closed']} ({t['closed'] / t['opened']:.1%}), {t['hours']} h, rating {t['rating']}")
''', '''
weighted = sum(t["hours"] * t["closed"] for t in tickets.values()) / closed
print(f"mean hours to close: {weighted:.2f}")
print(f"mean rating: {sum(t['rating'] for t in tickets.values()) / 4:.3f}")
''', '''
# 19 shipping tickets were duplicates
tickets["shipping"]["opened"] -= 19
opened = sum(t["opened"] for t in tickets.values())
print(f"opened {opened}, closed {closed}, open {opened - closed}")
print(f"shipping: closed {tickets['shipping']['closed'] / tickets['shipping']['opened']:.1%}")
'''],
    "answers": [
        ("plain", "In Q2 2024, 1,449 tickets were opened and 1,377 closed, so 72 are still open.", [
            ("stale value", "1,449 tickets", "1,468 tickets"),
            ("stale value", "72 are still open", "91 are still open", "91"),
            ("swapped entity", "1,449 tickets were opened and 1,377 closed", "1,377 tickets were opened and 1,449 closed", ["1,377", "1,449"])]),
        ("plain", "Shipping is the problem child: 21.7 h until a ticket is closed and a rating of 3.1.", [
            ("swapped entity", "Shipping is the problem child", "Billing is the problem child", ["21.7", "3.1"]),
            ("digit", "21.7 h", "27.1 h")]),
        ("percent", "With the duplicates gone, 90.9 % of the shipping tickets are closed.", [
            ("stale value", "90.9 %", "86.9 %"),
            ("digit", "90.9 %", "99.0 %")]),
        ("plain", "Login tickets are solved within 1.9 hours and 99.3 % of them are closed.", [
            ("swapped entity", "Login tickets", "Returns tickets", ["1.9", "99.3 %"]),
            ("wrong column", "within 1.9 hours", "within 4.6 hours", "4.6")]),
        ("derived", "95 % of all tickets have been closed.", [
            ("miscomputed derivation", "95 %", "92 %")]),
        ("plain", "It takes 9.86 hours on average to close a ticket; customers rate us 3.825.", [
            ("swapped entity", "It takes 9.86 hours on average to close a ticket; customers rate us 3.825", "It takes 3.825 hours on average to close a ticket; customers rate us 9.86", ["3.825", "9.86"]),
            ("invented", "9.86", "8.32")]),
    ],
}
