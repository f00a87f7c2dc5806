"""Lines of an analysis as typed rows."""

import datetime
import json
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from ._schema import TABLE_OF_TYPE, TABLES, arrow_type


def _instant(text: str) -> datetime.datetime:
    # Python before 3.11 does not know the Z.
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


# What makes a value for Arrow of a value of JSON.
_CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "timestamp": _instant,
    "date": datetime.date.fromisoformat,
    "map": lambda value: list(value.items()),
}
_COLUMNS = {table: [(path.split("."), _CONVERTERS.get(kind.split("<")[0], lambda value: value))
                    for _, kind, path in columns] for table, columns in TABLES.items()}


def _row(table: str, line: dict[str, Any]) -> Iterator[Any]:
    """The values of a line, in the order of the table's columns."""
    for keys, convert in _COLUMNS[table]:
        value: Any = line
        for key in keys:
            value = None if value is None else value.get(key)
        yield None if value is None else convert(value)


class TypedLines:
    """Sorts lines into tables.

    A track's rows have the day of its first fix, which its last line says; until then they wait.
    """

    def __init__(self, batch_rows: int = 20_000) -> None:
        self.batch_rows = batch_rows
        self.rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in TABLES}
        self.waiting: list[tuple[str, dict[str, Any]]] = []

    def take(self, text: str) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Adds a line; yields (table, batch) for tables with enough rows."""
        line = json.loads(text)
        table = TABLE_OF_TYPE.get(line["type"])
        if table is None:
            return
        if table == "chances":
            line["line"] = text
        self.waiting.append((table, line))
        if table in ("verdicts", "entries", "chances"):
            return
        day = {"date": line["first"][:10]} if line.get("first") else {}
        for name, row in self.waiting:
            self.rows[name].append(tuple(_row(name, row | day)))
        self.waiting = []
        yield from self.finish(self.batch_rows)

    def finish(self, least_rows: int = 1) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Yields (table, batch) for tables with that many rows, and empties them."""
        for table, rows in self.rows.items():
            if len(rows) >= least_rows:
                self.rows[table] = []
                arrays = [pa.array(values, arrow_type(kind))
                          for values, (_, kind, _) in zip(zip(*rows), TABLES[table])]
                yield table, pa.RecordBatch.from_arrays(
                    arrays, [name for name, _, _ in TABLES[table]])
