"""One circle and one path: crossings, tangents, edges, double crossings, starts inside, many circles, radii."""

import math
import random

from making import EARTH, MINUTE, SITES, Pass, go, meters, place, timed

AZIMUTHS = {"north": 0, "north-east": 45, "east": 90, "south-east": 135, "south": 180, "south-west": 225, "west": 270,
            "north-west": 315}


def crossings(suite):
    """One segment goes right through: both ends are outside, and the circle lies between them."""
    for number, (name, azimuth) in enumerate(AZIMUTHS.items()):
        centre = list(SITES.values())[number % 6]
        line = Pass(centre, azimuth, 0)
        suite.add(f"must/both-ends-outside/{name}",
                  f"A segment heading {name.replace('-', ' ')} goes through the middle of a circle.",
                  [place("a", centre, 100)], timed([line.at(-400), line.at(500)]), "enter a 1, exit a 1",
                  points=[line.at(-100), line.at(100)])
    for share in (0.25, 0.5, 0.75, 0.9, 0.99):
        centre = SITES["tromso"]
        line = Pass(centre, 77, share * 250)
        suite.add(f"must/both-ends-outside/off-centre-{round(share * 100)}",
                  f"A segment passes the centre at {share:g} of the radius.",
                  [place("a", centre, 250)], timed([line.at(-900), line.at(700)]), "enter a 1, exit a 1",
                  points=line.chord(250))
    centre = SITES["sydney"]
    line = Pass(centre, 200, 30)
    suite.add("must/both-ends-outside/only-by-the-path",
              "Fixes lie 3 km apart, and a circle of 50 m between them: only the path between fixes shows it.",
              [place("a", centre, 50)], timed([line.at(-1500), line.at(1500), line.at(4500)]), "enter a 1, exit a 1",
              points=[line.at(-40), line.at(40)])
    for gap in (1, 20):
        line = Pass(centre, 110, 50 + gap)
        suite.add(f"must/both-ends-outside/misses-by-{gap}-m", f"A segment passes a circle {gap} m from its edge.",
                  [place("a", centre, 50)], timed([line.at(-500), line.at(500)]), "")


def tangents(suite):
    """The path just touches a circle, or just does not."""
    sizes = [(100, 0.01), (100, 0.1), (100, 1), (1000, 0.1), (20_000, 1)]
    for number, (radius, depth) in enumerate(sizes):
        for site, azimuth in (("quito", 0), ("philadelphia", 63), ("ushuaia", 205)):
            centre = SITES[site]
            reach = 4 * radius if radius <= 1000 else 40_000
            label = f"{radius}-m-by-{depth:g}-m-{site}".replace(".", "-")
            inside = Pass(centre, azimuth, radius - depth)
            half = inside.edge(radius, 1)
            assert abs(half - math.sqrt(2 * radius * depth - depth ** 2)) < 0.002 * half + 0.001
            suite.add(f"must/tangents/inside-{label}",
                      f"The path's nearest point is {depth:g} m inside the edge of a circle of {radius} m, for {2 * half:.1f} m of path.",
                      [place("a", centre, radius)], timed([inside.at(-reach), inside.at(reach)]), "enter a 1, exit a 1",
                      points=inside.chord(radius))
            outside = Pass(centre, azimuth, radius + depth)
            suite.add(f"must/tangents/outside-{label}",
                      f"The path passes {depth:g} m outside the edge of a circle of {radius} m.",
                      [place("a", centre, radius)], timed([outside.at(-reach), outside.at(reach)]), "")
    for depth in (0.01, 0.1, 1):
        for site, azimuth in (("nairobi", 300), ("tromso", 15)):
            centre = SITES[site]
            start = go(centre, azimuth, 400)
            label = f"{depth:g}-m-{site}".replace(".", "-")
            touch, short = go(centre, azimuth, 150 - depth), go(centre, azimuth, 150 + depth)
            suite.add(f"must/tangents/turns-inside-{label}",
                      f"The path comes straight to {depth:g} m inside the edge and turns back.",
                      [place("a", centre, 150)], timed([start, touch, start]), "enter a 1, exit a 2",
                      points=[go(centre, azimuth, 150)] * 2)
            suite.add(f"must/tangents/turns-outside-{label}",
                      f"The path comes straight to {depth:g} m outside the edge and turns back.",
                      [place("a", centre, 150)], timed([start, short, start]), "")


