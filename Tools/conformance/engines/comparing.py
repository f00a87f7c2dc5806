"""What an engine's answer to a case is worth."""

import datetime
import math

from geographiclib.geodesic import Geodesic

EARTH = Geodesic.WGS84
CROSSINGS = ("enter", "exit", "dwell")
instant = datetime.datetime.fromisoformat


class Verdict:
    """pass, near (the right events, but farther off than the tolerance), fail, unsupported or error; and why."""

    def __init__(self, kind, why="", meters=0.0, milliseconds=0.0):
        self.kind, self.why, self.meters, self.milliseconds = kind, why, meters, milliseconds


def judge(case, answer):
    """Compares what an engine wrote, a list of objects, with what a case expects."""
    for line in answer:
        if "unsupported" in line:
            return Verdict("unsupported", line["unsupported"])
    first = compare(case, case["events"], answer)
    if first.kind == "pass":
        return first
    for other in case.get("others", []):
        verdict = compare(case, other["events"], answer)
        if verdict.kind == "pass":
            verdict.why = "another answer: " + other["says"]
            return verdict
    return first


def compare(case, expected, answer):
    wanted = [event for event in expected if event["type"] in CROSSINGS]
    found = [event for event in answer if event.get("type") in CROSSINGS]
    try:
        pairs, fault = pair(wanted, found, case.get("mayMiss", False))
        fault = fault or disorder(case, pairs) or refreshes(expected, answer) or certificate(case, answer)
        return Verdict("fail", fault) if fault else distances(case, pairs)
    except (KeyError, TypeError, ValueError) as error:
        return Verdict("error", "the answer cannot be read: %r" % error)


def named(event):
    return " ".join(str(event[key]) for key in ("type", "place", "fix") if key in event)


def pair(wanted, found, may_miss):
    """Pairs of an event found and the one wanted, place by place in order; or a sentence."""
    pairs = []
    for place in sorted({event["place"] for event in wanted} | {event["place"] for event in found}):
        mine = [event for event in found if event["place"] == place]
        theirs = [event for event in wanted if event["place"] == place]
        if may_miss:
            theirs = chosen(theirs, mine)
        if len(mine) != len(theirs) or not all(map(alike, mine, theirs)):
            return [], "%s instead of %s" % (listed(mine), listed(theirs))
        pairs += zip(mine, theirs)
    order = {id(event): number for number, event in enumerate(found)}
    return sorted(pairs, key=lambda one: order[id(one[0])]), None


def alike(one, other):
    """The same type at the same fix. An event without a number of a fix is placed by its time or position alone."""
    return one["type"] == other["type"] and ("fix" not in one or "fix" not in other or one["fix"] == other["fix"])


def chosen(theirs, mine):
    """Those of the events wanted that were found, in order."""
    rest = list(mine)
    return [event for event in theirs if rest and alike(rest[0], event) and rest.pop(0)]


def listed(events):
    texts = [named(event) for event in events]
    return "nothing" if not texts else ", ".join(texts[:4]) + (" and %d more" % (len(texts) - 4) if len(texts) > 4 else "")


def disorder(case, pairs):
    """A sentence where events come in another order than along the path. At one point any order will do, unless the case says otherwise; and
    an engine that is off by more than two events are apart has its distance counted against it, not their order too."""
    rank = {id(event): number for number, event in enumerate(case["events"])}
    for (one, before), (other, after) in zip(pairs, pairs[1:]):
        if rank.get(id(before), 0) > rank.get(id(after), 0):
            blur = astray(one, before) + astray(other, after)
            if case.get("order") == "exact" or not same_point(case, before, after, blur):
                return "%s comes before %s" % (named(before), named(after))
    return None


def astray(found, wanted):
    return apart(found, wanted) if found.get("lat") is not None and "lat" in wanted else 0.0


def same_point(case, one, other, blur):
    is_near = "lat" not in one or "lat" not in other or (
        apart(one, other) <= case.get("tolerance", {"meters": 0.1})["meters"] + blur)
    return is_near and one.get("fix") == other.get("fix")


def apart(one, other):
    return EARTH.Inverse(one["lat"], one["lon"], other["lat"], other["lon"], Geodesic.DISTANCE)["s12"]


def distances(case, pairs):
    """How far the events are from where and when they should be. At a fix there is nothing to measure."""
    if case["rule"].get("test") == "fixes" or "profile" in case["rule"]:
        return Verdict("pass")
    meters = milliseconds = 0.0
    for found, wanted in pairs:
        if wanted.get("fraction") == 1 and found.get("fix") == wanted.get("fix"):
            continue
        if found.get("lat") is None and found.get("time") is None:
            return Verdict("near", "says neither where nor when", math.inf, math.inf)
        if found.get("lat") is not None:
            meters = max(meters, apart(found, wanted))
        for key in ("time", "crossed"):
            if found.get(key) is not None and wanted.get(key) is not None:
                milliseconds = max(milliseconds, abs((instant(found[key]) - instant(wanted[key])).total_seconds()) * 1000)
    allowed = case["tolerance"]
    if meters > allowed["meters"] or milliseconds > allowed["milliseconds"] + 0.001:
        return Verdict("near", "off by %.3g m and %.3g s" % (meters, milliseconds / 1000), meters, milliseconds)
    return Verdict("pass", "", meters, milliseconds)


def refreshes(expected, answer):
    """Of an engine that writes refreshes, they are compared."""
    wanted = [event for event in expected if event["type"] == "refresh"]
    found = [event for event in answer if event.get("type") == "refresh"]
    if not wanted or not found:
        return None
    if [event["fix"] for event in wanted] != [event["fix"] for event in found]:
        return "refreshes at fixes %s instead of %s" % ([one["fix"] for one in found], [one["fix"] for one in wanted])
    for mine, theirs in zip(found, wanted):
        for key in ("monitored", "added", "removed"):
            if key in mine and mine[key] != theirs[key]:
                return "the refresh at fix %d has %s %d instead of %d" % (mine["fix"], key, mine[key], theirs[key])
        if mine.get("radius") is not None and abs(mine["radius"] - theirs["radius"]) > 0.1:
            return "the refresh at fix %d reaches %.3f m instead of %.3f m" % (mine["fix"], mine["radius"], theirs["radius"])
    return None


def certificate(case, answer):
    if "certificate" not in case:
        return None
    found = next((line for line in answer if line.get("type") == "certificate"), None)
    if found is None:
        return "no certificate"
    if found["certified"] != case["certificate"]["certified"]:
        return "certified" if found["certified"] else "not certified"
    for moment in case["certificate"].get("at", []):
        slack = datetime.timedelta(milliseconds=case["tolerance"]["milliseconds"] + 1)
        if not any(instant(one["from"]) - slack <= instant(moment) <= instant(one["to"]) + slack for one in found["stretches"]):
            return "no stretch contains %s" % moment
    return None
