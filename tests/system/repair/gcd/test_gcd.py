from solution import gcd


def test_coprime():
    assert gcd(9, 4) == 1


def test_common():
    assert gcd(12, 18) == 6


def test_zero():
    assert gcd(5, 0) == 5


def test_large():
    assert gcd(1071, 462) == 21
