"""What executors do: analyze tracks, and add totals up. Rows come and go as Arrow batches."""
import pyarrow as pa

from . import columns, frames, process, schema, storage, typed

# One column for each table of tracks, of which a row has one, and for what else a task gives.
LINES = ", ".join(f"{table} struct<{schema.ddl(table).replace('` ', '`: ')}>" for table in schema.TRACK_TABLES)
RESULT = f"kind string, {LINES}, line string, sums binary"
SUMS = "sums binary"
WHOLE = ", ".join(
    f"{table} struct<{schema.ddl(table).replace('` ', '`: ')}>" for table in schema.TOTAL_TABLES)
CONCLUSION = f"kind string, {WHOLE}, line string"

_BATCH_LINES = 20_000


class Union:
    """Makes batches of which each row has a value in one column."""

    def __init__(self, tables, others):
        structs = [(table, pa.struct(list(schema.arrow_schema(table)))) for table in tables]
        self.schema = pa.schema([("kind", pa.string()), *structs, *others])

    def batch(self, kind, values):
        count = len(values)
        arrays = [values if field.name == kind else pa.nulls(count, field.type) for field in self.schema]
        arrays[0] = pa.array([kind] * count, pa.string())
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
                    yield self.batch("line", pa.array(texts, pa.string()))
                    texts = []
        for table, rows in tables.finish():
            yield self.batch(table, rows.to_struct_array())
        if texts:
            yield self.batch("line", pa.array(texts, pa.string()))


def analyze(program, tracks, keeps_lines):
    """Makes a task: analyses the tracks that `tracks` makes of batches."""

    def task(batches):
        union = Union(schema.TRACK_TABLES, [("line", pa.string()), ("sums", pa.binary())])
        with process.scratch_folder() as folder:
            analysis = process.Analysis(program, folder)
            analysis.run(tracks(batches))
            if not analysis.names:
                return
            yield from union.rows(analysis.track_lines(), keeps_lines)
            yield union.batch("sums", pa.array([analysis.sums()], pa.binary()))

    return task


def file_tracks(batches):
    """The frames of whole files."""
    for batch in batches:
        for path, content in zip(batch.column("path"), batch.column("content")):
            name = storage.track_name(path.as_py())
            yield name, frames.frame(name, content.as_buffer().to_pybytes())


def table_tracks(batches, system=None, most_fixes=columns.MOST_TRACK_FIXES):
    """The frames of tracks whose fixes are rows, sorted by track; `system` is the coordinate system of points."""
    tracks = frames.TableTracks(most_fixes)
    for batch in batches:
        yield from tracks.take(_with_coordinates(batch, system))
    yield from tracks.finish()


def _with_coordinates(batch, system):
    names = batch.schema.names
    if "geometry" not in names:
        return batch
    lons, lats = frames.point_columns(batch.column("geometry"), system)
    kept = {name: batch.column(name) for name in names if name not in ("geometry", "lat", "lon")}
    return pa.RecordBatch.from_pydict(kept | {"lat": lats, "lon": lons})


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
            yield from Union(schema.TOTAL_TABLES, [("line", pa.string())]).rows(text.splitlines(), True)

    return task


def _sums(batches):
    for batch in batches:
        for value in batch.column("sums"):
            yield value.as_py()
