"""Tables of fixes and of analyses on one machine, without Spark."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as parquet

from . import _columns as columns, _frames as frames, _points as points, _schema as schema
from ._typed import TypedLines

_BATCH_ROWS = 20_000
# What a row takes in memory while a table is sorted, about.
_ROW_BYTES = 150


def write_tracks(
    paths: Sequence[str], names: Mapping[str, str], out: BinaryIO,
    say: Callable[[str], None] = print, most_fixes: int = columns.MOST_TRACK_FIXES,
    where: Sequence[columns.Condition] = (),
) -> None:
    """Writes the stream of tracks that tables of fixes hold; nothing if a table is at fault.

    `say` gets sentences for the user.
    """
    fixes = sorted_fixes(paths, names, say, where)
    batches = fixes.combine_chunks().to_batches(_BATCH_ROWS)
    tracks = frames.TableTracks(most_fixes=most_fixes)
    out.writelines(contents for _, contents in tracks.all(batches))
    out.flush()


def sorted_fixes(
    paths: Sequence[str], names: Mapping[str, str], say: Callable[[str], None],
    where: Sequence[columns.Condition] = (),
) -> pa.Table:
    """The fixes of tables by track and time."""
    tables = [read_fixes(path, names, say, where) for path in paths]
    try:
        fixes = pa.concat_tables(tables, promote_options="default")
        return _in_order(_with_times(fixes, names, ", ".join(paths), say))
    except pa.ArrowException as fault:
        raise columns.Fault(f"the tables do not fit together: {fault}") from None


def _with_times(
    fixes: pa.Table, names: Mapping[str, str], paths: str, say: Callable[[str], None],
) -> pa.Table:
    """The fixes without those that lack a time; all of them, and no times, where there are none."""
    if "time" not in fixes.column_names:
        return fixes
    untimed = frames.is_untimed(fixes["time"])
    try:
        counts, sentence = columns.timed(
            len(fixes),
            pc.sum(untimed).as_py() or 0,
            columns.wanted(names)["time"],
            "order" in fixes.column_names and "person" not in fixes.column_names,
        )
    except columns.Fault as fault:
        raise columns.Fault(f"{paths}: {fault}") from None
    if sentence:
        say(f"{paths}: {sentence}")
    return fixes.filter(pc.invert(untimed)) if counts else fixes.drop_columns(["time"])


def check_memory(rows: int, available_bytes: int | None) -> None:
    """Refuses a table that certainly exceeds the free memory."""
    needed = rows * _ROW_BYTES
    if available_bytes is not None and needed > available_bytes:
        raise columns.Fault(
            f"{rows:,} rows need about {needed / 1e9:.1f} GB of memory, and {available_bytes / 1e9:.1f} "
            "GB are free; read a part of the table, or use fencepost.spark"
        )


def _free_bytes() -> int | None:
    """The free memory; None if the system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            sizes = dict(line.split(":", 1) for line in file)
        return int(sizes["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def read_fixes(
    path: str, names: Mapping[str, str], say: Callable[[str], None] = print,
    where: Sequence[columns.Condition] = (),
) -> pa.Table:
    """A table's fixes, under names of our own."""
    try:
        dataset = _dataset(path, where)
        lists = [field.name for field in dataset.schema if pa.types.is_list(field.type)]
        chosen = columns.choose(names, dataset.schema.names, lists)
        check_memory(sum(piece.metadata.num_rows for piece in dataset.fragments), _free_bytes())
        for sentence in columns.notices(chosen, dataset.schema.names):
            say(f"{path}: {sentence}")
        system = None
        if geometry := chosen.get("geometry"):
            system = points.only(
                [
                    points.system_of((piece.metadata.metadata or {}).get(b"geo"), geometry)
                    for piece in dataset.fragments
                ],
                geometry,
            )
        if geometry and system is not None:
            say(f"{path}: {points.check(system, geometry)}")
        table = dataset.read(columns=sorted(set(chosen.values())))
        fixes = pa.table({name: table[column] for name, column in chosen.items()})
        columns.check_filled(
            len(fixes),
            {
                chosen[name]: fixes[name].null_count
                for name in ("track", "person")
                if name in chosen
            },
        )
        return _converted(fixes, system)
    except FileNotFoundError:
        raise columns.Fault(f"{path}: there is no such file or folder") from None
    except pa.ArrowException as fault:
        raise columns.Fault(f"{path}: cannot be read as Parquet: {fault}") from None
    except columns.Fault as fault:
        raise columns.Fault(f"{path}: {fault}") from None


def _dataset(path: str, where: Sequence[columns.Condition] = ()) -> Any:
    """The files of a table; alone, Arrow would cut all numbers to the width of the first file's."""
    schema_of_first = parquet.ParquetDataset(path).schema
    # Folders' names come as dictionaries, which a schema cannot ask for.
    kinds = [field.type.value_type if pa.types.is_dictionary(field.type)
             else pa.float64() if pa.types.is_floating(field.type) else field.type
             for field in schema_of_first]
    wide = pa.schema([field.with_type(kind) for field, kind in zip(schema_of_first, kinds)])
    return parquet.ParquetDataset(path, schema=wide, filters=_filter(wide, where))


def _filter(schema_of_table: pa.Schema, where: Iterable[columns.Condition]) -> Any:
    """Conditions as an expression, so that whole files and row groups can be skipped."""
    found = None
    for condition in where:
        if condition.column not in schema_of_table.names:
            raise columns.Fault(
                f"has no column {condition.column}, but {', '.join(schema_of_table.names)}")
        kind = schema_of_table.field(condition.column).type
        try:
            value = pa.scalar(condition.value).cast(kind)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            raise columns.Fault(
                f"the value {condition.value} does not fit {condition.column}, of type {kind}"
            ) from None
        each = condition.apply(pc.field(condition.column), value)
        found = each if found is None else found & each
    return found


def _converted(fixes: pa.Table, system: Any = None) -> pa.Table:
    """Fixes with tracks as text, coordinates as numbers and times as they are written."""
    if "geometry" in fixes.column_names:
        lons, lats = points.point_columns(fixes["geometry"], system)
        fixes = (
            fixes.drop_columns(["geometry"]).append_column("lat", lats).append_column("lon", lons)
        )
    kinds = dict.fromkeys(("lat", "lon", *columns.MEASURES), pa.float64())
    kinds |= {"track": pa.string(), "person": pa.string()}
    return pa.table({
        name: frames.microseconds(values) if name == "time"
        else pc.cast(values, kinds[name]) if name in kinds else values
        for name, values in zip(fixes.column_names, fixes.columns)})


def _in_order(fixes: pa.Table) -> pa.Table:
    """The fixes by track and time; with persons, each person's tracks by their first times."""
    names = fixes.column_names
    keys = ["track"]
    if "person" in names:
        track = pc.replace_substring(fixes["track"], "/", "%2F")
        fixes = fixes.set_column(
            names.index("track"), "track", pc.binary_join_element_wise(fixes["person"], track, "/"))
        starts = (
            fixes.group_by("track").aggregate([("time", "min")]).rename_columns(["track", "start"])
        )
        fixes = fixes.join(starts, "track")
        keys = ["person", "start", "track"]
    keys += [name for name in ("order", "time", "lat", "lon") if name in names]
    return fixes.sort_by([(key, "ascending") for key in keys])


def write_tables(analysis: str, folder: str) -> None:
    """Writes the typed tables of an analysis in NDJSON; ``-`` is standard input."""
    try:
        source = sys.stdin if analysis == "-" else open(analysis, encoding="utf-8")
    except OSError as fault:
        raise columns.Fault(f"{analysis}: cannot be opened: {fault.strerror}") from None
    os.makedirs(folder, exist_ok=True)
    lines, number = TypedLines(), 0
    with source, contextlib.ExitStack() as files:
        writers: dict[str, Any] = {}

        def write(pieces: Iterable[tuple[str, pa.RecordBatch]]) -> None:
            for table, rows in pieces:
                if table not in writers:
                    writers[table] = files.enter_context(parquet.ParquetWriter(
                        os.path.join(folder, f"{table}.parquet"), schema.arrow_schema(table),
                        compression="zstd"))
                writers[table].write_batch(rows)

        try:
            for number, line in enumerate(source, 1):
                write(lines.take(line.rstrip("\n")))
        except (ValueError, KeyError, TypeError) as fault:
            # Text is decoded ahead of its lines.
            where = "" if isinstance(fault, UnicodeDecodeError) else f"line {number}: "
            raise columns.Fault(f"{analysis}: {where}is no line of an analysis: {fault}") from None
        write(lines.finish())
    if "totals" not in writers:
        raise columns.Fault(f"{analysis}: ends early, without its totals")
