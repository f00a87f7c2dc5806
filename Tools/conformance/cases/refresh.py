"""Phones monitor some circles only: when the set is renewed, what is missed, and who can certify that nothing is.

For the certificate there is a model of its own. At a point of the path only the circles whose edges are there can be met. An engine with
N regions that may renew its set at any point misses nothing exactly where at most N edges are at one point; so the model walks
the path in small steps and looks how far the edge is that comes after the N nearest. A distance changes by no more than the
path is long, so between two steps it cannot come closer than half a step.
"""

import math
import random

from circles import clear_of
from making import MINUTE, SITES, START, Pass, fix, fixes_of, go, meters, modelled, oracle, place, places_of, timed

SAFE_METERS = 1.0
"""An engine must certify where the next edge stays this far away."""
SAME_METERS = 0.001
"""Edges this close to a point of the path are met there."""


# MARK: The model of the certificate


def next_edge_meters(places, at, regions, slack):
    """How far the nearest edge is that the regions leave out, if they go to the nearest edges. From chords, which are never longer than
    the distance, unless that might be too close."""
    here = oracle.earth_centred(*at)
    rough = sorted(math.dist(here, one.xyz) - one.radius for one in places)
    if len(rough) > regions and rough[regions] > slack:
        return rough[regions]
    edges = sorted(abs(one.depth_meters(at)) for one in places)
    return edges[regions] if len(edges) > regions else math.inf


def closest_unmonitored_meters(case, step=5.0):
    """A lower bound along the whole path."""
    places, fixes, least = places_of(case), fixes_of(case), math.inf
    for a, b in zip(fixes, fixes[1:]):
        segment = oracle.Segment(a, b)
        count = max(1, math.ceil(segment.length / step))
        for number in range(count + 1):
            at = segment.at(number / count)
            least = min(least, next_edge_meters(places, at, case["rule"]["regions"], 100) - segment.length / count / 2)
    return least


def crowded_times(case, events):
    """The times at which the path meets more edges at one point than there are regions."""
    places, times = places_of(case), []
    for event in events:
        near = sum(abs(one.depth_meters((event["lat"], event["lon"]))) <= SAME_METERS + 0.02 for one in places)
        if near > case["rule"]["regions"] and event["time"] not in times:
            times.append(event["time"])
    return times


# MARK: Fixed


def fixed(suite):
    """`regions` and `significantChangeMeters`: the nearest places are monitored, and asked for again at a fix so far from the last time."""
    centre = SITES["philadelphia"]
    line = Pass(centre, 85, 0)
    row = [place(f"p{number:02}", line.at(300 * number), 60) for number in range(30)]
    rule = {"regions": 3, "significantChangeMeters": 500}
    for name, step, refreshes in (("just-below", 499.99, [0, 2, 4]), ("just-above", 500.01, [0, 1, 2, 3, 4])):
        points = [line.at(step * number - 40) for number in range(5)]
        suite.add(f"may/refresh-fixed/bound-{name}", f"Fixes are {step} m apart, and a change of 500 m asks again.", row, timed(points), None, rule)
        case = suite.cases[f"may/refresh-fixed/bound-{name}"]
        assert [event["fix"] for event in case["events"] if event["type"] == "refresh"] == refreshes, case["events"]
    long = [line.at(-400), line.at(4000)]
    suite.add("may/refresh-fixed/misses-between-fixes", "One segment passes fourteen circles; only the three that were monitored during it are seen.",
              row, timed(long), "enter p00 1, exit p00 1, enter p01 1, exit p01 1, enter p02 1, exit p02 1", rule)
    suite.add("may/refresh-fixed/all-fit", "With more regions than places nothing is missed.", row,
              timed(long), ", ".join(f"enter p{n:02} 1, exit p{n:02} 1" for n in range(14)), {"regions": 40, "significantChangeMeters": 500})
    suite.add("may/refresh-fixed/becomes-monitored-inside", "A circle is monitored only once the device is inside: no enter, but an exit.",
              row, timed([line.at(-400), line.at(1200), line.at(1320)]), "enter p00 1, exit p00 1, enter p01 1, exit p01 1, enter p02 1, exit p02 1, exit p04 2", rule)
    suite.add("may/refresh-fixed/becomes-monitored-inside-enter", "The same where the rule calls that an enter.",
              row, timed([line.at(-400), line.at(1200), line.at(1320)]),
              "enter p00 1, exit p00 1, enter p01 1, exit p01 1, enter p02 1, exit p02 1, enter p04 1, exit p04 2", {**rule, "initial": "enter"})
    twins = [place(name, line.at(200), 60) for name in ("d", "b", "c", "a")]
    suite.add("may/refresh-fixed/ties", "Of four identical circles, two regions go to the first by id.", twins, timed([line.at(0), line.at(400)]),
              "enter a 1, enter b 1, exit a 1, exit b 1", {"regions": 2, "significantChangeMeters": 500})
    large = [place("large", line.at(2000), 1500), place("near", line.at(900), 50), place("nearer", line.at(-600), 50)]
    for rank, expect in (("center", ""), ("edge", "enter large 1")):
        suite.add(f"may/refresh-fixed/rank-{rank}", f"The nearest by {rank}: a large circle is near by its edge and far by its centre.", large,
                  timed([line.at(0), line.at(700)]), expect, {"regions": 1, "significantChangeMeters": 5000, "rank": rank})
    suite.add("may/refresh-fixed/least-interval", "Fixes go on by 600 m a minute, and the places are asked for at most every three minutes.", row,
              timed([line.at(600 * number) for number in range(8)]), None, {**rule, "minIntervalSeconds": 180})
    assert [e["fix"] for e in suite.cases["may/refresh-fixed/least-interval"]["events"] if e["type"] == "refresh"] == [0, 3, 6]
    for seed, regions in enumerate((1, 2, 3, 5, 8, 20)):
        dice = random.Random(f"conformance refresh {seed}")
        home = SITES[list(SITES)[seed]]
        places = [place(f"p{number:02}", go(home, dice.uniform(0, 360), 3000 * math.sqrt(dice.random())), dice.choice([50, 80, 120, 200]))
                  for number in range(30)]
        points, at = [], go(home, dice.uniform(0, 360), 2000)
        for _ in range(16):
            points.append(at)
            away = meters(at, home) > 2500
            at = go(at, math.degrees(math.atan2(home[1] - at[1], home[0] - at[0])) if away else dice.uniform(0, 360), dice.uniform(100, 700))
        kept = [one for one in places if clear_of(one, points)]
        for rank in ("center", "edge"):
            suite.add(f"may/refresh-fixed/world-{seed}-{rank}",
                      f"A random world of {len(kept)} circles and {regions} {'region' if regions == 1 else 'regions'}, by {rank} (seed {seed}).", kept, timed(points), None,
                      {"regions": regions, "significantChangeMeters": 500, "rank": rank})


