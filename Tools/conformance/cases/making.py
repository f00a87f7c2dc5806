"""What makers of cases share: geodesics of PyPI's geographiclib, the model in Tools/conformance/oracle, and the form of a case.

Nothing here comes from the product. A maker says by hand which events a case must have; the model has to find the same,
and adds where and when.
"""

import argparse
import importlib.machinery
import importlib.util
import json
import math
import os

from geographiclib.geodesic import Geodesic

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
loader = importlib.machinery.SourceFileLoader("oracle", os.path.join(TOOLS, "oracle"))
oracle = importlib.util.module_from_spec(importlib.util.spec_from_loader("oracle", loader))
loader.exec_module(oracle)

joined_forwards = oracle.is_joined
oracle.is_joined = lambda a, b, length, options: not runs_back(a, b) and joined_forwards(a, b, length, options)


def runs_back(a, b):
    """A path is not followed against time."""
    return None not in (a.time, b.time) and b.time < a.time


EARTH = Geodesic.WGS84
START = oracle.milliseconds("2026-03-04T09:00:00Z")
MINUTE = 60_000
SITES = {
    "quito": (-0.18, -78.47), "philadelphia": (39.9496, -75.1503), "sydney": (-33.8688, 151.2093),
    "tromso": (69.6492, 18.9553), "nairobi": (-1.2864, 36.8172), "ushuaia": (-54.8019, -68.303)}
AGREEMENT_METERS = 0.005
"""How far the model may be from a point that is known by construction: coordinates are rounded to 0.01 mm, and a path that
meets an edge at a flat angle multiplies that."""


# MARK: Geodesics


def meters(a, b):
    return EARTH.Inverse(a[0], a[1], b[0], b[1], Geodesic.DISTANCE)["s12"]


def go(start, azimuth, distance):
    """The point at a distance along a geodesic."""
    found = EARTH.Direct(start[0], start[1], azimuth, distance)
    return rounded((found["lat2"], found["lon2"]))


def rounded(at):
    lon = (at[1] + 180) % 360 - 180 if abs(at[1]) > 180 else at[1]
    return round(at[0], 10), round(lon, 10)


class Pass:
    """A geodesic that passes a centre at a known least distance.

    Its nearest point is reached from the centre at right angles to the path (Gauss's lemma), so the distance grows from there
    both ways, and the edge is met once on each side.
    """

    def __init__(self, centre, azimuth, least_meters):
        self.centre = centre
        found = EARTH.Direct(centre[0], centre[1], azimuth + 90, least_meters)
        self.foot = (found["lat2"], found["lon2"])
        self.azimuth = found["azi2"] - 90

    def at(self, along_meters):
        """A point so far behind (or before) the nearest one."""
        return go(self.foot, self.azimuth, along_meters)

    def edge(self, radius, way):
        """Where the edge is met behind the nearest point (way 1) or before it (-1), in metres along the path from it."""
        low, high = 0.0, 1.6 * radius
        while high - low > 1e-6:
            middle = (low + high) / 2
            found = EARTH.Direct(*self.foot, self.azimuth, way * middle)
            if meters(self.centre, (found["lat2"], found["lon2"])) <= radius:
                low = middle
            else:
                high = middle
        return way * low

    def chord(self, radius):
        """Where the edge is met, before and behind. On the ellipsoid both are not quite as far."""
        return [self.at(self.edge(radius, -1)), self.at(self.edge(radius, 1))]


# MARK: The parts of a case


def place(id, at, radius):
    return {"id": id, "lat": at[0], "lon": at[1], "radius": radius}


def fix(at, time, accuracy=None, segment=None):
    """A position; `time` in milliseconds since 1970, or None."""
    made = {} if time is None else {"time": instant(time)}
    made.update({"lat": at[0], "lon": at[1]})
    if accuracy is not None:
        made["accuracy"] = accuracy
    if segment is not None:
        made["segment"] = segment
    return made


def instant(time):
    """ISO 8601, with milliseconds where there are any."""
    return oracle.clock(time).replace(".000Z", "Z")


def timed(points, step=MINUTE, start=START):
    """Fixes at equal intervals."""
    return [fix(at, start + number * step) for number, at in enumerate(points)]


def timeless(points):
    return [fix(at, None) for at in points]


OPTIONS = {
    "limit": None, "significant_change": 500.0, "min_interval": 0.0, "rank": "center", "initial": "silent",
    "exit_margin": 0.0, "max_gap": math.inf, "max_speed": math.inf, "hold": 0.0, "confirm_fixes": None, "dwell": None,
    "test": "path", "accuracy": "ignore", "join_segments": False, "keep_null_island": True}
MEMBERS = {
    "regions": "limit", "significantChangeMeters": "significant_change", "minIntervalSeconds": "min_interval",
    "rank": "rank", "initial": "initial", "exitMarginMeters": "exit_margin", "maxGapSeconds": "max_gap",
    "maxSpeedMetersPerSecond": "max_speed", "holdSeconds": "hold", "confirmFixes": "confirm_fixes",
    "dwellSeconds": "dwell", "test": "test", "accuracy": "accuracy"}


def options_of(rule):
    options = argparse.Namespace(**OPTIONS)
    for member, name in MEMBERS.items():
        if member in rule:
            setattr(options, name, rule[member])
    options.has_stages = (options.hold > 0 or options.confirm_fixes is not None or options.dwell is not None
                          or options.test != "path")
    return options


