"""Seeded cases in the form of Data/conformance, anywhere on the globe, without expected events."""

import datetime
import math
import random

RULES = [
    {}, {"regions": 5, "rank": "edge"}, {"regions": 8, "refresh": "adaptive"},
    {"test": "fixes", "accuracy": "intersects"}, {"confirmFixes": 2, "exitMarginMeters": 30},
    {"holdSeconds": 20, "dwellSeconds": 90}]
START = datetime.datetime(2026, 3, 4, 9, tzinfo=datetime.timezone.utc)
# Of a meter along a meridian.
DEGREES = 9e-6


def moved(numbers, lat, lon, meters):
    """A point about so many meters away, in any direction; the path may cross a pole or 180°."""
    angle = numbers.uniform(0, 2 * math.pi)
    lat = max(-89.99, min(89.99, lat + meters * DEGREES * math.cos(angle)))
    lon += meters * DEGREES * math.sin(angle) / math.cos(math.radians(lat))
    return round(lat, 10), round((lon + 540) % 360 - 180, 10)


def world(seed):
    numbers = random.Random(seed)
    point = math.degrees(math.asin(numbers.uniform(-1, 1))), numbers.choice([180, numbers.uniform(-180, 180)])
    step = numbers.choice([5, 80, 1_500, 60_000])
    fixes, time = [], START
    for _ in range(numbers.randint(20, 120)):
        point = moved(numbers, *point, numbers.uniform(0, step))
        time += datetime.timedelta(milliseconds=numbers.randint(1, 120_000))
        fixes.append({"time": time.isoformat(timespec="milliseconds").replace("+00:00", "Z"), "lat": point[0],
                      "lon": point[1], "accuracy": round(numbers.uniform(3, 60), 1)})
    places = []
    for number in range(numbers.randint(5, 60)):
        near = numbers.choice(fixes)
        lat, lon = moved(numbers, near["lat"], near["lon"], numbers.uniform(0, 3 * step))
        places.append({"id": f"p{number}", "lat": lat, "lon": lon, "radius": round(numbers.uniform(10, 2 * step + 50), 1)})
    return {"case": f"world {seed}", "rule": RULES[seed % len(RULES)], "places": places, "fixes": fixes}