# MARK: Adaptive


def add_adaptive(suite, name, says, places, fixes, regions, more=None, certified=True):
    """A case whose certificate follows from the model; where it is good, the events are those of all places."""
    rule = {"regions": regions, "refresh": "adaptive", **(more or {})}
    case = {"rule": rule, "places": places, "fixes": fixes}
    events = modelled({**case, "rule": {key: value for key, value in (more or {}).items() if key != "trustAccuracy"}})
    inexact = 2 * max([one.get("accuracy", 0) for one in fixes] + [0]) if rule.get("trustAccuracy") else 0
    certificate = {"certified": certified}
    if certified:
        assert closest_unmonitored_meters(case) > inexact + SAFE_METERS, (name, closest_unmonitored_meters(case), inexact)
    elif not inexact:
        certificate["at"] = crowded_times(case, events)
        assert certificate["at"], name
    else:
        assert closest_unmonitored_meters(case, 1.0) + 1 < inexact / 2, name
    suite.add(name, says, places, fixes, None, rule, events=events, certificate=certificate, **({} if certified else {"mayMiss": True}))


def adaptive(suite):
    """`refresh: adaptive`: an engine may renew its set at any point of the path, and misses nothing."""
    centre = SITES["sydney"]
    line = Pass(centre, 65, 0)
    row = [place(f"p{number:02}", line.at(300 * number), 100) for number in range(30)]
    for regions in (1, 2, 5, 20):
        add_adaptive(suite, f"may/refresh-adaptive/row-{regions}", f"Thirty circles 100 m apart on one segment of 10 km, with {regions} {'region' if regions == 1 else 'regions'}.",
                     row, timed([line.at(-400), line.at(9400)]), regions)
    for site, regions in (("quito", 3), ("tromso", 6)):
        home = SITES[site]
        way = Pass(home, 20, 0)
        pairs = [place(f"p{number:02}{side}", go(way.at(2000 * number), 110 if side == "e" else 290, 60 + number), 100)
                 for number in range(10) for side in "ew"]
        add_adaptive(suite, f"may/refresh-adaptive/pairs-{site}", f"Ten pairs of circles that overlap, 2 km apart; {regions} regions, fixes 5 km apart.",
                     pairs, timed([way.at(5000 * number - 700) for number in range(5)]), regions)
    far = [place(f"p{number:02}", line.at(20_000 * number), 500) for number in range(12)]
    add_adaptive(suite, "may/refresh-adaptive/long-segment", "Circles 20 km apart on one segment of 250 km, with a single region.", far,
                 timed([line.at(-5000), line.at(245_000)], step=180 * MINUTE), 1)
    add_adaptive(suite, "may/refresh-adaptive/large-among-small", "A circle of 5 km among small ones: its edge is what counts.",
                 row[:10] + [place("large", line.at(1500), 5050)], timed([line.at(-4000), line.at(7000)]), 3)
    add_adaptive(suite, "may/refresh-adaptive/start-inside-many", "The path begins inside 15 circles with five regions, and leaves them one by one.",
                 [place(f"p{number:02}", centre, 200 + 40 * number) for number in range(15)], timed([centre, line.at(1500)]), 5)
    for seed in range(8):
        dice = random.Random(f"conformance adaptive {seed}")
        home = SITES[list(SITES)[seed % 6]]
        regions = (3, 5, 8, 20)[seed % 4]
        points, at = [], go(home, dice.uniform(0, 360), 2000)
        for _ in range(8):
            points.append(at)
            at = go(at, dice.uniform(0, 360), dice.uniform(200, 900))
        fixes, places = timed(points), []
        while len(places) < 24:
            one = place(f"p{len(places):02}", go(home, dice.uniform(0, 360), 3000 * math.sqrt(dice.random())), dice.choice([50, 80, 120, 200]))
            if clear_of(one, points):
                places.append(one)
        while closest_unmonitored_meters({"rule": {"regions": regions}, "places": places, "fixes": fixes}) <= SAFE_METERS:
            places.pop()
        add_adaptive(suite, f"may/refresh-adaptive/world-{seed}", f"A random world of {len(places)} circles with {regions} regions (seed {seed}).",
                     places, fixes, regions)


