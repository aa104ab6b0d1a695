class NoPolygon(ValueError): pass
class Polygon:
    def __init__(self, points):
        if len(points) < 3: raise NoPolygon("at least three points")
        self.points = points
    def area(self):
        p = self.points
        return abs(sum(a.x * b.y - b.x * a.y for a, b in zip(p, p[1:] + p[:1]))) / 2
def mirror(points):
    points[:] = [p._replace(x=-p.x) for p in points]
