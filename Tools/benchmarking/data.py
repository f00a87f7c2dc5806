"""The data of the benchmark: tracks and places, the same bytes every time and everywhere.

Only arithmetic that IEEE 754 fixes to the last bit is used; the sine of a mathematical library
differs between machines. A million fixes or places take some 15 seconds and are made once.
"""

import bisect
import datetime
import functools
import itertools
import math
import operator
import pathlib

START = datetime.datetime(2026, 3, 2)
METERS_PER_DEGREE = 111_195.0


class Random:
    """A seeded source of random numbers: S. Vigna's public `splitmix64.c`, 2015."""

    MASK = (1 << 64) - 1

    def __init__(self, seed, item=None):
        self.state = seed
        if item is not None:
            # A stream of its own for each item, so that items can be made in any order.
            self.state = (seed + item * 0xD1B5_4A32_D192_ED03) & self.MASK
            self.state = self.bits()

    def bits(self):
        self.state = (self.state + 0x9E37_79B9_7F4A_7C15) & self.MASK
        mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58_476D_1CE4_E5B9 & self.MASK
        mixed = (mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB & self.MASK
        return mixed ^ (mixed >> 31)

    def unit(self):
        """Uniform in 0 ..< 1."""
        return (self.bits() >> 11) * 2.0 ** -53

    def uniform(self, low, high):
        return low + (high - low) * self.unit()

    def index(self, count):
        return int(self.unit() * count)

    def bell(self):
        """Bell-shaped about 0 with a standard deviation of 1."""
        return (self.unit() + self.unit() + self.unit() + self.unit() - 2) * 1.7320508075688772

    def direction(self):
        """A direction, as the sine and cosine of its angle."""
        while True:
            x, y = self.uniform(-1, 1), self.uniform(-1, 1)
            square = x * x + y * y
            if 0.01 < square <= 1:
                length = math.sqrt(square)
                return x / length, y / length


# MARK: Where

def cosine(degrees):
    """By its power series, to 1e-9."""
    square = degrees * degrees * (math.pi / 180) * (math.pi / 180)
    term = total = 1.0
    for order in range(2, 20, 2):
        term = -term * square / (order * (order - 1))
        total += term
    return total


def micro(degrees):
    """Whole millionths of a degree, which GPX and NMEA both say exactly."""
    scaled = degrees * 1_000_000
    return int(scaled + 0.5) if scaled >= 0 else -int(0.5 - scaled)


def grid_point(latitude, longitude):
    """Millionths of degrees, with the longitude brought to -180 ... 180."""
    east = micro(longitude)
    if abs(east) > 180_000_000:
        east -= math.copysign(360_000_000, east)
    return micro(latitude), int(east)


class Plane:
    """Meters east and north of an origin, good enough to lay out a town."""

    def __init__(self, latitude, longitude):
        self.latitude, self.longitude = latitude, longitude
        self.per_degree = METERS_PER_DEGREE * cosine(latitude)

    def point(self, east, north):
        return grid_point(self.latitude + north / METERS_PER_DEGREE, self.longitude + east / self.per_degree)


# The metropolitan area that all tracks pass through: some 40 places a square kilometer in its
# core, as the densest tenth of the sample stories has, and a few in the suburbs.
METRO = Plane(39.952, -75.164)
METRO_METERS, CORE_METERS, CORE_SPREAD_METERS = 30_000.0, 5_000.0, 2_500.0
METRO_PLACES, DENSE_METRO_PLACES = 4_000, 12_000


def core_spot(random):
    return random.bell() * CORE_SPREAD_METERS, random.bell() * CORE_SPREAD_METERS


def metro_spot(random):
    """A spot of the area; the suburbs thin out towards the edge."""
    if random.unit() < 0.4:
        return core_spot(random)
    x, y = random.direction()
    radius = METRO_METERS * random.unit()
    return x * radius, y * radius


# MARK: Tracks

def journey(kind, seed):
    """An endless journey through the area: a point of the grid and a speed in m/s each second. A "drive" goes
    at up to 30 m/s with stops, a "walk" at 1.4 m/s in and about the core."""
    random = Random(seed)
    walks = kind == "walk"
    east, north = core_spot(random)
    goal_east, goal_north = core_spot(random)
    heading_east, heading_north = 1.0, 0.0
    speed, cruise, stands, brakes = 0.0, 1.4, 0, False
    while True:
        yield METRO.point(east, north), speed
        if walks:
            speed = 1.4
        elif stands > 0:
            stands -= 1
        elif brakes:
            speed = max(0.0, speed - 2.5)
            if speed == 0:
                brakes, stands = False, int(random.uniform(5, 40))
        else:
            # Slows for lights, speeds up to what the road allows.
            is_core = east * east + north * north < CORE_METERS * CORE_METERS
            brakes = random.unit() < (1 / 60 if is_core else 1 / 400)
            if random.unit() < 0.02:
                cruise = random.uniform(6, 15) if is_core else random.uniform(15, 30)
            speed = min(cruise, speed + 1.5) if speed < cruise else max(cruise, speed - 1.5)
        if speed > 0:
            ahead_east, ahead_north = goal_east - east, goal_north - north
            distance = math.sqrt(ahead_east * ahead_east + ahead_north * ahead_north)
            if distance < (20 if walks else 250):
                goal_east, goal_north = core_spot(random) if walks else metro_spot(random)
            else:
                # Turns towards the goal, as far as a second allows.
                across = (heading_east * ahead_north - heading_north * ahead_east) / distance
                along = (heading_east * ahead_east + heading_north * ahead_north) / distance
                wanted = across if along > 0 else -1.0 if across < 0 else 1.0
                turn = max(-0.15, min(0.15, wanted * 0.2 + random.bell() * 0.03))
                turned_east = heading_east - heading_north * turn
                turned_north = heading_north + heading_east * turn
                length = math.sqrt(turned_east * turned_east + turned_north * turned_north)
                heading_east, heading_north = turned_east / length, turned_north / length
        east += heading_east * speed
        north += heading_north * speed


def decimal(number, decimals=6):
    """A whole number divided by a power of ten, as text."""
    whole, rest = divmod(abs(number), 10 ** decimals)
    return f"{'-' if number < 0 else ''}{whole}.{rest:0{decimals}}"


def degrees(point):
    return decimal(point[0]), decimal(point[1])


def height(point):
    """Decimeters that wander a little, so that they cost a reader what real ones do."""
    return decimal(120 + abs(point[0]) // 97 % 400, 1)


def sentence(words):
    return f"${words}*{functools.reduce(operator.xor, words.encode()):02X}\r\n"


def angle(number, digits, signs):
    """Degrees and minutes; 0.00001 minutes are a sixth of a millionth of a degree."""
    whole, rest = divmod(abs(number), 1_000_000)
    return f"{whole:0{digits}}{rest * 6 // 100_000:02}.{rest * 6 % 100_000:05},{signs[number < 0]}"


def nmea(point, speed, time):
    clock = f"{time:%H%M%S}.00"
    where = f"{angle(point[0], 2, 'NS')},{angle(point[1], 3, 'EW')}"
    knots = decimal(int(speed * (3_600_000 / 1_852.0) + 0.5), 3)
    return (sentence(f"GPRMC,{clock},A,{where},{knots},,{time:%d%m%y},,,A")
            + sentence(f"GPGGA,{clock},{where},1,09,0.92,{height(point)},M,-34.1,M,,"))


def gpx(point, _, time):
    latitude, longitude = degrees(point)
    return (f'   <trkpt lat="{latitude}" lon="{longitude}"><ele>{height(point)}</ele>'
            f"<time>{time:%Y-%m-%dT%H:%M:%S}Z</time></trkpt>\n")


def csv(point, _, time):
    return f"{time:%Y-%m-%dT%H:%M:%S}Z,{','.join(degrees(point))}\n"


GPX_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Fencepost benchmark" xmlns="http://www.topografix.com/GPX/1/1">
  <trk><trkseg>
"""
FORMS = {"nmea": ("", nmea, ""), "gpx": (GPX_HEAD, gpx, "  </trkseg></trk>\n</gpx>\n"),
         "csv": ("time,lat,lon\n", csv, "")}


def seconds():
    return (START + datetime.timedelta(seconds=number) for number in itertools.count())


def write_track(path, kind="drive", fixes=1_000_000, form="nmea", seed=7):
    """Writes the first fixes of a journey, one a second."""
    head, row, foot = FORMS[form]
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(head)
        for (point, speed), time in itertools.islice(zip(journey(kind, seed), seconds()), fixes):
            file.write(row(point, speed, time))
        file.write(foot)


def write_tracks(folder, count, fixes, forms=("gpx", "nmea")):
    """Fills a folder with drives and walks in turns, each in the forms in turns."""
    pathlib.Path(folder).mkdir()
    for number in range(count):
        kind, form = ("drive", "walk")[number % 2], forms[number // 2 % len(forms)]
        write_track(f"{folder}/{number:03}-{kind}.{form}", kind, fixes, form, 100 + number)


# MARK: Places

# South, north, west and east in degrees of areas like the continents; one spans 180 degrees.
LANDS = [(25, 55, -125, -65), (-40, 10, -80, -40), (36, 62, -10, 40), (-34, 32, -15, 48),
         (8, 55, 60, 145), (-45, -10, 113, 185)]
CITIES = 4_000


def land_spot(random):
    south, north, west, east = LANDS[random.index(len(LANDS))]
    return random.uniform(south, north), random.uniform(west, east)


def radius_meters(random):
    """Most have the default; a few are whole quarters."""
    share = random.unit()
    if share < 0.8:
        return 100
    bounds = (50, 250) if share < 0.95 else (250, 1_000) if share < 0.999 else (2_000, 10_000)
    return int(random.uniform(*bounds))


def cities():
    """Planes and radii of cities, and the sum of the weights up to and including each."""
    found, sums, total = [], [], 0.0
    for rank in range(CITIES):
        # Zipf's law, flattened at the top as that of cities is.
        weight = 1 / (rank + 8)
        total += weight
        sums.append(total)
        found.append((Plane(*land_spot(Random(21, rank))), 60_000 * math.sqrt(weight)))
    return found, sums


def places(count, kind):
    """Clustered as real ones are: in cities of very different sizes, between them, in the metro. A "world"
    has them all, a "dense" one a fuller metro, a "city" nothing but the metro. Yields the point, the radius
    in meters, and the number of the city."""
    metro = {"world": min(count // 4, METRO_PLACES), "dense": min(count // 4, DENSE_METRO_PLACES),
             "city": count}[kind]
    stride = max(1, count // max(1, metro))
    planes, sums = cities()
    for number in range(count):
        random = Random(20, number)
        radius = radius_meters(random)
        if number % stride == 0 and number // stride < metro:
            yield METRO.point(*metro_spot(random)), radius, 0
        elif random.unit() < 0.85:
            city = min(bisect.bisect_right(sums, random.unit() * sums[-1]), CITIES - 1)
            plane, size = planes[city]
            x, y = random.direction()
            distance = size * random.unit() * random.unit()
            yield plane.point(x * distance, y * distance), radius, city + 1
        else:
            yield grid_point(*land_spot(random)), radius, -1


def write_places(path, count=1_000_000, kind="world"):
    """Writes places as CSV, with words as long as those of real stories."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("id,title,lat,lon,radius,blurb,url,category,priority\n")
        for number, (point, radius, city) in enumerate(places(count, kind)):
            latitude, longitude = degrees(point)
            file.write(
                f"s{number:07},Story {number} of town {city},{latitude},{longitude},{radius},"
                f"What happened here and why it still matters.,https://example.org/s/{number},"
                f"{('history', 'food', 'art', 'news')[number % 4]},{number % 4}\n")


def write_queries(path, places_file, count=10_000):
    """Writes positions to ask the nearest places of: those of places spread over a file."""
    lines = pathlib.Path(places_file).read_text(encoding="utf-8").splitlines()[1:]
    rows = (",".join(line.split(",")[2:4]) for line in lines[::max(1, len(lines) // count)][:count])
    with open(path, "w", encoding="utf-8") as file:
        file.write("lat,lon\n" + "".join(f"{row}\n" for row in rows))