def edges(suite):
    """A point is inside where its distance is at most the radius; these fixes stop a centimetre to either side."""
    for radius in (10, 100, 1000, 50_000):
        for site, azimuth in (("philadelphia", 20), ("ushuaia", 250)):
            centre = SITES[site]
            start = go(centre, azimuth, radius + max(200, radius / 10))
            points = [start, go(centre, azimuth, radius - 0.01)]
            suite.add(f"must/edges/ends-inside-{radius}-m-{site}",
                      f"The path ends 1 cm inside the edge of a circle of {radius} m.",
                      [place("a", centre, radius)], timed(points), "enter a 1")
            points = [start, go(centre, azimuth, radius + 0.01)]
            suite.add(f"must/edges/ends-outside-{radius}-m-{site}",
                      f"The path ends 1 cm outside the edge of a circle of {radius} m.",
                      [place("a", centre, radius)], timed(points), "")
    centre = SITES["quito"]
    points = [go(centre, 30, distance) for distance in (300, 99.99, 99.98, 0, 99.98, 99.99, 300)]
    suite.add("must/edges/stays-at-the-edge",
              "The path enters, goes to the centre and waits within 2 cm of the edge; it leaves once.",
              [place("a", centre, 100)], timed(points), "enter a 1, exit a 6")
    points = [go(centre, 30 + 7 * number, 100 + (0.02 if number % 2 else -0.02)) for number in range(8)]
    suite.add("must/edges/along-the-edge",
              "Fixes lie along the edge, alternating 2 cm inside and 2 cm outside; each straight piece between them cuts the circle, "
              "so an exit follows at once behind each fix outside, or before it.",
              [place("a", centre, 100)], timed(points))


def double(suite):
    """The same circle more than once."""
    centre = SITES["philadelphia"]
    for turns in (2, 3, 5):
        points = []
        for number in range(turns + 1):
            points.append(go(centre, 90 if number % 2 else 270, 400))
        expect = ", ".join(f"enter a {number}, exit a {number}" for number in range(1, turns + 1))
        suite.add(f"must/double-crossings/to-and-fro-{turns}", f"The path goes through a circle {turns} times, a segment each.",
                  [place("a", centre, 100)], timed(points), expect)
    for site, azimuth in (("sydney", 0), ("tromso", 120), ("quito", 45)):
        centre = SITES[site]
        points = [go(centre, azimuth, 500), go(centre, azimuth + 20, 80), go(centre, azimuth + 40, 500),
                  go(centre, azimuth + 60, 80), go(centre, azimuth + 80, 500)]
        suite.add(f"must/double-crossings/dips-twice-{site}", "The path dips into a circle twice, with a fix inside each time.",
                  [place("a", centre, 100)], timed(points), "enter a 1, exit a 2, enter a 3, exit a 4")
        first, second = Pass(centre, azimuth, 60), Pass(centre, azimuth + 90, 60)
        points = [first.at(-400), first.at(400), second.at(-400), second.at(400)]
        suite.add(f"must/double-crossings/two-chords-{site}",
                  "Two chords of a circle, with a detour between them that stays outside.",
                  [place("a", centre, 100)], timed(points), "enter a 1, exit a 1, enter a 3, exit a 3")
    centre = SITES["nairobi"]
    out = go(centre, 10, 101)
    suite.add("must/double-crossings/out-for-a-metre",
              "A fix a metre outside between two inside: an exit and an enter close together.",
              [place("a", centre, 100)],
              timed([go(centre, 10, 300), go(centre, 10, 50), out, go(centre, 10, 50), go(centre, 10, 300)]),
              "enter a 1, exit a 2, enter a 3, exit a 4")
    suite.add("must/double-crossings/figure-of-eight",
              "Two circles, entered in turn, the first one twice.",
              [place("a", centre, 100), place("b", go(centre, 90, 400), 100)],
              timed([go(centre, 270, 300), centre, go(centre, 90, 400), centre, go(centre, 270, 300)]),
              "enter a 1, exit a 2, enter b 2, exit b 3, enter a 3, exit a 4")


