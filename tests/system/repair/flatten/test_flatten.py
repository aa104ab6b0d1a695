from solution import flatten


def test_flat():
    assert flatten([1, 2]) == [1, 2]


def test_nested():
    assert flatten([1, [2, [3]]]) == [1, 2, 3]


def test_empty():
    assert flatten([[], []]) == []


def test_text():
    assert flatten(["ab", ["c"]]) == ["ab", "c"]
