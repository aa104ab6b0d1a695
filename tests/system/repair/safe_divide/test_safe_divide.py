from solution import safe_divide


def test_zero():
    assert safe_divide(1, 0) is None


def test_plain():
    assert safe_divide(6, 3) == 2


def test_negative():
    assert safe_divide(-6, 3) == -2


def test_zero_by_zero():
    assert safe_divide(0, 0) is None
