{
    "domain": "logistics",
    "question": "Plan tomorrow's shuttles from our depot: 7 destinations, 24 pallets per truck, 1.34 EUR/km out and back. How many trucks, what does it cost, where is the load factor bad? We normally get by with 10 trucks.",
    "cells": [
r"""import json
CAP = 24  # pallets per truck
orders = {"Hamburg": 61, "Bremen": 22, "Rostock": 17, "Kiel": 30, "Leipzig": 44, "Dresden": 25, "Erfurt": 9}
km = {"Hamburg": 288, "Bremen": 391, "Rostock": 229, "Kiel": 372, "Leipzig": 190, "Dresden": 193, "Erfurt": 303}   # one way from the depot
rate = 1.34  # EUR per km
plan = []
for city, pallets in orders.items():
    trucks = -(-pallets // CAP)
    plan.append(dict(city=city, pallets=pallets, trucks=trucks, fill=round(pallets / (trucks * CAP), 3), cost=round(trucks * 2 * km[city] * rate, 2)))
print(json.dumps(plan, indent=1))""",
r"""tp = sum(p["pallets"] for p in plan); tt = sum(p["trucks"] for p in plan)
print("pallets", tp, "trucks", tt, "fill", round(tp / (tt * CAP), 4), "cost", round(sum(p["cost"] for p in plan), 2))
print("km driven", sum(p["trucks"] * 2 * km[p["city"]] for p in plan))""",
r"""# combine Dresden's and Leipzig's rest loads on one tour: depot -> Leipzig (190) -> Dresden (117) -> depot (193)
rest = orders["Leipzig"] % CAP + orders["Dresden"] % CAP
tour_km = 190 + 117 + 193
old = 2 * km["Leipzig"] + 2 * km["Dresden"]
print(rest, "pallets on the shared truck;", tour_km, "km instead of", old, "-> saves", round((old - tour_km) * rate, 2), "EUR and one truck")"""],
    "answers": [
        ("summary of an analysis", "You need 12 trucks for the 208 pallets. They will drive 6,594 km and cost €8,835.96; taken together, 72.2% of the truck space is used.", [
            ("question number given as result", "You need 12 trucks", "You need 10 trucks", "10"),
            ("digit", "€8,835.96", "€8,385.96", "8,385.96"),
            ("wrong statistic", "72.2%", "70.1%"),
        ]),
        ("list or table", "Poorly filled tours:\n- **Erfurt**: 9 pallets, 37.5% full, €812.04\n- **Dresden**: 25 pallets on 2 trucks, 52.1% full, €1,034.48\n- **Kiel**: 30 pallets on 2 trucks, 62.5% full, €1,993.92", [
            ("swapped entity", "62.5% full", "70.8% full", "70.8%"),
            ("swapped entity", "€1,034.48", "€1,018.40", "1,018.40"),
            ("digit", "€812.04", "€821.04", "821.04"),
        ]),
        ("derived", "Combining the leftovers of Leipzig and Dresden puts 21 pallets on one truck and replaces 766 km by 500 km. That saves €356.44, about 4% of the total, and brings you down to 11 trucks at €8,479.52.", [
            ("stale value", "down to 11 trucks at €8,479.52", "down to 11 trucks at €8,835.96", "8,835.96"),
            ("miscomputed derivation", "about 4%", "about 14%", "14%"),
            ("wrong column", "€356.44", "€266.00", "266.00"),
        ]),
        ("units or currency", "Erfurt is by far the most expensive destination per pallet, at €90.23; Leipzig is the cheapest at €23.15, so Erfurt costs 3.9 times as much.", [
            ("swapped entity", "at €23.15", "at €36.10", "36.10"),
            ("miscomputed derivation", "3.9 times", "4.9 times", "4.9"),
        ]),
        ("counted", "Hamburg alone takes 3 of the 12 trucks and €2,315.52, roughly 26% of the cost; Hamburg and Kiel together come to nearly half of it.", [
            ("miscomputed derivation", "roughly 26%", "roughly 36%", "36%"),
            ("swapped entity", "€2,315.52", "€1,993.92", "1,993.92"),
        ]),
        ("derived", "The 12 trucks could carry 288 pallets, so 80 places remain empty, 15 of them on the Erfurt truck.", [
            ("miscomputed derivation", "so 80 places", "so 90 places", "90"),
            ("number of something else", "15 of them", "11 of them", "11"),
        ]),
    ],
}
