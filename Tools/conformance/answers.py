"""Works out the answers of a case by the model of Tools/conformance/oracle, not by the product."""

import argparse
import itertools
import json
import math
import pathlib

from program import module

oracle = module(pathlib.Path(__file__).resolve().with_name("oracle"))
joined_forwards = oracle.is_joined
# A path is not followed against time.
oracle.is_joined = lambda a, b, length, options: not (
    None not in (a.time, b.time) and b.time < a.time) and joined_forwards(a, b, length, options)

# What a rule without members is set to.
OPEN = {"limit": None, "max_gap": math.inf, "max_speed": math.inf, "keep_null_island": True}
MEMBERS = {
    "regions": "limit", "significantChangeMeters": "significant_change", "minIntervalSeconds": "min_interval",
    "rank": "rank", "initial": "initial", "exitMarginMeters": "exit_margin", "maxGapSeconds": "max_gap",
    "maxSpeedMetersPerSecond": "max_speed", "holdSeconds": "hold", "confirmFixes": "confirm_fixes",
    "dwellSeconds": "dwell", "test": "test", "accuracy": "accuracy"}
STAGED = {"holdSeconds", "confirmFixes", "dwellSeconds"}
# An engine must certify where the next edge stays this far away.
SAFE_METERS = 1.0
# Edges this close to a point of the path are met there; events are written to a centimeter.
SAME_METERS = 0.021


# MARK: The model

def options_of(rule):
    values = OPEN | {MEMBERS[member]: rule[member] for member in MEMBERS if member in rule}
    return oracle.completed(oracle.options_parser().parse_args([], argparse.Namespace(**values)))


def fixes_of(case):
    return [oracle.Fix(oracle.milliseconds(one.get("time")), one["lat"], one["lon"], 0,
                       one.get("segment", 0), one.get("accuracy", 0.0)) for one in case["fixes"]]


def circle(one):
    return oracle.Place(one["id"], one["id"], one["lat"], one["lon"], one["radius"])


def follow(places, path, rule):
    """The model's events for fixes that all count."""
    options = options_of(rule)
    model = oracle.Oracle(places, options, "case")
    events = list(model.events(path))
    return oracle.Stages(path, model.left, options).apply(events) if options.has_stages else events


def modeled(case, rule, path=None):
    """The events of a case as its file has them."""
    path = fixes_of(case) if path is None else path
    found = follow(list(map(circle, case["places"])), path, rule)
    return [written(event, rule) for event in found if event["type"] != "refresh" or "regions" in rule]


def written(event, rule):
    """An event of the model as a case has it."""
    if event["type"] == "refresh":
        return {key: event[key] for key in ("type", "fix", "monitored", "added", "removed", "radius")}
    names = ["type", "place", "fix", "time", "lat", "lon", "across", "crossed"]
    if rule.get("test") != "fixes":
        names.insert(3, "fraction")
    if not STAGED & set(rule):
        names.remove("crossed")
    made = {name: event[name] for name in names if event.get(name) is not None}
    return made | {name: made[name].replace(".000Z", "Z") for name in ("time", "crossed") if name in made}


# MARK: Places that change

def versions(case):
    """Each circle with the first and the last fix between which it exists."""
    current = {one["id"]: (one, 0) for one in case["places"]}
    for edit in case["edits"]:
        at = edit["afterFix"]
        for one in [{"id": id} for id in edit.get("remove", [])] + edit.get("set", []):
            before, since = current.pop(one["id"], (None, at))
            is_same = before == one
            if before and not is_same:
                yield before, since, at
            if "lat" in one:
                current[one["id"]] = one, since if is_same else at
    yield from ((one, since, len(case["fixes"]) - 1) for one, since in current.values())


