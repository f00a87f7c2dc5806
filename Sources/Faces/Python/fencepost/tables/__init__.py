"""Fixes from Parquet and GeoParquet, and analyses as typed tables, on one machine.

`python -m fencepost.tables` does the same for the command line. `fencepost.spark` does it on a
cluster.

>>> import pathlib, tempfile
>>> import pyarrow as pa, pyarrow.parquet
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> pa.parquet.write_table(pa.table({
...     "trip": ["b", "a"], "at": pa.array([60, 0], pa.timestamp("s")),
...     "lat": [39.95, 39.95], "lon": [-75.16, -75.15]}), folder / "fixes.parquet")
>>> fixes = read_fixes(folder / "fixes.parquet", {"track": "trip", "time": "at"}, where=["lat>39"])
>>> fixes.column("track").to_pylist()
['a', 'b']
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa

from . import _local
from ._columns import Condition, Fault as TableError
from ._schema import TABLES, arrow_schema

__all__ = ["TABLES", "TableError", "arrow_schema", "read_fixes", "write_tables"]


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def read_fixes(
    path: str | os.PathLike[str], columns: Mapping[str, str] | None = None, *,
    where: Sequence[str] = (), say: Callable[[str], None] = _say,
) -> pa.Table:
    """A table with a row for each fix, by track and time: what `analyze` and `replay` take.

    `columns` names those that are not called `track`, `time`, `lat` and `lon` (or `geometry`).
    Conditions such as "day>=2026-03-01" leave out rows before they are read. `say` gets a sentence
    about rows and columns that are left out. Raises TableError with a sentence.
    """
    conditions = [Condition.of(text) for text in where]
    return _local.sorted_fixes([os.fspath(path)], columns or {}, say, conditions)


def write_tables(analysis: str | os.PathLike[str], folder: str | os.PathLike[str]) -> None:
    """Writes the lines of an analysis as Parquet: verdicts, entries, tracks, stories and so on.

    `TABLES` has their columns.
    """
    _local.write_tables(os.fspath(analysis), os.fspath(folder))