def start_inside(suite):
    """A path that begins inside does not enter."""
    for number, (site, centre) in enumerate(SITES.items()):
        begin = go(centre, 40 * number, (0, 20, 60, 99, 99.9, 99.99)[number])
        out = go(centre, 200, 700)
        suite.add(f"must/start-inside/leaves-{site}", "The path begins inside and leaves: an exit without an enter.",
                  [place("a", centre, 100)], timed([begin, out]), "exit a 1", points=None)
    centre = SITES["quito"]
    inside, outside = go(centre, 10, 30), go(centre, 10, 300)
    suite.add("must/start-inside/stays", "The path begins inside and stays: nothing happens.",
              [place("a", centre, 100)], timed([centre, inside, go(centre, 190, 50)]), "")
    suite.add("must/start-inside/comes-back", "The path begins inside, leaves and comes back: now it enters.",
              [place("a", centre, 100)], timed([inside, outside, inside]), "exit a 1, enter a 2")
    suite.add("must/start-inside/of-two", "The path begins inside one of two circles and goes into the other.",
              [place("a", centre, 100), place("b", go(centre, 10, 300), 100)], timed([inside, outside]), "exit a 1, enter b 1")
    suite.add("must/start-inside/just-outside", "The path begins 1 cm outside and goes in: that is an enter.",
              [place("a", centre, 100)], timed([go(centre, 10, 100.01), centre]), "enter a 1", points=[go(centre, 10, 100)])


def many(suite):
    """Concentric and identical circles, more than twenty over each other, many on one segment."""
    for number, radii in enumerate([(50, 100), (20, 40, 60, 80, 100), (100, 100.5), (10, 1000)]):
        centre = list(SITES.values())[number]
        places = [place(f"r{index}", centre, radius) for index, radius in enumerate(radii)]
        count = len(radii)
        inward = ", ".join(f"enter r{index} 1" for index in reversed(range(count)))
        outward = ", ".join(f"exit r{index} 2" for index in range(count))
        suite.add(f"must/concentric/{count}-circles-{number}",
                  f"Circles of {', '.join(map(str, radii))} m about one centre: outermost entered first, innermost left first.",
                  places, timed([go(centre, 20, 1500), centre, go(centre, 70, 1500)]), inward + ", " + outward)
        line = Pass(centre, 160, 0)
        through = (", ".join(f"enter r{index} 1" for index in reversed(range(count))) + ", "
                   + ", ".join(f"exit r{index} 1" for index in range(count)))
        suite.add(f"must/concentric/{count}-circles-{number}-one-segment",
                  "The same, entered and left by one segment.", places, timed([line.at(-1500), line.at(1500)]), through)
    for count in (2, 3, 7):
        centre = SITES["sydney"]
        line = Pass(centre, 250, 40)
        places = [place(f"twin-{index}", centre, 75) for index in range(count)]
        expect = ", ".join([f"enter twin-{index} 1" for index in range(count)] + [f"exit twin-{index} 1" for index in range(count)])
        suite.add(f"must/identical/{count}-circles", f"{count} identical circles: an enter and an exit for each, in any order.",
                  places, timed([line.at(-400), line.at(400)]), expect)
    places = [place(f"from-{name}", go(centre, azimuth, 50), 50) for name, azimuth in AZIMUTHS.items()]
    suite.add("must/identical/one-common-point", "Eight circles whose edges all pass through one point, where the path ends.",
              places, timed([go(centre, 10, 500), go(centre, 10, 0.05)]))
    for count in (21, 25, 40, 64):
        centre = SITES["philadelphia"]
        places = [place(f"p{index:02}", go(centre, index * 360 / count, 30), 100 + index) for index in range(count)]
        line = Pass(centre, 33, 5)
        suite.add(f"must/overlapping/{count}-circles",
                  f"{count} overlapping circles on one segment; all are entered before any is left.",
                  places, timed([line.at(-800), line.at(800)]))
        suite.add(f"must/overlapping/{count}-circles-start-inside",
                  f"The path begins inside {count} circles and leaves them all.", places, timed([centre, line.at(800)]))
    for count in (3, 10, 20):
        line = Pass(SITES["nairobi"], 75, 0)
        places = [place(f"p{index:02}", line.at(300 * index + 300), 50 + index) for index in range(count)]
        expect = ", ".join(f"enter p{index:02} 1, exit p{index:02} 1" for index in range(count))
        suite.add(f"must/one-segment/{count}-in-a-row", f"One segment enters and leaves {count} circles one after the other.",
                  places, timed([line.at(0), line.at(300 * count + 300)]), expect)
    line = Pass(SITES["tromso"], 5, 0)
    places = [place(f"p{index:02}", line.at(60 * index + 300), 100) for index in range(8)]
    suite.add("must/one-segment/chain", "A chain of circles that overlap their neighbours: enters and exits alternate by position.",
              places, timed([line.at(0), line.at(1500)]))
    suite.add("must/one-segment/nested-apart", "A large circle with two small ones inside it, apart from each other.",
              [place("large", line.at(1000), 800), place("small-1", line.at(600), 50), place("small-2", line.at(1400), 50)],
              timed([line.at(0), line.at(2000)]),
              "enter large 1, enter small-1 1, exit small-1 1, enter small-2 1, exit small-2 1, exit large 1")


