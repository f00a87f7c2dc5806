"""Where maps end: the antimeridian, the poles, and segments so long that the kind of line decides."""

from making import EARTH, MINUTE, Pass, go, meters, place, timed

HOUR = 60 * MINUTE


def antimeridian(suite):
    """Paths and circles at longitude 180, which is also -180."""
    for lat in (-16.5, 0.0, 66.0):
        label = {-16.5: "fiji", 0.0: "equator", 66.0: "chukotka"}[lat]
        for name, azimuth in (("eastwards", 90), ("westwards", 270), ("north-east", 50)):
            centre = (lat, 180.0)
            line = Pass(centre, azimuth, 0)
            suite.add(f"must/antimeridian/{name}-{label}",
                      f"A segment going {name} passes through a circle whose centre is on the antimeridian.",
                      [place("a", centre, 200)], timed([line.at(-700), line.at(700)]), "enter a 1, exit a 1",
                      points=[line.at(-200), line.at(200)])
        for name, lon in (("west", 179.9999), ("east", -179.9999)):
            centre = (lat, lon)
            line = Pass(centre, 90, 0)
            suite.add(f"must/antimeridian/centre-{name}-{label}",
                      f"The centre lies some metres {name} of the antimeridian, and the circle on both sides of it.",
                      [place("a", centre, 300)], timed([line.at(-900), line.at(0), line.at(900)]), "enter a 1, exit a 2")
    both = [place("plus", (10.0, 180.0), 100), place("minus", (10.0, -180.0), 100)]
    suite.add("must/antimeridian/two-names-of-one-meridian", "Centres at longitude 180 and -180 are one point.",
              both, timed([(10.0, 179.99), (10.0, -179.99)]), "enter minus 1, enter plus 1, exit minus 1, exit plus 1")
    suite.add("must/antimeridian/fix-at-180-then-at-minus-180",
              "Fixes at longitude 180 and -180 in turn, 300 m apart on the meridian itself.",
              [place("a", (10.003, 180.0), 100)], timed([(10.0, 180.0), (10.006, -180.0)]), "enter a 1, exit a 1")
    suite.add("must/antimeridian/not-the-long-way-round",
              "The path crosses the antimeridian, and does not come near Greenwich.",
              [place("greenwich", (0.0, 0.0), 50_000), place("here", (0.0, 180.0), 5000)],
              timed([(0.0, 179.9), (0.0, -179.9)]), "enter here 1, exit here 1")
    suite.add("must/antimeridian/start-inside-across", "The path begins inside, beyond the antimeridian from the centre.",
              [place("a", (-16.5, 179.9995), 300)], timed([(-16.5, -179.9995), (-16.5, -179.99)]), "exit a 1")
    suite.add("must/antimeridian/at-fixes", "Sides at fixes, with the centre on the other side of the antimeridian.",
              [place("a", (-16.5, 179.9995), 300)], timed([(-16.5, -179.99), (-16.5, -179.9995), (-16.5, -179.99)]),
              "enter a 1, exit a 2", {"test": "fixes"})
    suite.add("must/antimeridian/to-and-fro", "The path crosses the antimeridian four times; two circles lie on each side.",
              [place("east", (52.0, -179.995), 150), place("west", (52.0, 179.995), 150)],
              timed([(52.0, 179.98), (52.0, -179.98), (52.0, 179.98), (52.0, -179.98), (52.0, 179.98)]),
              ", ".join(f"enter {a} {n}, exit {a} {n}, enter {b} {n}, exit {b} {n}"
                        for n, a, b in ((1, "west", "east"), (2, "east", "west"), (3, "west", "east"), (4, "east", "west"))))


