from solution import median


def test_even():
    assert median([4, 1, 3, 2]) == 2.5


def test_odd():
    assert median([3, 1, 2]) == 2


def test_one():
    assert median([7]) == 7


def test_pair():
    assert median([10, 20]) == 15