def radii(suite):
    """From a metre to most of the Earth."""
    for number, (radius, reach) in enumerate([(1, 30), (1, 3000), (5, 100), (2_000_000, 2_100_000), (2_000_000, 4_000_000),
                                              (5_000_000, 6_000_000)]):
        for site, azimuth in (("quito", 80), ("tromso", 190)):
            centre = SITES[site]
            line = Pass(centre, azimuth, 0)
            suite.add(f"must/radii/{radius}-m-through-{reach}-{site}",
                      f"A segment of {2 * reach / 1000:g} km goes through the middle of a circle of {radius / 1000:g} km.",
                      [place("a", centre, radius)], timed([line.at(-reach), line.at(reach)], step=600 * MINUTE),
                      "enter a 1, exit a 1", points=[line.at(-radius), line.at(radius)])
    for site in ("philadelphia", "sydney"):
        centre = SITES[site]
        suite.add(f"must/radii/1-m-on-foot-{site}", "A walk at 1.4 m/s with a fix a second goes through a circle of 1 m.",
                  [place("a", centre, 1)], timed([go(centre, 60, 4.2 - 1.4 * step) if step < 3 else go(centre, 240, 1.4 * step - 4.2)
                                                  for step in range(7)], step=1000))
        edge = go(centre, 300, 2_000_000)
        line = Pass(edge, 300, 0)
        suite.add(f"must/radii/2000-km-on-foot-{site}",
                  "A walk of 400 m crosses the edge of a circle of 2,000 km: 200 m before it, 200 m behind it.",
                  [place("a", centre, 2_000_000)], timed([go(centre, 300, 2_000_200), go(centre, 300, 1_999_800)]),
                  "enter a 1", points=[edge])
        inside, outside = Pass(centre, 40, 1_999_000), Pass(centre, 40, 2_001_000)
        half = inside.edge(2_000_000, 1)
        suite.add(f"must/radii/2000-km-grazed-{site}",
                  f"A segment passes 1 km inside the edge of a circle of 2,000 km, and is in it for {2 * half / 1000:.0f} km.",
                  [place("a", centre, 2_000_000)], timed([inside.at(-400_000), inside.at(400_000)], step=60 * MINUTE),
                  "enter a 1, exit a 1", points=inside.chord(2_000_000))
        suite.add(f"must/radii/2000-km-missed-{site}", "A segment passes a circle of 2,000 km at 1 km from its edge.",
                  [place("a", centre, 2_000_000)], timed([outside.at(-400_000), outside.at(400_000)], step=60 * MINUTE), "")
    centre = SITES["nairobi"]
    line = Pass(centre, 90, 0)
    suite.add("must/radii/one-metre-in-a-thousand-km", "A segment of 1,000 km meets a circle of 1 m.",
              [place("a", line.at(0), 1)], timed([line.at(-400_000), line.at(600_000)], step=100 * MINUTE), "enter a 1, exit a 1",
              points=[line.at(-1), line.at(1)])
    suite.add("must/radii/larger-than-a-hemisphere",
              "A circle of 12,000 km is larger than a hemisphere. A segment of 10,000 km leaves it and comes back: what is outside is "
              "round, what is inside is not.",
              [place("a", centre, 12_000_000)],
              timed([go(centre, 60, 11_900_000), go(centre, 110, 13_500_000), go(centre, 170, 11_900_000)], step=900 * MINUTE))


