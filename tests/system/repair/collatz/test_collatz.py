from solution import steps


def test_one():
    assert steps(1) == 0


def test_six():
    assert steps(6) == 8


def test_seven():
    assert steps(7) == 16


def test_big():
    assert steps(27) == 111
