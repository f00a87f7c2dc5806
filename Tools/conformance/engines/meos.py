"""MEOS, the library behind MobilityDB: when a moving point is within a distance of the center. That is defined for planar points only, so each
circle is the center of an azimuthal equidistant projection of PROJ."""

import datetime

import pymeos
import pymeos_cffi
import pyproj
from sides import PLANAR, crossing, ordered, refusal

TITLE = "MEOS"
CLAIMS = sorted([*PLANAR, "must/poles"])
COMMAND = "tdwithin_tgeo_geo(tgeompoint, center, radius), projected by PROJ’s aeqd about each circle"
pymeos.pymeos_initialize()


def version():
    return "PyMEOS %s" % pymeos.__version__


def events(case):
    if refused := refusal(case, test="path", timeless="no temporal point without times"):
        return refused
    fixes = case["fixes"]
    if len(fixes) < 2:
        return []
    times = [datetime.datetime.fromisoformat(fix["time"]) for fix in fixes]
    return ordered(event for place in case["places"] for event in within(place, fixes, times))


def within(place, fixes, times):
    plane = pyproj.Proj(proj="aeqd", lat_0=place["lat"], lon_0=place["lon"], ellps="WGS84")
    points = [plane(fix["lon"], fix["lat"]) for fix in fixes]
    text = "[%s]" % ", ".join("Point(%r %r)@%s" % (*point, time.isoformat()) for point, time in zip(points, times))
    moving = pymeos.TGeomPointSeq(string=text)
    center = pymeos_cffi.geom_in("Point(0 0)", -1)
    near = pymeos.TBool._factory(pymeos_cffi.tdwithin_tgeo_geo(moving._inner, center, float(place["radius"]), False, False))
    spans = near.when_true()
    for span in spans.spans() if hasattr(spans, "spans") else ([] if spans is None else [spans]):
        for kind, time, limit in (("enter", span.lower(), times[0]), ("exit", span.upper(), times[-1])):
            if time != limit and span.lower() != span.upper():
                number = next(index for index in range(1, len(times)) if times[index] >= time)
                fraction = (time - times[number - 1]) / (times[number] - times[number - 1])
                a, b = points[number - 1], points[number]
                lon, lat = plane(a[0] + fraction * (b[0] - a[0]), a[1] + fraction * (b[1] - a[1]), inverse=True)
                yield crossing(kind, place["id"], number, fraction, (lat, lon), fixes)
