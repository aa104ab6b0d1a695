import json


def judge(answer):
    """Tours of all five stops, the shorter the better; 9 is as short as it gets."""
    tour = json.loads(answer)
    return sorted(tour) == [0, 2, 4, 7, 9] and 9 / sum(abs(a - b) for a, b in zip(tour, tour[1:]))
