"""What adapters share: events from sides at fixes and from pieces of a path, and refusals."""

import datetime

# What those claim that follow a path on a plane about each circle or track.
PLANAR = ["must/" + group for group in (
    "antimeridian", "both-ends-outside", "concentric", "double-crossings", "edges", "identical", "long-segments", "one-segment",
    "overlapping", "radii", "start-inside", "tangents", "times", "worlds/")]


def from_sides(case, is_inside):
    """Events where the side at a fix differs from that at the fix before it. `is_inside(place, fix, number)`
    is the engine's own test at the fix with a number."""
    starts_outside = case["rule"].get("initial") == "enter"
    places = sorted(case["places"], key=lambda place: place["id"])
    before = {}
    for number, fix in enumerate(case["fixes"]):
        for place in places:
            now = is_inside(place, fix, number)
            if now != before.get(place["id"], not starts_outside and now):
                event = {"type": "enter" if now else "exit", "place": place["id"], "fix": number}
                yield event | ({"time": fix["time"]} if "time" in fix else {})
            before[place["id"]] = now


def crossing(kind, place, number, fraction, at, fixes):
    """An event of a place's id at a fraction of the segment that ends at a fix. Its time divides the
    segment's as the fraction does."""
    event = {"type": kind, "place": place, "fix": number, "fraction": fraction, "lat": at[0], "lon": at[1]}
    times = [fixes[index].get("time") for index in (number - 1, number)]
    if None not in times:
        start, end = map(datetime.datetime.fromisoformat, times)
        time = (start + fraction * (end - start)).isoformat(timespec="milliseconds")
        event["time"] = time.replace("+00:00", "Z")
    return event


def ordered(events):
    return sorted(events, key=lambda event: (event["fix"], event["fraction"], event["place"]))


def refusal(case, known=(), test=None, timeless=None):
    """What an engine says of a case that it cannot be set to, or None. `known` are the members of a rule that
    it has, `test` the only one that it knows, and `timeless` its words where fixes have no times."""
    foreign = sorted((set(case["rule"]) - {"test", *known}) | ({"edits"} & set(case)))
    why = None
    if test and case["rule"].get("test", "path") != test:
        why = "no test at fixes" if test == "path" else "no path between fixes"
    elif foreign:
        why = "no " + ", ".join(foreign)
    elif timeless and len(case["fixes"]) > 1 and any("time" not in fix for fix in case["fixes"]):
        why = timeless
    return why and [{"unsupported": why}]


def at_each_fix(case):
    """A case with the rule of a profile, or of none, for an engine that knows only one."""
    if "profile" not in case["rule"]:
        return case
    return {**case, "rule": {"test": "fixes", "initial": "enter"}}