def edited(case, enters_when_there=False, exits_when_gone=False):
    """Events of every version by itself, in the path's order. Other engines report that an edit changes on
    which side the device is."""
    fixes, found, every = fixes_of(case), [], list(versions(case))

    def contained(id, number, side):
        """Whether the version that starts (1) or ends (2) at a fix contains it."""
        return any(one[0]["id"] == id and one[side] == number
                   and circle(one[0]).depth_meters(fixes[number].at) <= 0 for one in every)

    def at_fix(kind, one, number):
        lat, lon = fixes[number].at
        return {"type": kind, "place": one["id"], "fix": number, "fraction": 1.0,
                "time": oracle.clock(fixes[number].time), "lat": round(lat, 7), "lon": round(lon, 7)}

    for one, since, until in every:
        id, events = one["id"], []
        if enters_when_there and since > 0 and contained(id, since, 1) and not contained(id, since, 2):
            events.append(at_fix("enter", one, since))
        for event in follow([circle(one)], fixes[since:until + 1], case["rule"]):
            if event["type"] != "refresh":
                events.append({**event, "fix": event["fix"] + since})
        is_last = until == len(fixes) - 1
        if exits_when_gone and not is_last and contained(id, until, 2) and not contained(id, until, 1):
            events.append(at_fix("exit", one, until))
        found += events
    order = sorted(found, key=lambda event: (event["fix"], event["fraction"], event["place"]))
    return [written(event, case["rule"]) for event in order]


def edit_answers(case):
    yield None, edited(case)
    there, gone = {"enters_when_there": True}, {"exits_when_gone": True}
    yield "a circle that an edit puts around the device is entered at once", edited(case, **there)
    yield "a circle that an edit takes from around the device is left at once", edited(case, **gone)
    yield "both", edited(case, **there, **gone)


# MARK: Ties, and times that lie

def tie_answers(case):
    """Events at one point: by the place's id, as the places were given, or against either."""
    events = modeled(case, case["rule"])
    names, half = [one["id"] for one in case["places"]], len(events) // 2

    def ordered(key):
        return [one for part in (events[:half], events[half:])
                for one in sorted(part, key=lambda event: key(event["place"]))]

    yield None, events
    yield "in the order in which the places were given", ordered(names.index)
    yield "against the order in which the places were given", ordered(lambda name: -names.index(name))
    yield "by id, capitals and small letters alike", ordered(str.lower)


def time_answers(case):
    """The documented rule's answer, and those of other sound rules. Events have no `fix`, because engines
    number the fixes that they keep."""
    rule, fixes = case["rule"], fixes_of(case)
    in_order = sorted(fixes, key=lambda one: one.time or 0)
    newest = itertools.accumulate((-math.inf if one.time is None else one.time for one in fixes), max)
    forwards = [one for one, latest in zip(fixes, newest) if one.time is None or one.time == latest]
    kept = in_order if "reorderSeconds" in rule else list(oracle.accepted(fixes, options_of(rule), []))
    for says, path in ((None, kept),
                       ("every fix older than the newest before it is dropped", forwards),
                       ("the fixes are sorted by their times", in_order),
                       ("the fixes are taken as they come", fixes)):
        yield says, [{key: value for key, value in event.items() if key not in ("fix", "fraction")}
                     for event in modeled(case, rule, path)]


# MARK: The certificate

def next_edge_meters(places, at, regions, slack):
    """How far the nearest edge is that the regions leave out, if they go to the nearest edges. From chords,
    which are never longer than the distance, unless that might be too close."""
    here = oracle.earth_centered(*at)
    rough = sorted(math.dist(here, one.xyz) - one.radius for one in places)
    if len(rough) <= regions:
        return math.inf
    if rough[regions] > slack:
        return rough[regions]
    return sorted(abs(one.depth_meters(at)) for one in places)[regions]


def closest_unmonitored_meters(case, step):
    """A lower bound along the path, which is walked in small steps. A distance changes by no more than the
    path is long, so between two steps the edge cannot come closer than half a step."""
    places, fixes, least = list(map(circle, case["places"])), fixes_of(case), math.inf
    for a, b in zip(fixes, fixes[1:]):
        segment = oracle.Segment(a, b)
        count = max(1, math.ceil(segment.length / step))
        for number in range(count + 1):
            gap = next_edge_meters(places, segment.at(number / count), case["rule"]["regions"], 100)
            least = min(least, gap - segment.length / count / 2)
    return least


