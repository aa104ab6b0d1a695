{
    "domain": "network analysis",
    "question": "Bus depot network: shortest driving times from Central to everything, and which link hurts most if it's closed? Edges with minutes are in the list.",
    "cells": [r"""
import heapq
from collections import defaultdict

edges = [("Central", "Harbour", 7), ("Central", "Market", 4), ("Market", "Harbour", 5), ("Market", "Univ", 6),
         ("Univ", "Airport", 14), ("Harbour", "Docks", 3), ("Docks", "Airport", 17), ("Univ", "Hospital", 5),
         ("Hospital", "Northgate", 8), ("Northgate", "Airport", 11), ("Central", "Stadium", 9), ("Stadium", "Northgate", 10)]

def graph(edges):
    g = defaultdict(dict)
    for a, b, w in edges:
        g[a][b] = w
        g[b][a] = w
    return g

def dijkstra(g, src):
    dist, prev, pq = {src: 0}, {}, [(0, src)]
    while pq:
        d, u = heapq.heappop(pq)
        if d > dist[u]:
            continue
        for v, w in g[u].items():
            if d + w < dist.get(v, 1e9):
                dist[v], prev[v] = d + w, u
                heapq.heappush(pq, (d + w, v))
    return dist, prev

g = graph(edges)
dist, prev = dijkstra(g, "Central")
print(len(g), "stops,", len(edges), "links,", sum(w for *_, w in edges), "minutes of road in total")
print(dist)
""", r"""
def path(v):
    out = [v]
    while v in prev:
        v = prev[v]
        out.append(v)
    return " > ".join(reversed(out))

for stop, d in sorted(dist.items(), key=lambda kv: kv[1]):
    print(f"{d:3d} min  {path(stop)}")
print("degree:", {k: len(v) for k, v in g.items()})
""", r"""
def total_pairs(edges):
    g = graph(edges)
    return sum(sum(dijkstra(g, s)[0].values()) for s in g) // 2

base = total_pairs(edges)
stops = len(g)
pairs = stops * (stops - 1) // 2
print("all pairs:", pairs, "sum of shortest times:", base, "average:", round(base / pairs, 2))
impact = []
for e in edges:
    rest = [x for x in edges if x != e]
    impact.append((total_pairs(rest) - base, e[0] + "-" + e[1]))
impact.sort(reverse=True)
impact
"""],
    "answers": [
        ("summary of an analysis", "From Central, Market is closest at 4 minutes and the Airport farthest at 24 minutes (via Market and Univ). Closing **Market–Univ** hurts most: it adds 178 minutes over all 36 pairs of stops, ahead of Harbour–Docks with 158.", [
            ("swapped entity", "farthest at 24 minutes", "farthest at 19 minutes", "19"),
            ("digit", "178 minutes", "187 minutes", "187"),
            ("digit", "all 36 pairs", "all 72 pairs", "72"),
            ("swapped entity", "with 158", "with 114", "114"),
        ]),
        ("list or table", "Driving times from Central:\n- Market: 4 min\n- Harbour: 7 min\n- Stadium: 9 min\n- Univ and Docks: 10 min each\n- Hospital: 15 min\n- Northgate: 19 min\n- Airport: 24 min", [
            ("swapped entity", "Harbour: 7 min", "Harbour: 5 min"),
            ("digit", "Hospital: 15 min", "Hospital: 16 min", "16"),
            ("miscomputed derivation", "Northgate: 19 min", "Northgate: 23 min", "23"),
        ]),
        ("percent", "If the Market–Univ link is closed, the sum of shortest times goes from 504 to 682 minutes, an increase of about 35%. The average trip then takes 18.9 minutes instead of 14.0.", [
            ("miscomputed derivation", "682", "672"),
            ("miscomputed derivation", "about 35%", "about 26%", "26%"),
            ("miscomputed derivation", "18.9", "19.8"),
        ]),
        ("counted", "The network has 9 stops and 12 links with 99 minutes of road altogether. Six stops have three connections each; Docks, Hospital and Stadium have only 2.", [
            ("swapped entity", "9 stops and 12 links", "12 stops and 9 links", ["12 stops", "9 links"]),
            ("digit", "99 minutes", "89 minutes", "89"),
        ]),
        ("plain", "The least critical link is Central–Harbour: without it the total only grows by 8 minutes, because the detour over Market takes 9 minutes instead of 7.", [
            ("swapped entity", "by 8 minutes", "by 16 minutes", "16"),
            ("miscomputed derivation", "takes 9 minutes", "takes 11 minutes", "11"),
        ]),
        ("derived", "Averaged over the eight other stops, a trip from Central takes 12.25 minutes. The Airport is 5 minutes farther than Northgate.", [
            ("miscomputed derivation", "12.25 minutes", "10.9 minutes", "10.9"),
            ("miscomputed derivation", "is 5 minutes", "is 9 minutes", "9"),
            ("number of something else", "12.25 minutes", "14.0 minutes", "14.0"),
        ]),
    ],
}
