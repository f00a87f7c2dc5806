"""The coordinate system of a GeoParquet column, and the way from there to WGS84."""
import json

import pyarrow as pa
import pyarrow.compute as pc

from .columns import Fault

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
