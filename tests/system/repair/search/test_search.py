from solution import search


def test_first():
    assert search([1, 3, 5], 1) == 0


def test_last():
    assert search([1, 3, 5], 5) == 2


def test_missing():
    assert search([1, 3, 5], 4) == -1


def test_empty():
    assert search([], 4) == -1
