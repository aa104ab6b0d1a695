from solution import count


def test_empty():
    assert count("") == {}


def test_two():
    assert count("a b a") == {"a": 2, "b": 1}


def test_case():
    assert count("A a") == {"a": 2}


def test_blanks():
    assert count(" x  x ") == {"x": 2}
