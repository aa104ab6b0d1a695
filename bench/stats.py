"""Medians, quantiles, bootstrap intervals. Samples come in rounds, and rounds are what is drawn again: neighbours
in time resemble each other, so single samples would promise more than is known."""
import random
import statistics

CONFIDENCE = 0.95


def flat(rounds):
    return [value for one in rounds for value in one]


def median(rounds):
    return statistics.median(flat(rounds))


def quantile(rounds, q):
    values = sorted(flat(rounds))
    return values[min(len(values) - 1, int(q * len(values)))]


def interval(values):
    values = sorted(values)
    cut = int(len(values) * (1 - CONFIDENCE) / 2)
    return values[cut], values[-1 - cut]


def bootstrap(*subjects, draws=400, seed=7):
    """For each subject (a list of rounds) the interval of its median; then that of the first's ratio to the second.

    The same rounds are drawn for all subjects: what slowed one down then slowed the others down too."""
    chance = random.Random(seed)
    length = max(map(len, subjects))
    medians = [[] for _ in subjects]
    for _ in range(draws):
        drawn = [chance.randrange(length) for _ in range(length)]
        for found, rounds in zip(medians, subjects):
            found.append(statistics.median(resample([rounds[i % len(rounds)] for i in drawn], chance)))
    out = [interval(found) for found in medians]
    if len(subjects) > 1:
        out.append(interval([a / b for a, b in zip(medians[0], medians[1])]))
    return out


def resample(rounds, chance):
    """Few rounds vary too little among themselves, so each is drawn from as well."""
    return [value for one in rounds for value in chance.choices(one, k=min(len(one), 60))]