def fixes_at(suite):
    """`test: fixes`: sides are judged at fixes only, as most engines do."""
    rule = {"test": "fixes"}
    for radius in (50, 500, 5000, 100_000):
        for site, azimuth in (("quito", 0), ("philadelphia", 90), ("tromso", 200)):
            centre = SITES[site]
            points = [go(centre, azimuth, radius * 2), go(centre, azimuth, radius * 1.001 + 0.05), go(centre, azimuth, radius * 0.999 - 0.05),
                      go(centre, azimuth, radius * 1.001 + 0.05)]
            suite.add(f"must/at-fixes/one-in-a-thousand-{radius}-m-{site}",
                      f"Fixes a thousandth beyond and within a radius of {radius} m. A sphere instead of the ellipsoid is wrong by up to "
                      "five times that.", [place("a", centre, radius)], timed(points), "enter a 2, exit a 3", rule)
    for site in ("nairobi", "ushuaia"):
        centre = SITES[site]
        points = [go(centre, 140, distance) for distance in (300, 100.01, 99.99, 100.01)]
        suite.add(f"must/at-fixes/a-centimetre-{site}", "Fixes 1 cm outside and inside the edge of a circle of 100 m.",
                  [place("a", centre, 100)], timed(points), "enter a 2, exit a 3", rule)
        line = Pass(centre, 25, 0)
        suite.add(f"must/at-fixes/passed-between-fixes-{site}",
                  "The path goes through a circle between two fixes, which are outside: no event.",
                  [place("a", centre, 100)], timed([line.at(-300), line.at(300)]), "", rule)
        places = [place(f"p{index:02}", go(centre, 15 * index, 40), 100) for index in range(24)]
        suite.add(f"must/at-fixes/24-at-once-{site}", "A fix comes into 24 circles at once, and the next leaves them.",
                  places, timed([line.at(-900), line.at(0), line.at(900)]), None, rule)


def worlds(suite):
    """Seeded random worlds: circles of many sizes, a path that wanders among them."""
    for seed in range(20):
        dice = random.Random(f"conformance world {seed}")
        home = (round(dice.uniform(-75, 75), 5), round(dice.uniform(-180, 180), 5))
        places = [place(f"p{number:02}", go(home, dice.uniform(0, 360), 1500 * math.sqrt(dice.random())),
                        dice.choice([20, 50, 80, 100, 150, 250, 400])) for number in range(dice.randint(5, 22))]
        points, at, azimuth = [], go(home, dice.uniform(0, 360), 1500), dice.uniform(0, 360)
        for _ in range(dice.randint(10, 26)):
            points.append(at)
            azimuth += dice.gauss(0, 60)
            if meters(at, home) > 1800:
                azimuth = math.degrees(math.atan2(home[1] - at[1], home[0] - at[0]))
            at = go(at, azimuth, dice.choice([15, 80, 300, 900]) * dice.uniform(0.5, 1.5))
        # A start inside is a matter of its own, in must/start-inside and may/first-fix.
        kept = [one for one in places if clear_of(one, points) and meters(points[0], (one["lat"], one["lon"])) > one["radius"]]
        suite.add(f"must/worlds/{seed:02}", f"A random world of {len(kept)} circles and {len(points)} fixes (seed {seed}).",
                  kept, timed(points, step=30_000))
        suite.add(f"must/worlds-at-fixes/{seed:02}",
                  f"The same world as must/worlds/{seed:02}, judged at fixes only.", kept, timed(points, step=30_000), None,
                  {"test": "fixes"})


def clear_of(one, points):
    """Whether the path nowhere all but touches the edge and no fix is near it, so that all sound engines agree."""
    centre = (one["lat"], one["lon"])
    if any(abs(meters(at, centre) - one["radius"]) < 0.5 for at in points):
        return False
    return all(cannot_touch(a, b, centre, one["radius"]) or abs(least_meters(a, b, centre) - one["radius"]) > 0.05
               for a, b in zip(points, points[1:]))


def cannot_touch(a, b, centre, radius):
    """By the triangle inequality, which is all that most segments need."""
    return (meters(a, centre) + meters(b, centre) - meters(a, b)) / 2 > radius + 1


def least_meters(a, b, centre):
    """The least distance of a segment of some hundred metres from a point."""
    line = EARTH.InverseLine(*a, *b)

    def distance(along):
        found = line.Position(along)
        return meters((found["lat2"], found["lon2"]), centre)

    low, high = 0.0, line.s13
    while high - low > 0.02:
        left, right = low + (high - low) * 0.382, low + (high - low) * 0.618
        if distance(left) < distance(right):
            high = right
        else:
            low = left
    return distance((low + high) / 2)


GROUPS = [crossings, tangents, edges, double, start_inside, many, radii, fixes_at, worlds]