def certificates(suite):
    """Where more edges than regions meet in one point, something can be missed, and an engine has to say so."""
    centre = SITES["nairobi"]
    line = Pass(centre, 115, 0)
    through = timed([line.at(-900), line.at(900)])
    for regions, count in ((1, 2), (2, 3), (5, 6), (20, 21), (20, 30)):
        places = [place(f"twin-{number:02}", centre, 150) for number in range(count)]
        add_adaptive(suite, f"may/certificates/{count}-identical-with-{regions}",
                     f"{count} identical circles and {regions} {'region' if regions == 1 else 'regions'}: at both edges there is at least one too few.", places, through, regions, certified=False)
        add_adaptive(suite, f"may/certificates/{count - 1}-identical-with-{count - 1}",
                     "As many identical circles as regions: nothing is missed." if count != 30 else "29 identical circles with 29 regions: nothing is missed.",
                     places[:count - 1], through, count - 1) if f"may/certificates/{count - 1}-identical-with-{count - 1}" not in suite.cases else None
    nested = [place(f"p{number:02}", centre, 100 + 20 * number) for number in range(25)]
    add_adaptive(suite, "may/certificates/25-nested-with-3", "25 circles contain each other with their edges 20 m apart: three regions are enough.",
                 nested, through, 3)
    one_point = [place(f"p{number:02}", line.at(100 + 25 * number), 100 + 25 * number) for number in range(4)]
    add_adaptive(suite, "may/certificates/touching-inside", "Four circles touch from inside at the centre, where the path goes through: too many for two regions.",
                 one_point, through, 2, certified=False)
    add_adaptive(suite, "may/certificates/crowd-off-the-path", "Three identical circles beside the path, which passes 40 m from their edges, with one region.",
                 [place(f"p{number}", go(centre, 25, 190), 150) for number in range(3)], through, 1)
    add_adaptive(suite, "may/certificates/starts-in-a-crowd", "The path begins inside three identical circles and stays there, with one region.",
                 [place(f"p{number}", centre, 500) for number in range(3)], timed([line.at(-50), line.at(50)]), 1)
    gap = [place("a", line.at(-130), 100), place("b", line.at(130), 100)]

    def walk(accuracy):
        return [fix(line.at(-400 + 100 * step), START + step * MINUTE, accuracy=accuracy) for step in range(9)]

    add_adaptive(suite, "may/certificates/accuracy-5-m", "Two circles 60 m apart, one region, fixes good to 5 m: certain wherever the device was.",
                 gap, walk(5), 1, {"trustAccuracy": True})
    add_adaptive(suite, "may/certificates/accuracy-100-m", "The same with fixes good to 100 m: both edges are within reach at once.",
                 gap, walk(100), 1, {"trustAccuracy": True}, certified=False)
    add_adaptive(suite, "may/certificates/accuracy-100-m-taken-for-exact", "The same where the rule takes fixes for exact: certain.", gap, walk(100), 1)
    add_adaptive(suite, "may/certificates/accuracy-100-m-two-regions", "Fixes good to 100 m, and a region for each circle: certain.", gap, walk(100), 2,
                 {"trustAccuracy": True})


GROUPS = [fixed, adaptive, certificates]
