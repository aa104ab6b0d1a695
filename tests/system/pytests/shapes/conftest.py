import pytest
from shapes_helper import Point


@pytest.fixture
def square():
    return [Point(0, 0), Point(2, 0), Point(2, 2), Point(0, 2)]


@pytest.fixture(params=[1, 3])
def factor(request):
    return request.param
