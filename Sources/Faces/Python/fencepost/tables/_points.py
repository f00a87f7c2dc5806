"""Points of GeoParquet, and the coordinate systems that they are in."""

import json
import struct
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ._columns import Fault

# Well-known binary: byte order, type, x and y. PostGIS marks z, m and a reference system by bits,
# others count z and m in thousands.
_POINT = 1
_HAS_REFERENCE_SYSTEM = 0x20000000
_MARKS = 0xE0000000


def point_columns(geometry: Any, system: Any = None) -> tuple[Any, Any]:
    """Longitudes and latitudes of a column of points: well-known binary, or structs of x and y.

    Other values become null, which fencepost counts as fixes without a position. `system` is the
    coordinate system of the points; None is WGS84.
    """
    xs, ys = _numbers(geometry)
    return (xs, ys) if system is None else transformed(xs, ys, system)


def located(batch: pa.RecordBatch, system: Any) -> pa.RecordBatch:
    """Rows with longitudes and latitudes in place of points."""
    if "geometry" not in batch.schema.names:
        return batch
    kept = {name: batch.column(name) for name in batch.schema.names}
    kept["lon"], kept["lat"] = point_columns(kept.pop("geometry"), system)
    return pa.RecordBatch.from_pydict(kept)


def _numbers(geometry: Any) -> tuple[Any, Any]:
    if isinstance(geometry, pa.ChunkedArray):
        geometry = geometry.combine_chunks()
    if pa.types.is_struct(geometry.type):
        return pc.struct_field(geometry, "x"), pc.struct_field(geometry, "y")
    points = [_point(value) or (None, None) for value in geometry.to_pylist()]
    xs, ys = zip(*points) if points else ((), ())
    return pa.array(xs, pa.float64()), pa.array(ys, pa.float64())


def _point(value: bytes | None) -> tuple[float, float] | None:
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


# MARK: Coordinate systems of GeoParquet

# What GeoParquet means by WGS84, longitude first whatever the order of the system's axes.
_WGS84 = {"OGC:CRS84", "OGC:CRS84H", "EPSG:4326", "EPSG:4979"}
_WGS84_NAMES = {"WGS 84", "WGS 84 (CRS84)", "WGS84"}


def system_of(metadata: bytes | str | None, column: str) -> Any:
    """The coordinate system of a column, by the key `geo` of a file's metadata; None for WGS84."""
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


def only(systems: Sequence[Any], column: str) -> Any:
    """The system that all files have."""
    first = systems[0] if systems else None
    if any(system != first for system in systems):
        raise Fault(
            f"has files whose {column} differs in its coordinate system; make a table of each"
        )
    return first


def check(system: Any, column: str) -> str:
    """Makes sure that points can be transformed; returns a sentence that says so."""
    try:
        import pyproj
    except ImportError:
        raise Fault(
            f"has points in {name_of(system)}, not in WGS84; the PyPI package pyproj transforms them: "
            "pip install pyproj"
        ) from None
    try:
        _transformer(system)
    except pyproj.exceptions.ProjError as fault:
        raise Fault(
            f"has points in {name_of(system)}, which pyproj cannot transform: {fault}"
        ) from None
    return (
        f"{column} was transformed from {name_of(system)} to WGS84 by pyproj {pyproj.__version__}."
    )


def name_of(system: Any) -> str:
    """The system in words: EPSG:3857 (WGS 84 / Pseudo-Mercator)."""
    identifier = _identifier(system)
    name = system.get("name", "") if isinstance(system, dict) else ""
    return (
        f"{identifier} ({name})"
        if identifier and name
        else identifier or name or "an unnamed system"
    )


def transformed(xs: Any, ys: Any, system: Any) -> tuple[Any, Any]:
    """Longitudes and latitudes of points in another system; null where WGS84 has no such point."""
    import numpy

    numbers = [
        pc.fill_null(pc.cast(values, pa.float64()), float("nan")).to_numpy(zero_copy_only=False)
        for values in (xs, ys)
    ]
    # What cannot be transformed is infinite.
    lons, lats = (numpy.where(numpy.isfinite(values), values, numpy.nan)
                  for values in _transformer(system).transform(*numbers))
    return (pa.array(lons, pa.float64(), from_pandas=True),
            pa.array(lats, pa.float64(), from_pandas=True))


def _transformer(system: Any) -> Any:
    import pyproj

    # By its name where it has one: PROJ knows it best.
    source = pyproj.CRS.from_user_input(_identifier(system) or system)
    return pyproj.Transformer.from_crs(source, "OGC:CRS84", always_xy=True)


def _identifier(system: Any) -> str:
    if not isinstance(system, dict):
        return str(system)[:100]
    identifier = system.get("id") or {}
    return (
        f"{identifier['authority']}:{identifier['code']}"
        if {"authority", "code"} <= identifier.keys()
        else ""
    )
