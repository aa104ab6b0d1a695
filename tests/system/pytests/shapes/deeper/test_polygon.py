import pytest
import solution


class TestPolygon:
    def test_area(self, square, factor):
        bigger = [p._replace(x=p.x * factor, y=p.y * factor) for p in square]
        assert solution.Polygon(bigger).area() == pytest.approx(4 * factor ** 2)

    def test_too_few_points(self, square):
        with pytest.raises(solution.NoPolygon, match="three"):
            solution.Polygon(square[:2])

    @pytest.mark.skipif(True, reason="not here")
    def test_skipped(self):
        assert False


def test_in_place(square, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    points = list(square)
    solution.mirror(points)
    assert points[1].x == -2
