"""Shapely, with each circle as the center of an azimuthal equidistant projection of PROJ, in which it is buffer() of a point and the path
is straight between fixes. That is the careful way of its users; the careless one, degrees as meters, is worse everywhere."""


import pyproj
import shapely
from sides import crossing, from_sides, ordered, refusal

TITLE = "Shapely"
CLAIMS = ["must", "may/first-fix"]
COMMAND = "LineString(segment).intersection(Point(0, 0).buffer(radius)), projected by PROJ’s aeqd about each circle; contains() at fixes"


def version():
    return "%s, GEOS %s, PROJ %s" % (shapely.__version__, ".".join(map(str, shapely.geos_version)), pyproj.proj_version_str)


def projection(place):
    return pyproj.Proj(proj="aeqd", lat_0=place["lat"], lon_0=place["lon"], ellps="WGS84")


def events(case):
    if refused := refusal(case, ["initial"]):
        return refused
    if case["rule"].get("test") == "fixes":
        planes = {place["id"]: projection(place) for place in case["places"]}
        circles = {place["id"]: shapely.Point(0, 0).buffer(place["radius"]) for place in case["places"]}
        return from_sides(case, lambda place, fix, _: circles[place["id"]].covers(
            shapely.Point(planes[place["id"]](fix["lon"], fix["lat"]))))
    return ordered(event for place in case["places"] for event in along(place, case))


def along(place, case):
    fixes, plane, circle = case["fixes"], projection(place), shapely.Point(0, 0).buffer(place["radius"])
    points = [plane(fix["lon"], fix["lat"]) for fix in fixes]
    if fixes and case["rule"].get("initial") == "enter" and circle.covers(shapely.Point(points[0])):
        yield {"type": "enter", "place": place["id"], "fix": 0, "fraction": 1.0, "lat": fixes[0]["lat"], "lon": fixes[0]["lon"]}
    for number in range(1, len(points)):
        a, b = points[number - 1], points[number]
        if a == b:
            continue
        segment = shapely.LineString([a, b])
        inside = segment.intersection(circle)
        if inside.is_empty or inside.length == 0:
            continue
        ends = [shapely.Point(inside.coords[0]), shapely.Point(inside.coords[-1])]
        ends.sort(key=segment.project)
        for kind, end, stays in (("enter", ends[0], circle.covers(shapely.Point(a))), ("exit", ends[1], circle.covers(shapely.Point(b)))):
            if not stays:
                lon, lat = plane(end.x, end.y, inverse=True)
                yield crossing(kind, place["id"], number, segment.project(end) / segment.length, (lat, lon), fixes)
