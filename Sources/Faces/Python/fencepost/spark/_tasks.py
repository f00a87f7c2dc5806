"""What executors do: analyze tracks and add up totals. Rows come and go as Arrow batches."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import pyarrow as pa

from ..tables import _frames as frames, _points as points, _schema as schema
from ..tables._columns import MOST_TRACK_FIXES
from ..tables._typed import TypedLines
from . import _process as process, _storage as storage

Batches: TypeAlias = Iterable[pa.RecordBatch]
#: What makes frames of batches; large ones go to files of a folder.
Tracks: TypeAlias = Callable[[Batches, str], Iterator[tuple[str, bytes]]]
Task: TypeAlias = Callable[[Batches], Iterator[pa.RecordBatch]]


def _structs(tables: Iterable[str]) -> str:
    return ", ".join(
        f"{table} struct<{schema.ddl(table).replace('` ', '`: ')}>" for table in tables)


# One column for each table, of which a row has one, and for what else a task gives.
RESULT = f"kind string, {_structs(schema.TRACK_TABLES)}, line string, sums binary, seconds double"
CONCLUSION = f"kind string, {_structs(schema.TOTAL_TABLES)}, line string"
SUMS = "sums binary"

_BATCH_LINES = 20_000


class Union:
    """Makes batches in which each row has a value in one column only."""

    def __init__(self, tables: Iterable[str], *others: tuple[str, pa.DataType]) -> None:
        structs = [(table, pa.struct(list(schema.arrow_schema(table)))) for table in tables]
        self.schema = pa.schema(
            [("kind", pa.string()), *structs, ("line", pa.string()), *others])

    def batch(self, kind: str, values: Any, **others: Sequence[Any]) -> pa.RecordBatch:
        count = len(values)
        given = {"kind": [kind] * count, kind: values, **others}
        arrays = []
        for field in self.schema:
            found = given.get(field.name)
            if isinstance(found, list):
                found = pa.array(found, field.type)
            arrays.append(pa.nulls(count, field.type) if found is None else found)
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def rows(self, lines: Iterable[str], keeps_lines: bool) -> Iterator[pa.RecordBatch]:
        """The rows of lines: typed, and if wanted also as they are."""
        tables, texts = TypedLines(_BATCH_LINES), []
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


def analyze(program: process.Program, tracks: Tracks, keeps_lines: bool) -> Task:
    """Makes a task that analyzes the tracks that `tracks` makes from batches."""

    def task(batches: Batches) -> Iterator[pa.RecordBatch]:
        union = Union(
            schema.TRACK_TABLES, ("sums", pa.binary()), ("seconds", pa.float64()))
        start = time.monotonic()
        with process.scratch_folder() as folder:
            analysis = process.Analysis(program, folder)
            analysis.run(tracks(batches, folder))
            if analysis.names:
                yield from union.rows(analysis.track_lines(), keeps_lines)
                yield union.batch("sums", [analysis.sums()], seconds=[time.monotonic() - start])

    return task


def file_tracks(batches: Batches, folder: str) -> Iterator[tuple[str, bytes]]:
    """The frames of whole files."""
    for batch in batches:
        for path, content in zip(batch.column("path"), batch.column("content")):
            name = storage.track_name(path.as_py())
            yield name, frames.frame(name, content.as_buffer().to_pybytes())


def table_tracks(
    batches: Batches, folder: str, system: Any = None, most_fixes: int = MOST_TRACK_FIXES,
) -> Iterator[tuple[str, bytes]]:
    """The frames of tracks whose fixes are rows, sorted by track.

    `system` is the coordinate system of points.
    """
    return frames.TableTracks(folder, most_fixes).all(
        points.located(batch, system) for batch in batches)


def merge(binary: str) -> Task:
    """Makes a task that adds up sums."""

    def task(batches: Batches) -> Iterator[pa.RecordBatch]:
        merged = process.merge(_sums(batches), binary, is_last=False)
        if merged is not None:
            yield pa.RecordBatch.from_pydict({"sums": pa.array([merged], pa.binary())})

    return task


def conclude(binary: str) -> Task:
    """Makes a task that turns the last sums into the totals of the whole."""

    def task(batches: Batches) -> Iterator[pa.RecordBatch]:
        text = process.merge(_sums(batches), binary, is_last=True)
        if text is not None:
            yield from Union(schema.TOTAL_TABLES).rows(text.decode().splitlines(), True)

    return task


def _sums(batches: Batches) -> Iterator[bytes]:
    for batch in batches:
        yield from batch.column("sums").to_pylist()
