"""Tables of fixes and of analyses on one machine, without Spark."""
import os
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as parquet

from . import columns, frames, schema, typed

_BATCH_ROWS = 20_000


def write_tracks(paths, names, out):
    """Writes the stream of tracks that tables of fixes hold; nothing if a table is at fault."""
    tables = [read_fixes(path, names) for path in paths]
    try:
        fixes = _in_order(pa.concat_tables(tables, promote_options="default"))
    except pa.ArrowException as fault:
        raise columns.Fault(f"the tables do not fit together: {fault}") from None
    tracks = frames.TableTracks()
    for batch in fixes.combine_chunks().to_batches(_BATCH_ROWS):
        for _, contents in tracks.take(batch):
            out.write(contents)
    for _, contents in tracks.finish():
        out.write(contents)
    out.flush()


def read_fixes(path, names):
    """A table's fixes, under names of our own."""
    try:
        dataset = parquet.ParquetDataset(path)
        chosen = columns.choose(names, dataset.schema.names)
        table = dataset.read(columns=sorted(set(chosen.values())))
        fixes = pa.table({name: table[column] for name, column in chosen.items()})
        columns.check_filled(
            len(fixes), {chosen[name]: fixes[name].null_count for name in ("track", "person") if name in chosen})
        return _converted(fixes)
    except FileNotFoundError:
        raise columns.Fault(f"{path}: there is no such file or folder") from None
    except pa.ArrowException as fault:
        raise columns.Fault(f"{path}: cannot be read as Parquet: {fault}") from None
    except columns.Fault as fault:
        raise columns.Fault(f"{path}: {fault}") from None


def _converted(fixes):
    """Fixes with names of tracks as text, coordinates as numbers and times as precise as they are written."""
    if "geometry" in fixes.column_names:
        lons, lats = frames.point_columns(fixes["geometry"])
        fixes = fixes.drop_columns(["geometry"]).append_column("lat", lats).append_column("lon", lons)
    converted = {name: fixes[name] for name in fixes.column_names}
    converted |= {name: pc.cast(fixes[name], pa.float64()) for name in ("lat", "lon")}
    converted |= {name: pc.cast(fixes[name], pa.string()) for name in ("track", "person") if name in converted}
    if "time" in converted:
        converted["time"] = frames.microseconds(fixes["time"])
    return pa.table(converted)


def _in_order(fixes):
    """The fixes by track and time; with persons, each person's tracks by their first times."""
    names = fixes.column_names
    keys = ["track"]
    if "person" in names:
        track = pc.replace_substring(fixes["track"], "/", "%2F")
        fixes = fixes.set_column(
            names.index("track"), "track", pc.binary_join_element_wise(fixes["person"], track, "/"))
        starts = fixes.group_by("track").aggregate([("time", "min")]).rename_columns(["track", "start"])
        fixes = fixes.join(starts, "track")
        keys = ["person", "start", "track"]
    keys += [name for name in ("order", "time", "lat", "lon") if name in names]
    return fixes.sort_by([(key, "ascending") for key in keys])


def write_tables(analysis, folder):
    """Writes the typed tables of an analysis in NDJSON; ``-`` is standard input."""
    try:
        source = sys.stdin if analysis == "-" else open(analysis, encoding="utf-8")
    except OSError as fault:
        raise columns.Fault(f"{analysis}: cannot be opened: {fault.strerror}") from None
    os.makedirs(folder, exist_ok=True)
    tables, number = _Tables(folder), 0
    with source:
        try:
            for number, line in enumerate(source, 1):
                tables.take(line)
        except (ValueError, KeyError, TypeError) as fault:
            # Text is decoded ahead of its lines.
            where = "" if isinstance(fault, UnicodeDecodeError) else f"line {number}: "
            raise columns.Fault(f"{analysis}: {where}is no line of an analysis: {fault}") from None
    if "totals" not in tables.finish():
        raise columns.Fault(f"{analysis}: ends early, without its totals")


class _Tables:
    """The files of the tables, which are made when they get their first rows."""

    def __init__(self, folder):
        self.folder = folder
        self.lines = typed.TypedLines()
        self.writers = {}

    def take(self, line):
        self._write(self.lines.take(line.rstrip("\n")))

    def finish(self):
        """Closes the files; gives the names of the tables."""
        self._write(self.lines.finish())
        for writer in self.writers.values():
            writer.close()
        return set(self.writers)

    def _write(self, pieces):
        for table, rows in pieces:
            if table not in self.writers:
                self.writers[table] = parquet.ParquetWriter(
                    os.path.join(self.folder, f"{table}.parquet"), schema.arrow_schema(table), compression="zstd")
            self.writers[table].write_batch(rows)
