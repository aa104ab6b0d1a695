{
    "domain": "kmeans",
    "question": "Cluster the customers into 3 groups.",
    "cells": ['''
import numpy as np
rng = np.random.default_rng(47)
X = np.vstack([rng.normal([22, 310], [4, 60], (60, 2)), rng.normal([45, 1250], [6, 210], (45, 2)), rng.normal([61, 640], [5, 120], (35, 2))])
Z = (X - X.mean(0)) / X.std(0)
c = Z[[0, 70, 120]]
for it in range(50):
    lab = ((Z[:, None] - c)**2).sum(2).argmin(1)
    new = np.array([Z[lab==k].mean(0) for k in range(3)])
    if np.allclose(new, c): break
    c = new
inertia = ((Z - c[lab])**2).sum()
print("iterations:", it, "inertia:", round(inertia, 2))
for k in range(3):
    print(f"cluster {k}: {np.sum(lab==k)} customers, mean age {X[lab==k,0].mean():.1f}, mean spend {X[lab==k,1].mean():.0f}")
'''],
    "answers": [
        ("summary of an analysis", "The three clusters have 60, 43 and 37 customers. Cluster 1 spends most (1,299 on average) and is 43.6 years old; the oldest group, cluster 2 with a mean age of 59.5, spends 638, and the young cluster 0 only 311.", [
            ("swapped entity", "cluster 2 with a mean age of 59.5, spends 638", "cluster 2 with a mean age of 59.5, spends 311", "spends 311"),
            ("wrong column", "is 43.6 years", "is 59.5 years", "59.5 years"),
            ("digit", "1,299", "1,229")]),
        ("constants of a method", "k-means with k = 3 on standardised data converged after 2 iterations (inertia 23.22).", [
            ("digit", "2 iterations", "9 iterations", "9"),
            ("digit", "23.22", "32.22")]),
        ("derived", "140 customers were clustered.", [
            ("miscomputed derivation", "140", "150")]),
        ("derived", "Cluster 1 spends about four times as much as cluster 0.", []),
        ("percent", "The largest cluster holds 42.9 % of the customers.", [
            ("miscomputed derivation", "42.9 %", "40.9 %")]),
    ],
}
