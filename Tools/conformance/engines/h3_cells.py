"""H3: a circle is the set of cells that its outline covers, and a fix is inside if its cell is in the set."""

import math

import h3
from sides import from_sides, refusal

TITLE = "H3"
CLAIMS = ["must/at-fixes", "must/worlds-at-fixes", "may/first-fix/enter-fixes", "may/first-fix/silent-fixes"]
COMMAND = "latlng_to_cell(fix) in geo_to_cells(outline of 64 points), at the coarsest resolution whose edges are at most a tenth of the radius"
CORNERS = 64


def version():
    return "%s, C library %s" % (h3.__version__, h3.versions()["c"])


def resolution(radius):
    return next((level for level in range(16) if h3.average_hexagon_edge_length(level, unit="m") <= radius / 10), 15)


def cells(place):
    """As users draw a circle: points at the radius on a sphere."""
    lat, lon, angle = math.radians(place["lat"]), math.radians(place["lon"]), place["radius"] / 6_371_008.8
    outline = []
    for corner in range(CORNERS):
        azimuth = 2 * math.pi * corner / CORNERS
        north = math.asin(math.sin(lat) * math.cos(angle) + math.cos(lat) * math.sin(angle) * math.cos(azimuth))
        east = lon + math.atan2(math.sin(azimuth) * math.sin(angle) * math.cos(lat), math.cos(angle) - math.sin(lat) * math.sin(north))
        outline.append((math.degrees(north), math.degrees(east)))
    return set(h3.polygon_to_cells(h3.LatLngPoly(outline), resolution(place["radius"])))


def events(case):
    if refused := refusal(case, ["initial"], test="fixes"):
        return refused
    sets = {place["id"]: cells(place) for place in case["places"]}
    return from_sides(case, lambda place, fix, _: h3.latlng_to_cell(fix["lat"], fix["lon"], resolution(place["radius"])) in sets[place["id"]])
