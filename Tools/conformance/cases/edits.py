"""Places that change while a path is followed.

The model is small: every version of a place is a circle that exists from one fix to another, followed by itself.
"""

from making import SITES, Pass, fixes_of, follow, go, oracle, place, timed, written


def versions(case):
    """Each circle with the first and the last fix between which it exists, in order of time for each id."""
    last = len(case["fixes"]) - 1
    current = {one["id"]: (one, 0) for one in case["places"]}
    for edit in case["edits"]:
        at = edit["afterFix"]
        for id in edit.get("remove", []):
            one, since = current.pop(id)
            yield one, since, at
        for one in edit.get("set", []):
            if one["id"] in current:
                before, since = current[one["id"]]
                if before == one:
                    continue
                yield before, since, at
            current[one["id"]] = (one, at)
    for one, since in current.values():
        yield one, since, last


def answer(case, enters_when_there=False, exits_when_gone=False):
    """Events of every version by itself, in the path's order. Other engines report that an edit changes on which side the device is."""
    fixes, found = fixes_of(case), []
    last, all_versions = len(fixes) - 1, list(versions(case))

    def circle(one):
        return oracle.Place(one["id"], "", one["lat"], one["lon"], one["radius"])

    def contained(id, number, starts):
        """Whether the version that starts or ends at a fix contains it."""
        return any(one["id"] == id and (since if starts else until) == number and circle(one).depth_meters(fixes[number].at) <= 0
                   for one, since, until in all_versions)

    def at_fix(kind, one, number):
        lat, lon = fixes[number].at
        return {"type": kind, "place": one["id"], "fix": number, "fraction": 1.0, "time": oracle.clock(fixes[number].time),
                "lat": round(lat, 7), "lon": round(lon, 7)}

    for one, since, until in all_versions:
        events = [event for event in follow([circle(one)], fixes[since:until + 1], case["rule"]) if event["type"] != "refresh"]
        for event in events:
            event["fix"] += since
        if enters_when_there and since > 0 and contained(one["id"], since, True) and not contained(one["id"], since, False):
            events.insert(0, at_fix("enter", one, since))
        if exits_when_gone and until < last and contained(one["id"], until, False) and not contained(one["id"], until, True):
            events.append(at_fix("exit", one, until))
        found += events
    order = sorted(found, key=lambda event: (event["fix"], event["fraction"], event["place"]))
    return [written(event, case["rule"]) for event in order]


def edits(suite):
    """`edits`: behind fix `afterFix` the places change, before the path goes on. A circle that is added or changed takes its side from
    that fix, silently; one that is removed says nothing more."""
    centre = SITES["philadelphia"]
    line = Pass(centre, 70, 0)
    a, far = place("a", centre, 100), place("far", go(centre, 0, 50_000), 100)

    def add(name, says, places, distances, changes, expect):
        case = {"rule": {}, "places": places, "fixes": timed([line.at(distance) for distance in distances]), "edits": changes}
        events, others = answer(case), []
        for sentence, options in (("a circle that an edit puts around the device is entered at once", {"enters_when_there": True}),
                                  ("a circle that an edit takes from around the device is left at once", {"exits_when_gone": True}),
                                  ("both", {"enters_when_there": True, "exits_when_gone": True})):
            other = answer(case, **options)
            if other != events and all(other != one["events"] for one in others):
                others.append({"says": sentence, "events": other})
        suite.add(f"may/edits/{name}", says, places, case["fixes"], expect, events=events, edits=changes,
                  **({"others": others} if others else {}))

    there, back = (-400, -300, 0, 50, 300, 400), (-400, 0, 50, 400, 50, -400)
    add("added-ahead", "A circle is added ahead of the path and entered.", [far], there, [{"afterFix": 1, "set": [a]}], "enter a 2, exit a 4")
    add("added-around", "A circle is added around the device: no enter, but an exit later.", [far], there, [{"afterFix": 2, "set": [a]}], "exit a 4")
    add("added-behind", "A circle is added where the path has been: nothing.", [far], there, [{"afterFix": 4, "set": [a]}], "")
    add("removed-ahead", "A circle is removed before the path comes to it: nothing.", [a, far], there, [{"afterFix": 1, "remove": ["a"]}], "")
    add("removed-around", "A circle is removed while the device is inside: an enter, and no exit.", [a, far], there,
        [{"afterFix": 2, "remove": ["a"]}], "enter a 2")
    add("grown-over", "A circle grows over the device: no enter; the exit is at the new edge.", [a, far], there,
        [{"afterFix": 1, "set": [place("a", centre, 350)]}], "exit a 5")
    add("grown-while-inside", "A circle grows while the device is inside: the exit is at the new edge.", [a, far], there,
        [{"afterFix": 2, "set": [place("a", centre, 200)]}], "enter a 2, exit a 4")
    add("shrunk-away", "A circle shrinks away from the device: no exit.", [a, far], (-400, -80, -60, -70, 400),
        [{"afterFix": 1, "set": [place("a", centre, 50)]}], "enter a 1, enter a 4, exit a 4")
    add("shrunk-while-inside", "A circle shrinks and the device is still inside: the exit is at the new edge.", [a, far], there,
        [{"afterFix": 2, "set": [place("a", centre, 60)]}], "enter a 2, exit a 4")
    add("moved-away", "A circle is moved away while the device is inside: no exit. It is entered where it is now.", [a, far], there,
        [{"afterFix": 2, "set": [place("a", line.at(300), 80)]}], "enter a 2, enter a 4, exit a 5")
    add("moved-onto", "A circle is moved onto the device: no enter.", [place("a", line.at(-2000), 100), far], there,
        [{"afterFix": 2, "set": [a]}], "exit a 4")
    add("unchanged", "An edit of another circle leaves this one alone.", [a, far], there,
        [{"afterFix": 2, "set": [place("far", go(centre, 0, 60_000), 100)]}], "enter a 2, exit a 4")
    add("removed-and-added", "A circle is removed while the device is inside and comes back while it is: an exit and no second enter.",
        [a, far], there, [{"afterFix": 2, "remove": ["a"]}, {"afterFix": 3, "set": [a]}], "enter a 2, exit a 4")
    add("removed-while-outside", "A circle is removed for a while, in which the device passes it; the way back is seen.", [a, far], back,
        [{"afterFix": 0, "remove": ["a"]}, {"afterFix": 3, "set": [a]}], "enter a 4, exit a 5")
    add("two-at-once", "One circle is added and one removed, both around the device.", [a, far], there,
        [{"afterFix": 2, "set": [place("b", centre, 150)], "remove": ["a"]}], "enter a 2, exit b 4")
    add("twenty-more", "Twenty circles are added around the device and left one after the other.", [far], there,
        [{"afterFix": 2, "set": [place(f"p{number:02}", centre, 100 + 5 * number) for number in range(20)]}],
        ", ".join(f"exit p{number:02} 4" for number in range(20)))


GROUPS = [edits]
