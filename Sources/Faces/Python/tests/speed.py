"""Measures how many fixes a second of processor time the engine follows from Python, on one core."""

import time

import numpy
import pyarrow as pa

import fencepost

FIXES = 1_000_000


def places(count):
    # 100,000 in an area of 5 by 5 degrees.
    side = 5 * (count / 100_000) ** 0.5
    lat, lon = numpy.random.default_rng(2).uniform(-side / 2, side / 2, (2, count))
    return fencepost.Places({
        "id": [str(number) for number in range(count)], "lat": 40 + lat, "lon": -75 + lon})


def walk(count):
    """A walk of a fix a second, at 1.4 m/s and slowly turning."""
    heading = numpy.cumsum(numpy.random.default_rng(1).normal(0, 0.02, count))
    north, east = (1.4 * numpy.cumsum(part(heading)) for part in (numpy.cos, numpy.sin))
    return pa.table({
        "time": pa.array(1_772_643_600_000 + 1000 * numpy.arange(count), pa.timestamp("ms", "UTC")),
        "lat": 40 + north / 111_000, "lon": -75 + east / 85_000})


def measured(title, count, work):
    start = time.process_time()
    found = work()
    seconds = time.process_time() - start
    print(f"{title:34} {count / seconds / 1e6:7.2f} million fixes/s, {len(found)} events", flush=True)


def main():
    table = walk(FIXES)
    for number in (219, 100_000):
        known = places(number)
        for title, options in (("fixed", {}), ("adaptive", {"refresh": "adaptive"})):
            rules = fencepost.Rules(**options)
            measured(f"{number} places, {title}, session", FIXES,
                     lambda: fencepost.Session(known, rules).feed(table))
            measured(f"{number} places, {title}, replay", FIXES,
                     lambda: fencepost.replay(table, known, rules))
    session = fencepost.Session(known)
    rows = list(zip(*(table.column(name).cast(kind).to_pylist()[:300_000] for name, kind in (
        ("lat", pa.float64()), ("lon", pa.float64()), ("time", pa.int64())))))

    def single():
        found = []
        for lat, lon, moment in rows:
            if events := session.feed_one(lat, lon, moment):
                found += events
        return found

    measured("100000 places, a fix a call", len(rows), single)
    start = time.process_time()
    for _ in range(1000):
        saved = session.snapshot()
    print(f"snapshot of {len(saved)} bytes in {(time.process_time() - start) * 1000:.0f} µs")


if __name__ == "__main__":
    main()
