"""Places that stories are about."""

import datetime
import functools
import json
import pathlib
import tempfile
import weakref
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from . import _fixes
from ._fixes import Columns
from ._library import FencepostError, created, library
from ._program import run

_MOMENTS = ("published", "expires")


class Places:
    """Circles around stories, indexed once; threads and sessions may share them.

    `source` is a file of stories (CSV, JSON, GeoJSON, KML, GPX, GeoRSS) or a store (.sqlite), which
    the program reads; or a data frame, an Arrow table or dictionaries. Those have `id`, `lat` and
    `lon`, and perhaps `title`, `radius` in meters, `blurb`, `url`, `category`, `priority`,
    `published` and `expires`. `columns` says where a value has another name.

    >>> Places({"id": ["a", "b"], "lat": [39.95, 39.96], "lon": [-75.15, -75.16]})
    <fencepost.Places: 2>

    Raises FencepostError for the first place that cannot be.
    """

    def __init__(self, source: Any, *, columns: Columns = None) -> None:
        if isinstance(source, bytes):
            self.json = source
        elif _fixes.is_path(source):
            self.json = _of_file(pathlib.Path(source))
        else:
            self.json = _json(source, columns or {})
        self._handle = created("fencepost_places_create", self.json, len(self.json))
        weakref.finalize(self, library().fencepost_places_destroy, self._handle)

    def __len__(self) -> int:
        return int(library().fencepost_places_count(self._handle))

    def __repr__(self) -> str:
        return f"<fencepost.Places: {len(self)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Places, (self.json,)

    def table(self) -> pa.Table:
        """The places as an Arrow table."""
        return pa.Table.from_pylist(json.loads(self.json))

    @functools.cached_property
    def _file(self) -> "tempfile._TemporaryFileWrapper[bytes]":
        """A file of the places for the program, as long as this object lives."""
        file = tempfile.NamedTemporaryFile(prefix="fencepost-", suffix=".json")
        file.write(self.json)
        file.flush()
        return file

    @property
    def arguments(self) -> list[str]:
        """The program's options for these places."""
        return ["--places", self._file.name]


def _of_file(path: pathlib.Path) -> bytes:
    with open(path, "rb") as file:
        is_store = file.read(16) == b"SQLite format 3\0"
    with tempfile.TemporaryDirectory(prefix="fencepost-") as folder:
        store = path if is_store else pathlib.Path(folder) / "store.sqlite"
        if not is_store:
            run("places", "import", path, "--store", store)
        lines = run("places", "list", "--store", store, "--format", "ndjson").splitlines()
    return b"[" + b",\n".join(lines) + b"]"


def _json(rows: Any, columns: Mapping[str, str]) -> bytes:
    names = {column: name for name, column in columns.items()}
    found: list[dict[str, Any]] = []
    for batch in _fixes.reader(rows):
        if names:
            batch = batch.rename_columns([names.get(name, name) for name in batch.schema.names])
        missing = {"id", "lat", "lon"} - set(batch.schema.names)
        if missing:
            raise FencepostError(f"places need a column “{min(missing)}”")
        found += batch.to_pylist()
    return json.dumps([_plain(row) for row in found], default=_text, allow_nan=False).encode()


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what is missing; NaN counts as missing, as in pandas."""
    return {name: value for name, value in row.items() if value is not None and value == value}


def _text(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)
        return moment.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
    return str(value)