def poles(suite):
    """Circles about and near the poles."""
    for name, pole, sign in (("north", 90.0, 1), ("south", -90.0, -1)):
        for lon in (0.0, 137.0):
            suite.add(f"must/poles/over-the-{name}-pole-{lon:.0f}",
                      f"The path goes over the {name} pole: the longitude changes by 180° on the way.",
                      [place("a", (pole, 0.0), 1000)], timed([(sign * 89.97, lon), (sign * 89.97, lon - 180)]),
                      "enter a 1, exit a 1")
            suite.add(f"must/poles/ends-at-the-{name}-pole-{lon:.0f}", f"The path ends at the {name} pole.",
                      [place("a", (pole, 33.0), 1000)], timed([(sign * 89.97, lon), (pole, -77.0)]), "enter a 1")
        suite.add(f"must/poles/around-the-{name}-pole",
                  f"Fixes go around the {name} pole 1,100 m away; the straight pieces between them come within 778 m of it.",
                  [place("a", (pole, 0.0), 1000), place("b", (pole, 0.0), 700)],
                  timed([go((pole, 0.0), 90 * number, 1100) for number in range(5)]),
                  ", ".join(f"enter a {number}, exit a {number}" for number in range(1, 5)))
        centre = (sign * 89.995, 45.0)
        line = Pass(centre, 100, 20)
        suite.add(f"must/poles/beside-the-{name}-pole", f"The circle of 300 m has its centre 558 m from the {name} pole.",
                  [place("a", centre, 300)], timed([line.at(-900), line.at(900)]), "enter a 1, exit a 1", points=line.chord(300))
        suite.add(f"must/poles/circle-with-the-{name}-pole-inside",
                  f"The circle contains the {name} pole; the path begins in it beyond the pole from its centre, and goes on from there.",
                  [place("a", centre, 800)], timed([(sign * 89.998, -135.0), (sign * 89.99, -135.0)]), "exit a 1")
        suite.add(f"must/poles/start-at-the-{name}-pole", f"The path begins at the {name} pole, in a circle of another longitude.",
                  [place("a", (pole, -120.0), 500)], timed([(pole, 60.0), (sign * 89.9, 10.0)]), "exit a 1")
        suite.add(f"must/poles/at-fixes-{name}", f"Sides at fixes about the {name} pole.",
                  [place("a", (pole, 0.0), 1000)],
                  timed([(sign * 89.99, 0.0), (sign * 89.992, 120.0), (sign * 89.99, -120.0)]), "enter a 1, exit a 2",
                  {"test": "fixes"})
        line = Pass((sign * 85.0, 10.0), 90, 0)
        suite.add(f"must/poles/polar-flight-{name}", "A flight of 2,000 km at 85° of latitude, past circles of 20 km.",
                  [place("mid", line.at(0), 20_000), place("late", line.at(700_000), 20_000)],
                  timed([line.at(-1_000_000), line.at(1_000_000)], step=2 * HOUR),
                  "enter mid 1, exit mid 1, enter late 1, exit late 1")


FLIGHTS = [
    ("frankfurt-tokyo", (50.0379, 8.5622), (35.7720, 140.3929)), ("london-san-francisco", (51.4700, -0.4543), (37.6213, -122.3790)),
    ("sydney-santiago", (-33.9399, 151.1753), (-33.3930, -70.7858)), ("paris-moscow", (49.0097, 2.5479), (55.9726, 37.4146)),
    ("chicago-boston", (41.9742, -87.9073), (42.3656, -71.0096))]


def long_segments(suite):
    """A geodesic is not a line of latitude and longitude, and the difference is large."""
    for name, a, b in FLIGHTS:
        line = EARTH.InverseLine(*a, *b)
        found = line.Position(line.s13 / 2)
        middle = (round(found["lat2"], 10), round(found["lon2"], 10))
        flat = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        if abs(a[1] - b[1]) > 180:
            flat = (flat[0], flat[1] - 180 if flat[1] > 0 else flat[1] + 180)
        apart = meters(middle, flat)
        radius = 20_000 if apart > 60_000 else 5000
        suite.add(f"must/long-segments/{name}-on-the-geodesic",
                  f"One segment of {line.s13 / 1000:.0f} km. A circle of {radius // 1000} km lies in its middle.",
                  [place("a", middle, radius)], timed([a, b], step=12 * HOUR), "enter a 1, exit a 1")
        suite.add(f"must/long-segments/{name}-on-the-map",
                  f"The same segment. The middle of the straight line on a map of latitude and longitude is {apart / 1000:.0f} km "
                  "away: a circle there is not met.",
                  [place("a", flat, radius)], timed([a, b], step=12 * HOUR), "")
    for length in (10_000, 100_000, 1_000_000):
        centre = (60.0, 25.0)
        line = Pass(centre, 90, 0)
        places = [place(f"p{number}", line.at(length * (0.1 + 0.2 * number) - length / 2), length / 50) for number in range(5)]
        suite.add(f"must/long-segments/five-circles-on-{length // 1000}-km",
                  f"Five circles on a segment of {length // 1000} km at 60° of latitude.", places,
                  timed([line.at(-length / 2), line.at(length / 2)], step=3 * HOUR),
                  ", ".join(f"enter p{number} 1, exit p{number} 1" for number in range(5)))


GROUPS = [antimeridian, poles, long_segments]