def fixes_of(case):
    return [oracle.Fix(oracle.milliseconds(one.get("time")), one["lat"], one["lon"], 0, one.get("segment", 0),
                       one.get("accuracy", 0.0)) for one in case["fixes"]]


def places_of(case):
    return [oracle.Place(one["id"], one["id"], one["lat"], one["lon"], one["radius"]) for one in case["places"]]


def follow(places, path, rule):
    """The model's events for fixes that all count."""
    options = options_of(rule)
    model = oracle.Oracle(places, options, "case")
    events = list(model.events(path))
    return oracle.Stages(path, model.left, options).apply(events) if options.has_stages else events


def modelled(case):
    return [written(event, case["rule"]) for event in follow(places_of(case), fixes_of(case), case["rule"])
            if event["type"] != "refresh" or "regions" in case["rule"]]


def written(event, rule):
    """An event of the model as a case has it."""
    if event["type"] == "refresh":
        return {key: event[key] for key in ("type", "fix", "monitored", "added", "removed", "radius")}
    made = {"type": event["type"], "place": event["place"], "fix": event["fix"]}
    if rule.get("test") != "fixes":
        made["fraction"] = event["fraction"]
    if event["time"] is not None:
        made["time"] = event["time"].replace(".000Z", "Z")
    made.update({"lat": event["lat"], "lon": event["lon"]})
    if event.get("across"):
        made["across"] = event["across"]
    if event.get("crossed") and {"holdSeconds", "confirmFixes", "dwellSeconds"} & set(rule):
        made["crossed"] = event["crossed"].replace(".000Z", "Z")
    return made


# MARK: Cases


class Suite:
    """Cases by name, each checked as it is added."""

    def __init__(self):
        self.cases = {}

    def add(self, name, says, places, fixes, expect=None, rule=None, points=None, events=None, **more):
        """Adds a case.

        `expect` are its events in short, such as "enter a 1, exit a 2", written by hand; without them only the model knows
        the answer. `points` are the events' positions, known by construction. `events` replace the model's.
        """
        assert name not in self.cases, name
        case = {"case": name, "says": says, "known": "model" if expect is None else "construction",
                "rule": rule or {}, "places": places, "fixes": fixes}
        case.update({key: value for key, value in more.items() if key not in ("others", "order", "certificate", "mayMiss")})
        found = modelled(case) if events is None else events
        if expect is not None:
            wanted = [part.strip() for part in expect.split(",") if part.strip()]
            assert short(found) == wanted, (name, short(found), wanted)
        check_points(name, found, points)
        case["tolerance"] = tolerance(case, found)
        case.update({key: more[key] for key in ("order", "mayMiss", "certificate") if key in more})
        case["events"] = found
        if "others" in more:
            case["others"] = more["others"]
        self.cases[name] = case


def check_points(name, found, points):
    if points is None:
        return
    crossings = [event for event in found if event["type"] != "refresh"]
    assert len(points) == len(crossings), (name, len(points), len(crossings))
    for event, at in zip(crossings, points):
        apart = meters((event["lat"], event["lon"]), at)
        # Events are written with seven decimals, a centimetre.
        assert apart <= AGREEMENT_METERS + 0.01, (name, apart)


def short(events):
    return [" ".join(str(event[key]) for key in ("type", "place", "fix") if key in event) for event in events
            if event["type"] != "refresh"]


def tolerance(case, events):
    """A decimetre where segments are up to 10 km long, a metre up to 1,000 km, and ten beyond; in time what the path
    takes for that, and a millisecond."""
    steps = [(meters((a["lat"], a["lon"]), (b["lat"], b["lon"])), a, b) for a, b in zip(case["fixes"], case["fixes"][1:])]
    longest = max((step[0] for step in steps), default=0)
    allowed = 0.1 if longest <= 10_000 else 1 if longest <= 1_000_000 else 10
    longest_gap = 1000 * case["rule"].get("maxGapSeconds", math.inf)
    milliseconds = 1
    for number, (length, a, b) in enumerate(steps, 1):
        if length > 0 and a.get("time") and b.get("time") and has_crossing(case, events, number):
            took = abs(oracle.milliseconds(b["time"]) - oracle.milliseconds(a["time"]))
            if took <= longest_gap:
                milliseconds = max(milliseconds, 1 + math.ceil(min(1, allowed / length) * took))
    return {"meters": allowed, "milliseconds": milliseconds}


def has_crossing(case, events, number):
    """Whether an event may lie on the segment that ends at a fix. Those that are confirmed later, or have no number, may on any; where sides
    are judged at fixes, none does."""
    if case["rule"].get("test") == "fixes":
        return False
    if {"holdSeconds", "confirmFixes", "dwellSeconds"} & set(case["rule"]):
        return bool(events)
    return any(event.get("fix", number) == number for event in events if event["type"] != "refresh")


def text(case):
    """A case with a line for each place, fix and event."""
    lines = []
    for key, value in case.items():
        compact = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value:
            rows = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in value)
            compact = "[\n%s\n  ]" % rows
        lines.append('  "%s": %s' % (key, compact))
    return "{\n%s\n}\n" % ",\n".join(lines)
