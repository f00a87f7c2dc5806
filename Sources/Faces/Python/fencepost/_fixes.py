"""Fixes from any kind of rows, as columns that the engine reads in place."""

import collections.abc
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ._library import NO_TIME, FencepostError

#: A file, an Arrow table or reader, a data frame of pandas, Polars or GeoPandas, arrays or lists by
#: name, a structured array of numpy, or dictionaries.
Fixes: TypeAlias = Any
#: The column of each value where it has another name: {"lat": "latitude"}.
Columns: TypeAlias = Mapping[str, str] | None

NAMES = ("time", "lat", "lon", "accuracy", "speed", "segment")
_TYPES = {"lat": pa.float64(), "lon": pa.float64(), "accuracy": pa.float32(),
          "speed": pa.float32(), "segment": pa.int32()}
_MISSING = {"time": NO_TIME, "lat": float("nan"), "lon": float("nan"),
            "accuracy": float("nan"), "speed": float("nan"), "segment": 0}


class Chunk(NamedTuple):
    """Some fixes: their number, and where each column begins; None if there is no such column."""
    length: int
    addresses: tuple[int | None, ...]
    arrays: tuple[pa.Array | None, ...]


def is_path(fixes: Fixes) -> bool:
    return isinstance(fixes, (str, os.PathLike))


def reader(rows: Any) -> Iterable[pa.RecordBatch]:
    """Rows of any kind as Arrow record batches; what is Arrow already is not copied."""
    if isinstance(rows, pa.RecordBatch):
        return [rows]
    if isinstance(rows, pa.Table):
        return list(rows.to_batches())
    if hasattr(rows, "geometry") and hasattr(rows, "crs"):
        rows = _with_positions(rows)
    elif isinstance(rows, collections.abc.Mapping):
        rows = pa.table({name: _array(values) for name, values in rows.items()})
    elif getattr(getattr(rows, "dtype", None), "names", None):
        rows = pa.table({name: _array(rows[name]) for name in rows.dtype.names})
    if isinstance(rows, pa.Table):
        return list(rows.to_batches())
    if hasattr(rows, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(rows)  # type: ignore[no-any-return]
    if hasattr(rows, "__arrow_c_array__"):
        return [pa.record_batch(rows)]
    if hasattr(rows, "columns") and hasattr(rows, "iloc"):
        return list(pa.Table.from_pandas(rows, preserve_index=False).to_batches())
    rows = list(rows)
    return list(pa.Table.from_pylist(rows).to_batches()) if rows else []


def _with_positions(frame: Any) -> Any:
    """A frame of GeoPandas with its points as columns."""
    if frame.crs is not None and not frame.crs.equals("EPSG:4326"):
        frame = frame.to_crs("EPSG:4326")
    points = frame.geometry
    if not (points.geom_type.isna() | (points.geom_type == "Point")).all():
        raise FencepostError("a geometry is not a point")
    plain = frame.drop(columns=frame.geometry.name)
    return pa.Table.from_pandas(plain, preserve_index=False).append_column(
        "lat", _array(points.y)).append_column("lon", _array(points.x))


def _array(values: Any) -> pa.Array:
    return values if isinstance(values, (pa.Array, pa.ChunkedArray)) else pa.array(values)


def chunks(fixes: Fixes, columns: Columns = None) -> Iterator[Chunk]:
    """The fixes of rows in pieces."""
    for batch in reader(fixes):
        if batch.num_rows:
            yield chunk(batch, columns)


def chunk(batch: pa.RecordBatch, columns: Columns) -> Chunk:
    named = {name: (columns or {}).get(name, name) for name in NAMES}
    present = set(batch.schema.names)
    for name, column in named.items():
        if column not in present and (name in ("lat", "lon") or column != name):
            raise FencepostError(
                f"no column “{column}”; there are {', '.join(batch.schema.names)}")
    arrays = tuple(
        column_of(name, batch.column(batch.schema.get_field_index(column)))
        if column in present else None for name, column in named.items())
    return Chunk(batch.num_rows, tuple(map(address, arrays)), arrays)


def column_of(name: str, values: pa.Array) -> pa.Array:
    """A column in the type that the engine reads; not copied if it has that type already."""
    if pa.types.is_null(values.type):
        values = values.cast(_TYPES.get(name, pa.int64()))
    try:
        values = milliseconds(values) if name == "time" else values.cast(_TYPES[name], safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise FencepostError(f"the column of “{name}” cannot be read: {error}") from None
    return values.fill_null(_MISSING[name]) if values.null_count else values


def milliseconds(times: pa.Array) -> pa.Array:
    """Times since 1970 in UTC. Numbers are seconds, milli-, micro- or nanoseconds by their size."""
    kind = times.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        try:
            times = times.cast(pa.timestamp("us", "UTC"))
        except pa.ArrowInvalid:
            times = times.cast(pa.timestamp("us"))
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return _counted(times)
    elif not pa.types.is_timestamp(kind):
        raise FencepostError(f"times cannot be of type {kind}")
    unit = times.type.unit
    counts = times.view(pa.int64())
    if unit == "ms":
        return counts
    if unit == "s":
        return pc.multiply(counts, 1000)
    return _divided(counts, 1_000 if unit == "us" else 1_000_000)


def _counted(times: pa.Array) -> pa.Array:
    if pa.types.is_integer(times.type):
        least, most = (abs(end or 0) for end in pc.min_max(times).as_py().values())
        greatest = max(least, most)
        counts = times.cast(pa.int64())
        if greatest < 10**11:
            return pc.multiply(counts, 1000)
        if greatest < 10**14:
            return counts
        return _divided(counts, 1_000 if greatest < 10**17 else 1_000_000)
    known = pc.if_else(pc.is_finite(times), times, None).cast(pa.float64())
    greatest = pc.max(pc.abs(known)).as_py() or 0
    factor = 1e3 if greatest < 1e11 else 1 if greatest < 1e14 else 1e-3 if greatest < 1e17 else 1e-6
    return pc.round(pc.multiply(known, factor)).cast(pa.int64())


def _divided(counts: pa.Array, divisor: int) -> pa.Array:
    """Divides and rounds down, before 1970 too."""
    quotient = pc.divide(counts, divisor)
    is_below = pc.less(counts, pc.multiply(quotient, divisor))
    return (
        pc.subtract(quotient, is_below.cast(pa.int64())) if pc.any(is_below).as_py() else quotient
    )


def address(values: pa.Array | None) -> int | None:
    if values is None:
        return None
    start: int = values.buffers()[1].address
    width: int = values.type.bit_width // 8
    return start + int(values.offset) * width
