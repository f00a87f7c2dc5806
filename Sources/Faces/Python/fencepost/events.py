"""What a session reports."""

import io
import json
from collections.abc import Iterator
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.json

#: An event by its fields, named and written as in the program's NDJSON.
Event: TypeAlias = dict[str, Any]

#: What a table of events has at least; other fields follow where an event has them.
_FIELDS = pa.schema([
    ("type", pa.string()), ("track", pa.string()), ("segment", pa.int64()), ("fix", pa.int64()),
    ("fraction", pa.float64()), ("time", pa.string()), ("lat", pa.float64()), ("lon", pa.float64()),
    ("place", pa.string()), ("title", pa.string()), ("distance", pa.float64())])
_TIMES = ("time", "crossed", "delivery")


class Lines:
    """Lines of JSON, exactly as the program writes them."""

    def __init__(self, ndjson: bytes = b"") -> None:
        #: The lines, each with its end.
        self.ndjson = ndjson

    def __iter__(self) -> Iterator[Event]:
        return map(json.loads, self.ndjson.splitlines())

    def __len__(self) -> int:
        return self.ndjson.count(b"\n")

    def of(self, *types: str) -> list[Event]:
        """The lines of these types."""
        return [line for line in self if line["type"] in types]


class Events(Lines):
    """Events in the order of the path; the summary is the last."""

    def __add__(self, other: "Events") -> "Events":
        return Events(self.ndjson + other.ndjson)

    @property
    def summary(self) -> Event:
        """The summary of the track; empty before it has ended."""
        found = self.of("summary")
        return found[-1] if found else {}

    def table(self) -> pa.Table:
        """The events without the summary, as an Arrow table with times in UTC.

        >>> import fencepost
        >>> fencepost.Events().table().column_names[:3]
        ['type', 'track', 'segment']
        """
        lines = b"".join(line for line in self.ndjson.splitlines(True)
                         if not line.startswith(b'{"type":"summary"'))
        if not lines:
            found = _FIELDS.empty_table()
        else:
            longest = max(map(len, lines.splitlines()))
            found = pyarrow.json.read_json(
                io.BytesIO(lines),
                read_options=pyarrow.json.ReadOptions(block_size=max(1 << 22, 2 * longest)),
                parse_options=pyarrow.json.ParseOptions(explicit_schema=_FIELDS))
        for name in _TIMES:
            if name in found.column_names:
                place = found.schema.get_field_index(name)
                times = found.column(place).cast(pa.string()).cast(pa.timestamp("ms", "UTC"))
                found = found.set_column(place, name, times)
        return found

    def pandas(self) -> Any:
        """The events without the summary, as a pandas data frame."""
        return self.table().to_pandas()

    def polars(self) -> Any:
        """The events without the summary, as a Polars data frame."""
        import polars

        return polars.from_arrow(self.table())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<fencepost.Events: {len(self)}>"
