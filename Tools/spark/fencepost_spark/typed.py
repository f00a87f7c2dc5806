"""Lines of an analysis as typed rows."""
import datetime
import json

import pyarrow as pa

from .schema import TABLE_OF_TYPE, TABLES, arrow_type


def _converter(kind):
    """What makes a value for Arrow of a value of JSON."""
    if kind == "timestamp":
        return _instant
    if kind == "date":
        return datetime.date.fromisoformat
    if kind.startswith("map"):
        return lambda value: list(value.items())
    return None


def _instant(text):
    # Python before 3.11 does not know the Z.
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


class Column:
    """Collects the values of one column."""

    def __init__(self, kind, path):
        self.type = arrow_type(kind)
        self.keys = path.split(".")
        self.convert = _converter(kind)
        self.values = []

    def take(self, line):
        value = line
        for key in self.keys:
            value = value.get(key)
            if value is None:
                self.values.append(None)
                return
        self.values.append(self.convert(value) if self.convert else value)

    def finish(self):
        array = pa.array(self.values, self.type)
        self.values = []
        return array


class Rows:
    """Collects the rows of one table."""

    def __init__(self, table):
        self.names = [name for name, _, _ in TABLES[table]]
        self.columns = [Column(kind, path) for _, kind, path in TABLES[table]]
        self.count = 0

    def take(self, line):
        """Takes a line as JSON."""
        for column in self.columns:
            column.take(line)
        self.count += 1

    def finish(self):
        """The rows so far, as a batch; the next begins empty."""
        self.count = 0
        return pa.RecordBatch.from_arrays([column.finish() for column in self.columns], self.names)


class TypedLines:
    """Sorts lines into tables.

    A track's rows have the day of its first fix, which its last line says; until then they wait.
    """

    def __init__(self, batch_rows=20_000):
        self.batch_rows = batch_rows
        self.rows = {table: Rows(table) for table in TABLES}
        self.waiting = []

    def take(self, text):
        """Takes a line; gives (table, batch) for tables with enough rows."""
        line = json.loads(text)
        kind = line["type"]
        table = TABLE_OF_TYPE.get(kind)
        if table is None:
            return
        if kind.startswith("chance"):
            line["line"] = text
        if kind in ("verdict", "entry", "chance", "chance-track"):
            self.waiting.append((table, line))
            return
        if table == "tracks":
            first = line.get("first")
            for other, row in self.waiting:
                self._add(other, row, first)
            self.waiting = []
            self._add(table, line, first)
        else:
            self.rows[table].take(line)
        for name, rows in self.rows.items():
            if rows.count >= self.batch_rows:
                yield name, rows.finish()

    def _add(self, table, line, first):
        if first:
            line["date"] = first[:10]
        self.rows[table].take(line)

    def finish(self):
        """Gives the rest as (table, batch)."""
        for name, rows in self.rows.items():
            if rows.count:
                yield name, rows.finish()
