"""Frames, in which tracks go to `fencepost analyze --tracks-from -`, and what makes them of tables."""
import json
import struct

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv

from .columns import MOST_TRACK_FIXES, Fault

# Well-known binary: byte order, type, x and y. PostGIS marks z, m and a reference system by bits, others count
# z and m in thousands.
_POINT = 1
_HAS_REFERENCE_SYSTEM = 0x20000000
_MARKS = 0xE0000000
# The columns of numbers, with their names in CSV.
_NUMBERS = {"lat": "lat", "lon": "lon", "accuracy": "accuracy", "speed": "speed_mps", "course": "course"}


def frame(track, contents):
    """A track's frame."""
    return _header(track, bytes=len(contents)) + contents


def absent(track, error):
    """The frame of a track that could not be had."""
    return _header(track, error=error)


def _header(track, **members):
    return json.dumps({"track": track, **members}, ensure_ascii=False).encode() + b"\n"


def point_columns(geometry, system=None):
    """Longitudes and latitudes of a GeoParquet column: points as well-known binary, or structs of x and y.

    A value that is no point becomes null, which fencepost counts as a fix without a position. `system` is the
    coordinate system of the points; None is WGS84.
    """
    xs, ys = _numbers(geometry)
    return (xs, ys) if system is None else transformed(xs, ys, system)


def _numbers(geometry):
    if isinstance(geometry, pa.ChunkedArray):
        geometry = geometry.combine_chunks()
    if pa.types.is_struct(geometry.type):
        return pc.struct_field(geometry, "x"), pc.struct_field(geometry, "y")
    points = [_point(value) or (None, None) for value in geometry.to_pylist()]
    return tuple(pa.array([point[axis] for point in points], pa.float64()) for axis in (0, 1))


def _point(value):
    if value is None or len(value) < 21:
        return None
    order = "<" if value[0] == 1 else ">"
    (kind,) = struct.unpack_from(order + "I", value, 1)
    start = 9 if kind & _HAS_REFERENCE_SYSTEM else 5
    if (kind & ~_MARKS) % 1000 != _POINT or len(value) < start + 16:
        return None
    x, y = struct.unpack_from(order + "2d", value, start)
    # An empty point has no numbers.
    return None if x != x or y != y else (x, y)


def csv_of(rows, has_header=True):
    """Fixes as CSV: times in UTC to the microsecond, numbers with all their digits."""
    fields = {"time": utc_text(rows["time"])} if "time" in rows.schema.names else {}
    fields |= {name: pc.cast(rows[column], pa.float64()) for column, name in _NUMBERS.items()
               if column in rows.schema.names}
    sink = pa.BufferOutputStream()
    csv.write_csv(pa.table(fields), sink, csv.WriteOptions(include_header=has_header, quoting_style="none"))
    return sink.getvalue().to_pybytes()


def is_untimed(times):
    """Which times are missing: null, no number, or empty text."""
    if pa.types.is_floating(times.type):
        return pc.is_null(times, nan_is_null=True)
    if pa.types.is_string(times.type) or pa.types.is_large_string(times.type):
        return pc.fill_null(pc.equal(pc.utf8_trim_whitespace(times), ""), True)
    return pc.is_null(times)


def microseconds(times):
    """Times to the microsecond, which is as precise as they are written; a remainder of nanoseconds is cut off."""
    if not pa.types.is_timestamp(times.type) or times.type.unit != "ns":
        return times
    return times.cast(pa.timestamp("us", tz=times.type.tz), safe=False)


def utc_text(times):
    """Times as ISO 8601; without a zone they are UTC, and numbers are kept as they are."""
    if isinstance(times, pa.ChunkedArray):
        times = times.combine_chunks()
    if not pa.types.is_timestamp(times.type):
        return times
    times = microseconds(times)
    # Formatting ends with the precision of the type.
    instants = times.cast(pa.timestamp("us")) if times.type.tz is None else times.cast(
        pa.timestamp("us", tz="UTC")).cast(pa.timestamp("us"))
    return pc.binary_join_element_wise(pc.strftime(instants, "%Y-%m-%dT%H:%M:%S"), "Z", "")


