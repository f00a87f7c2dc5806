"""What executors do: analyze tracks, and add totals up. Rows come and go as Arrow batches."""
import pyarrow as pa

from . import columns, frames, process, schema, storage, typed


def _structs(tables):
    return ", ".join(f"{table} struct<{schema.ddl(table).replace('` ', '`: ')}>" for table in tables)


# One column for each table, of which a row has one, and for what else a task gives.
RESULT = f"kind string, {_structs(schema.TRACK_TABLES)}, line string, sums binary"
CONCLUSION = f"kind string, {_structs(schema.TOTAL_TABLES)}, line string"
SUMS = "sums binary"

_BATCH_LINES = 20_000


class Union:
    """Makes batches of which each row has a value in one column."""

    def __init__(self, tables, *others):
        structs = [(table, pa.struct(list(schema.arrow_schema(table)))) for table in tables]
        self.schema = pa.schema([("kind", pa.string()), *structs, ("line", pa.string()), *others])

    def batch(self, kind, values):
        if isinstance(values, list):
            values = pa.array(values, self.schema.field(kind).type)
        arrays = [values if field.name == kind else pa.nulls(len(values), field.type)
                  for field in self.schema]
        arrays[0] = pa.array([kind] * len(values), pa.string())
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def rows(self, lines, keeps_lines):
        """The rows of lines: typed, and as they are where that is wanted."""
        tables, texts = typed.TypedLines(_BATCH_LINES), []
        for line in lines:
            for table, rows in tables.take(line):
                yield self.batch(table, rows.to_struct_array())
            if keeps_lines:
                texts.append(line)
            if len(texts) == _BATCH_LINES:
                yield self.batch("line", texts)
                texts = []
        for table, rows in tables.finish():
            yield self.batch(table, rows.to_struct_array())
        if texts:
            yield self.batch("line", texts)


def analyze(program, tracks, keeps_lines):
    """Makes a task: analyzes the tracks that `tracks` makes of batches."""

    def task(batches):
        union = Union(schema.TRACK_TABLES, ("sums", pa.binary()))
        with process.scratch_folder() as folder:
            analysis = process.Analysis(program, folder)
            analysis.run(tracks(batches))
            if analysis.names:
                yield from union.rows(analysis.track_lines(), keeps_lines)
                yield union.batch("sums", [analysis.sums()])

    return task


def file_tracks(batches):
    """The frames of whole files."""
    for batch in batches:
        for path, content in zip(batch.column("path"), batch.column("content")):
            name = storage.track_name(path.as_py())
            yield name, frames.frame(name, content.as_buffer().to_pybytes())


def table_tracks(batches, system=None, most_fixes=columns.MOST_TRACK_FIXES):
    """The frames of tracks whose fixes are rows, sorted by track.

    `system` is the coordinate system of points.
    """
    def located(batch):
        kept = {name: batch.column(name) for name in batch.schema.names}
        if "geometry" in kept:
            kept["lon"], kept["lat"] = frames.point_columns(kept.pop("geometry"), system)
        return pa.RecordBatch.from_pydict(kept)

    return frames.TableTracks(most_fixes).all(map(located, batches))


def merge(binary):
    """Makes a task: adds sums up."""

    def task(batches):
        merged = process.merge(_sums(batches), binary, is_last=False)
        if merged is not None:
            yield pa.RecordBatch.from_pydict({"sums": pa.array([merged], pa.binary())})

    return task


def conclude(binary):
    """Makes a task: makes the totals of the whole of the last sums."""

    def task(batches):
        text = process.merge(_sums(batches), binary, is_last=True)
        if text is not None:
            yield from Union(schema.TOTAL_TABLES).rows(text.splitlines(), True)

    return task


def _sums(batches):
    for batch in batches:
        yield from batch.column("sums").to_pylist()
