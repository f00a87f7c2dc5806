"""Frames, in which tracks go to `fencepost analyze --tracks-from -`, and tables of fixes as such."""
import json
import struct

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv

# Well-known binary: byte order, type, x and y. PostGIS marks z, m and a reference system by bits, others count
# z and m in thousands.
_POINT = 1
_HAS_REFERENCE_SYSTEM = 0x20000000
_MARKS = 0xE0000000


def frame(track, contents):
    """A track's frame."""
    return header(track, bytes=len(contents)) + contents


def absent(track, error):
    """The frame of a track that could not be had."""
    return header(track, error=error)


def header(track, **members):
    return json.dumps({"track": track, **members}, ensure_ascii=False).encode() + b"\n"


def point_columns(geometry):
    """Longitudes and latitudes of a GeoParquet column: points as well-known binary, or structs of x and y.

    A value that is no point becomes null, which fencepost counts as a fix without a position.
    """
    if isinstance(geometry, pa.ChunkedArray):
        geometry = geometry.combine_chunks()
    if pa.types.is_struct(geometry.type):
        return pc.struct_field(geometry, "x"), pc.struct_field(geometry, "y")
    points = [_point(value) for value in geometry.to_pylist()]
    return (pa.array([point and point[0] for point in points], pa.float64()),
            pa.array([point and point[1] for point in points], pa.float64()))


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


def csv_of(times, lons, lats):
    """Fixes as CSV: times in UTC to the microsecond, coordinates with all their digits."""
    columns = {} if times is None else {"time": times}
    table = pa.table(columns | {"lat": pc.cast(lats, pa.float64()), "lon": pc.cast(lons, pa.float64())})
    sink = pa.BufferOutputStream()
    csv.write_csv(table, sink, csv.WriteOptions(quoting_style="none"))
    return sink.getvalue().to_pybytes()


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

    def __init__(self):
        self.track = None
        self.pieces = []

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
            self.pieces.append(batch.slice(start, end - start))
            start = end

    def finish(self):
        """Gives the frame of the last track."""
        if self.track is None:
            return
        rows = pa.Table.from_batches(self.pieces)
        times = utc_text(rows["time"]) if "time" in rows.column_names else None
        yield self.track, frame(self.track, csv_of(times, rows["lon"], rows["lat"]))
        self.track, self.pieces = None, []