class TableTracks:
    """Cuts rows that are sorted by track into frames; a track's rows may span batches."""

    def __init__(self, most_fixes=MOST_TRACK_FIXES):
        self.most_fixes = most_fixes
        self.track = None
        self.count = 0
        # As CSV, which takes less memory than rows.
        self.pieces = []

    def all(self, batches):
        """Gives (track, frame) of all tracks."""
        for batch in batches:
            yield from self.take(batch)
        yield from self.finish()

    def take(self, batch):
        """Gives (track, frame) of the tracks that end in a batch with track, lat, lon and perhaps time."""
        tracks = batch.column("track")
        if tracks.null_count:
            raise ValueError(f"{tracks.null_count} fixes have no track")
        start = 0
        names = pc.run_end_encode(tracks)
        for end, name in zip(names.run_ends.to_pylist(), names.values.to_pylist()):
            if name != self.track:
                yield from self.finish()
                self.track = name
            self.count += end - start
            if self.count <= self.most_fixes:
                self.pieces.append(csv_of(batch.slice(start, end - start), not self.pieces))
            else:
                self.pieces = []
            start = end

    def finish(self):
        """Gives the frame of the last track."""
        if self.track is None:
            return
        if self.count > self.most_fixes:
            yield self.track, absent(
                self.track, f"{self.count:,} fixes are too many for one track; split it, or raise --track-fixes")
        else:
            yield self.track, frame(self.track, b"".join(self.pieces))
        self.track, self.count, self.pieces = None, 0, []


# MARK: Coordinate systems of GeoParquet

# What GeoParquet means by WGS84, longitude first whatever the order of the system's axes.
_WGS84 = {"OGC:CRS84", "OGC:CRS84H", "EPSG:4326", "EPSG:4979"}
_WGS84_NAMES = {"WGS 84", "WGS 84 (CRS84)", "WGS84"}


def system_of(metadata, column):
    """The coordinate system of a column, of a file's metadata by the key `geo`; None for WGS84."""
    if not metadata:
        return None
    try:
        system = json.loads(metadata)["columns"].get(column, {}).get("crs")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Fault("has metadata by the key geo that are not GeoParquet's") from None
    if not system or _identifier(system).upper() in _WGS84:
        return None
    if isinstance(system, dict) and "id" not in system and system.get("name") in _WGS84_NAMES:
        return None
    return system


def only(systems, column):
    """The system that all files have."""
    first = systems[0] if systems else None
    if any(system != first for system in systems):
        raise Fault(f"has files whose {column} differs in its coordinate system; make a table of each")
    return first


def check(system, column):
    """Makes sure that points can be transformed; gives the sentence that says so."""
    try:
        import pyproj
    except ImportError:
        raise Fault(f"has points in {name_of(system)}, not in WGS84; the PyPI package pyproj transforms them: "
                    "pip install pyproj") from None
    try:
        _transformer(system)
    except pyproj.exceptions.ProjError as fault:
        raise Fault(f"has points in {name_of(system)}, which pyproj cannot transform: {fault}") from None
    return f"{column} was transformed from {name_of(system)} to WGS84 by pyproj {pyproj.__version__}."


def name_of(system):
    """The system in words: EPSG:3857 (WGS 84 / Pseudo-Mercator)."""
    identifier = _identifier(system)
    name = system.get("name", "") if isinstance(system, dict) else ""
    return f"{identifier} ({name})" if identifier and name else identifier or name or "an unnamed system"


def transformed(xs, ys, system):
    """Longitudes and latitudes of points in another system; a point without a place in WGS84 becomes null."""
    import numpy

    numbers = [pc.fill_null(pc.cast(values, pa.float64()), float("nan")).to_numpy(zero_copy_only=False)
               for values in (xs, ys)]
    # What cannot be transformed is infinite.
    lons, lats = (numpy.where(numpy.isfinite(values), values, numpy.nan)
                  for values in _transformer(system).transform(*numbers))
    return tuple(pa.array(values, pa.float64(), from_pandas=True) for values in (lons, lats))


def _transformer(system):
    import pyproj

    # By its name where it has one: PROJ knows it best.
    source = pyproj.CRS.from_user_input(_identifier(system) or system)
    return pyproj.Transformer.from_crs(source, "OGC:CRS84", always_xy=True)


def _identifier(system):
    if not isinstance(system, dict):
        return str(system)[:100]
    identifier = system.get("id") or {}
    return f"{identifier['authority']}:{identifier['code']}" if {"authority", "code"} <= identifier.keys() else ""
