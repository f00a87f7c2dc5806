"""What adapters share: events from sides at fixes, and from pieces of path inside a circle."""

import datetime


def from_sides(case, is_inside):
    """Events where the side at a fix differs from that at the fix before it. `is_inside(place, fix)` is the engine's own test."""
    starts_outside = case["rule"].get("initial") == "enter"
    places = sorted(case["places"], key=lambda place: place["id"])
    before = {}
    for number, fix in enumerate(case["fixes"]):
        for place in places:
            now = is_inside(place, fix)
            if now != before.get(place["id"], False if starts_outside else now):
                event = {"type": "enter" if now else "exit", "place": place["id"], "fix": number}
                if "time" in fix:
                    event["time"] = fix["time"]
                yield event
            before[place["id"]] = now


def crossing(kind, place, number, fraction, at, fixes):
    """An event of a place's id at a fraction of the segment that ends at a fix; its time divides the segment's as the fraction does."""
    event = {"type": kind, "place": place, "fix": number, "fraction": fraction, "lat": at[0], "lon": at[1]}
    times = [fixes[index].get("time") for index in (number - 1, number)]
    if None not in times:
        start, end = (datetime.datetime.fromisoformat(time.replace("Z", "+00:00")) for time in times)
        event["time"] = (start + fraction * (end - start)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return event


def ordered(events):
    return sorted(events, key=lambda event: (event["fix"], event["fraction"], event["place"]))


def unknown(case, known=()):
    """What an engine without rules says of a case that has one; None if the case has none."""
    foreign = sorted((set(case["rule"]) - {"test", *known}) | ({"edits"} & set(case)))
    return [{"unsupported": "no " + ", ".join(foreign)}] if foreign else None
