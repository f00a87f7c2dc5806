"""Many walks at a time, by the program."""

import collections.abc
import html
import io
import json
import os
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.json

from . import _fixes
from ._fixes import Columns, Fixes
from ._library import NO_TIME, FencepostError
from ._program import run
from .events import Lines
from .places import Places
from .rules import Rules, arguments


class Report(str):
    """A report page, which notebooks show in place."""

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self)}" width="100%" height="600" '
                'style="border: 1px solid #ccc"></iframe>')


class Analysis(Lines):
    """The lines of an analysis by their `type`, such as verdict, story and totals."""

    def __init__(self, ndjson: bytes, report: Report | None = None) -> None:
        super().__init__(ndjson)
        #: The report; None unless it was asked for.
        self.report = report

    def table(self, type: str) -> pa.Table:
        """The lines of a type as an Arrow table."""
        lines = b"".join(json.dumps(line).encode() + b"\n" for line in self.of(type))
        return pyarrow.json.read_json(io.BytesIO(lines)) if lines else pa.table({})

    def __repr__(self) -> str:
        return f"<fencepost.Analysis: {len(self)} lines>"


def analyze(
    tracks: Any, places: Places, rules: Rules | None = None, *, columns: Columns = None,
    report: bool = False, **options: Any,
) -> Analysis:
    """Says for every story and walk whether it alerted, and why not: `fencepost analyze`.

    `tracks` is a file or folder, a list of such, walks by name, or rows that also have a column
    `track`. `options` are those of the command, with underscores: verdicts="crossed".

    >>> import fencepost
    >>> places = fencepost.Places([{"id": "bell", "lat": 39.9496, "lon": -75.1503}])
    >>> walk = {"lat": [39.9496, 39.9496], "lon": [-75.1530, -75.1503]}
    >>> [line["verdict"] for line in analyze({"mine": walk}, places).of("verdict")]
    ['alerted']
    """
    words = [*places.arguments, *(rules or Rules()).arguments, *arguments(options)]
    paths, frames = _given(tracks, columns)
    if frames is not None:
        words.append("--tracks-from=-")
    with tempfile.TemporaryDirectory(prefix="fencepost-") as folder:
        page = pathlib.Path(folder) / "report.html"
        if report:
            words.append(f"--report={page}")
        lines = run("analyze", "--format=ndjson", "--quiet", *words, *paths, input=frames)
        return Analysis(lines, Report(page.read_text("utf-8")) if report else None)


def simulate(
    tracks: Any, places: Places, profile: str, rules: Rules | None = None, **options: Any,
) -> Analysis:
    """Estimates how likely each alert is on phones: `fencepost analyze --profile`.

    `profile` names phones, such as "iphone,android"; `trials` and `seed` are among the options.

    >>> import fencepost
    >>> places = fencepost.Places([{"id": "bell", "lat": 39.9496, "lon": -75.1503}])
    >>> walk = {"time": [0, 300], "lat": [39.9496, 39.9496], "lon": [-75.1530, -75.1503]}
    >>> len(simulate({"mine": walk}, places, "iphone", trials=10).of("chance"))
    1
    """
    return analyze(tracks, places, rules, profile=profile, **options)


def explain(
    track: Fixes, place: str, places: Places, rules: Rules | None = None, *,
    columns: Columns = None, **options: Any,
) -> Analysis:
    """Says why one story alerted on a walk, or why not: `fencepost explain`.

    >>> import fencepost
    >>> places = fencepost.Places([{"id": "bell", "lat": 39.9496, "lon": -75.1503}])
    >>> walk = {"lat": [39.9496, 39.9496], "lon": [-75.1530, -75.1503]}
    >>> explain(walk, "bell", places).of("explanation")[0]["verdict"]
    'alerted'
    """
    words = [*places.arguments, *(rules or Rules()).arguments, *arguments(options)]
    words += [f"--place={place}", "--format=ndjson"]
    if _fixes.is_path(track):
        return Analysis(run("explain", *words, os.fspath(track)))
    with tempfile.NamedTemporaryFile(prefix="fencepost-", suffix=".csv") as file:
        file.write(csv(track, columns))
        file.flush()
        return Analysis(run("explain", *words, file.name))


def _given(tracks: Any, columns: Columns) -> tuple[list[str], bytes | None]:
    """The files by their names, and everything else as frames."""
    if _fixes.is_path(tracks):
        return [os.fspath(tracks)], None
    if isinstance(tracks, (list, tuple)) and tracks and all(map(_fixes.is_path, tracks)):
        return [os.fspath(track) for track in tracks], None
    lat = (columns or {}).get("lat", "lat")
    if isinstance(tracks, collections.abc.Mapping) and lat not in tracks:
        named = iter(tracks.items())
    else:
        named = _by_track(tracks, (columns or {}).get("track", "track"))
    return [], b"".join(_frame(name, csv(fixes, columns)) for name, fixes in named)


def _frame(track: Any, contents: bytes) -> bytes:
    head = json.dumps({"track": str(track), "bytes": len(contents)}, ensure_ascii=False)
    return head.encode() + b"\n" + contents


def _by_track(rows: Any, column: str) -> Iterator[tuple[Any, pa.Table]]:
    """The walks among rows, in the order of their names; their fixes stay in order."""
    batches = list(_fixes.reader(rows))
    if not batches:
        return
    table = pa.Table.from_batches(batches)
    if column not in table.column_names:
        raise FencepostError(f"no column “{column}”; there are {', '.join(table.column_names)}")
    table = table.take(pc.sort_indices(table, [(column, "ascending")]))
    start = 0
    for run_of in pc.run_end_encode(table.column(column).combine_chunks()).run_ends:
        end = run_of.as_py()
        yield table.column(column)[start].as_py(), table.slice(start, end - start)
        start = end


def csv(fixes: Fixes, columns: Columns = None) -> bytes:
    """Fixes as the program reads them from a table."""
    sink = io.BytesIO()
    for number, chunk in enumerate(_fixes.chunks(fixes, columns)):
        found = dict(zip(_fixes.NAMES, chunk.arrays))
        if found["segment"] is not None and pc.count_distinct(found["segment"]).as_py() > 1:
            raise FencepostError("only replay() and Session take pieces of a path")
        fields = {"lat": found["lat"], "lon": found["lon"]}
        if found["time"] is not None:
            known = pc.if_else(pc.equal(found["time"], NO_TIME), None, found["time"])
            stamp = known.cast(pa.timestamp("ms", "UTC"))
            fields = {"time": pc.strftime(stamp, "%Y-%m-%dT%H:%M:%SZ"), **fields}
        for name, title in (("accuracy", "accuracy"), ("speed", "speed_mps")):
            if (values := found[name]) is not None:
                values = values.cast(pa.float64())
                fields[title] = pc.if_else(pc.is_nan(values), None, values)
        pyarrow.csv.write_csv(pa.table(fields), sink, pyarrow.csv.WriteOptions(
            include_header=number == 0, quoting_style="none"))
    return sink.getvalue()
