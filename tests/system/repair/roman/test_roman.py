from solution import roman


def test_six():
    assert roman(6) == "VI"


def test_four():
    assert roman(4) == "IV"


def test_ninety():
    assert roman(90) == "XC"


def test_year():
    assert roman(1994) == "MCMXCIV"
