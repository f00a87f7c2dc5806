"""Many walks on Apache Spark: with the engine in each task, or as whole analyses.

`replay` follows every track of a DataFrame. `fencepost.spark.stream` follows fixes as they arrive.
`python -m fencepost.spark` runs `fencepost analyze` over a cluster. Needs the PyPI packages pyspark
(4.1 or later), pyarrow, pandas and, for streams, protobuf.
"""

import functools
import io
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from .. import _fixes
from .._library import library_path
from ..places import Places
from ..rules import Rules
from ..session import STANDARD, track_of
from ..tables import _columns as columns_of, _points as points

__all__ = ["EVENTS", "replay", "ship"]

#: The columns of events; `line` is the line of NDJSON that the program writes.
EVENTS = ("track string, type string, place string, time timestamp, fix long, lat double, "
          "lon double, line string")
_FIELDS = pa.schema([
    ("track", pa.string()), ("type", pa.string()), ("place", pa.string()), ("time", pa.string()),
    ("fix", pa.int64()), ("lat", pa.float64()), ("lon", pa.float64())])
_SHIPPED = "libfencepost.so"
# How many bytes of events become a batch of rows.
_BATCH_BYTES = 4 << 20


def replay(
    fixes: Any, places: Places, rules: Rules | None = None, *,
    columns: Mapping[str, str] | None = None, events: str = STANDARD,
) -> Any:
    """Follows each track of a DataFrame of fixes in any order, as `fencepost replay` does.

    Returns a DataFrame of `EVENTS`, whose lines are byte for byte those of one machine. `columns`
    names the columns that have other names, such as {"track": "trip"}; `order` is the column by
    which a track's fixes go instead of their times. Memory does not grow with the fixes of a track.
    Raises TableError where a column is missing.
    """
    from pyspark.sql import functions

    chosen = columns_of.choose(columns or {}, fixes.columns)
    chosen.pop("course", None)
    named = fixes.select([functions.col(f"`{column}`").alias(name)
                          for name, column in chosen.items()])
    named = named.withColumn("track", named["track"].cast("string"))
    order = [name for name in ("order", "time", "lat", "lon") if name in chosen]
    tracks = named.repartition("track").sortWithinPartitions("track", *order)
    task = functools.partial(_follow, places.json, (rules or Rules()).document, events)
    return tracks.mapInArrow(task, EVENTS)


def ship(spark: Any) -> None:
    """Sends this module and the engine to executors on which the wheel is not installed."""
    archive = os.path.join(tempfile.mkdtemp(), "fencepost.zip")
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with zipfile.ZipFile(archive, "w") as out:
        for place, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.endswith(".py"):
                    path = os.path.join(place, name)
                    out.write(path, os.path.relpath(path, os.path.dirname(folder)))
    spark.sparkContext.addPyFile(archive)
    engine = os.path.join(os.path.dirname(archive), _SHIPPED)
    os.symlink(os.path.abspath(library_path()), engine)
    spark.sparkContext.addFile(engine)


def use_engine() -> None:
    """Finds the engine in a task, where `ship` has sent it."""
    if os.path.exists(library_path()):
        return
    from pyspark import SparkFiles

    os.environ["FENCEPOST_LIBRARY"] = SparkFiles.get(_SHIPPED)


@functools.lru_cache(maxsize=2)
def indexed(document: bytes) -> Places:
    """Places, which a worker indexes once for all of its tasks."""
    return Places(document)


def _follow(
    places: bytes, document: bytes, events: str, batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """Follows tracks whose fixes are sorted; a track may span batches."""
    use_engine()
    known = indexed(places)
    track, session, lines, size = None, None, [], 0
    for batch in batches:
        batch = points.located(batch, None)
        ends = pc.run_end_encode(batch.column("track"))
        start = 0
        for end, name in zip(ends.run_ends.to_pylist(), ends.values.to_pylist()):
            if session is None or name != track:
                if session is not None:
                    lines.append(session._finish())
                track, session = name, track_of(known, document, str(name), events)
            lines.append(session._follow(batch.slice(start, end - start), None))
            size += len(lines[-1])
            start = end
        if size > _BATCH_BYTES:
            yield rows_of(b"".join(lines))
            lines, size = [], 0
    if session is not None:
        lines.append(session._finish())
    found = b"".join(lines)
    if found:
        yield rows_of(found)


def rows_of(lines: bytes) -> pa.RecordBatch:
    """Lines of events as rows of `EVENTS`."""
    texts = pa.array(lines.splitlines(), pa.binary()).cast(pa.string())
    longest = pc.max(pc.binary_length(texts)).as_py()
    found = pyarrow.json.read_json(
        io.BytesIO(lines),
        read_options=pyarrow.json.ReadOptions(block_size=max(1 << 22, 2 * longest)),
        parse_options=pyarrow.json.ParseOptions(
            explicit_schema=_FIELDS, unexpected_field_behavior="ignore"))
    fields = {name: found.column(name).combine_chunks() for name in found.column_names}
    times = fields["time"].cast(pa.timestamp("us", "UTC"))
    return pa.RecordBatch.from_pydict(
        {name: fields[name] for name in ("track", "type", "place")} | {"time": times}
        | {name: fields[name] for name in ("fix", "lat", "lon")} | {"line": texts})