def certified_answers(case):
    """The events of all places, and whether an engine with so many regions can be certain of them. It may
    renew its set at any point of the path, so it misses nothing exactly where at most so many edges are at
    one point."""
    rule, wanted = case["rule"], case["certificate"]
    events = modeled(case, {member: value for member, value in rule.items() if member not in (
        "regions", "refresh", "trustAccuracy")})
    accuracies = [one.get("accuracy", 0) for one in case["fixes"] if "trustAccuracy" in rule]
    inexact, found = 2 * max(accuracies, default=0), {"certified": wanted["certified"]}
    if wanted["certified"]:
        is_so = closest_unmonitored_meters(case, 5.0) > inexact + SAFE_METERS
    elif inexact:
        is_so = closest_unmonitored_meters(case, 1.0) + 1 < inexact / 2
    else:
        crowded = [event["time"] for event in events if rule["regions"] < sum(
            abs(circle(one).depth_meters((event["lat"], event["lon"]))) <= SAME_METERS
            for one in case["places"])]
        found["at"], is_so = list(dict.fromkeys(crowded)), bool(crowded)
    if not is_so:
        found["certified"] = not wanted["certified"]
    return found, events


# MARK: A case

def tolerance(case, events):
    """How far an event may be off: a decimeter where segments are up to 10 km long, a meter up to
    1,000 km, ten beyond; in time what the path takes for that, and a millisecond."""
    fixes, allowed, milliseconds = fixes_of(case), 0.1, 1
    steps = [(oracle.distance_meters(a.at, b.at), a.time, b.time) for a, b in zip(fixes, fixes[1:])]
    longest = max((length for length, *_ in steps), default=0)
    if longest > 10_000:
        allowed = 1 if longest <= 1_000_000 else 10
    for number, (length, start, end) in enumerate(steps, 1):
        if length > 0 and None not in (start, end) and may_have_event(case, events, number):
            took = abs(end - start)
            if took <= 1000 * case["rule"].get("maxGapSeconds", math.inf):
                milliseconds = max(milliseconds, 1 + math.ceil(min(1, allowed / length) * took))
    return {"meters": allowed, "milliseconds": milliseconds}


def may_have_event(case, events, number):
    """Whether an event may lie on the segment that ends at a fix. Those that are confirmed later, or have no
    number, may on any; where sides are judged at fixes, none does."""
    if case["rule"].get("test") == "fixes":
        return False
    if STAGED & set(case["rule"]):
        return bool(events)
    return any(event.get("fix", number) == number for event in events if event["type"] != "refresh")


def answered(case):
    """A case of `must` or `may` with its answers, whatever answers it had."""
    group, certificate = case["case"].split("/")[1], {}
    if "certificate" in case:
        found, events = certified_answers(case)
        certificate = ({} if found["certified"] else {"mayMiss": True}) | {"certificate": found}
        answers = [(None, events)]
    elif "edits" in case:
        answers = edit_answers(case)
    elif group in ("wrong-times", "shuffled"):
        answers = time_answers(case)
    elif case.get("order") == "exact":
        answers = tie_answers(case)
    else:
        answers = [(None, modeled(case, case["rule"]))]
    (_, events), *others = answers
    different = []
    for says, other in others:
        if other not in (events, *(one["events"] for one in different)):
            different.append({"says": says, "events": other})
    question = {key: case[key] for key in ("case", "says", "known", "rule", "places", "fixes",
                                           "edits") if key in case}
    return question | {
        "tolerance": tolerance(case, events),
        **{key: case[key] for key in ("order",) if key in case}, **certificate,
        "events": events, **({"others": different} if different else {})}


def short(case):
    """The events of a case in a few words each."""
    return [" ".join(str(event[key]) for key in ("type", "place", "fix") if key in event)
            for event in case["events"] if event["type"] != "refresh"]


def text(case):
    """A case with a line for each place, fix and event."""
    def written(value):
        if isinstance(value, list) and value:
            return "[\n%s\n  ]" % ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in value)
        return json.dumps(value, ensure_ascii=False)

    return "{\n%s\n}\n" % ",\n".join('  "%s": %s' % (key, written(value)) for key, value in case.items())
