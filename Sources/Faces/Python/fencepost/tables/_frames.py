"""Tracks of tables, in the frames that `fencepost analyze --tracks-from -` takes."""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv

from ._columns import MOST_TRACK_FIXES

# The columns of numbers, with their names in CSV.
_NUMBERS = {
    "lat": "lat",
    "lon": "lon",
    "accuracy": "accuracy",
    "speed": "speed_mps",
    "course": "course",
}


def frame(track: str, contents: bytes) -> bytes:
    """A track's frame."""
    return _header(track, bytes=len(contents)) + contents


def absent(track: str, error: str) -> bytes:
    """The frame of a track that could not be fetched."""
    return _header(track, error=error)


def _header(track: str, **members: Any) -> bytes:
    return json.dumps({"track": track, **members}, ensure_ascii=False).encode() + b"\n"


def csv_of(rows: pa.RecordBatch, has_header: bool = True) -> bytes:
    """Fixes as CSV: times in UTC to the microsecond, numbers with all their digits."""
    fields = {"time": utc_text(rows["time"])} if "time" in rows.schema.names else {}
    fields |= {name: pc.cast(rows[column], pa.float64()) for column, name in _NUMBERS.items()
               if column in rows.schema.names}
    sink = pa.BufferOutputStream()
    csv.write_csv(
        pa.table(fields), sink, csv.WriteOptions(include_header=has_header, quoting_style="none")
    )
    return bytes(sink.getvalue())


def is_untimed(times: Any) -> Any:
    """Which times are missing: null, not a number, or empty text."""
    if pa.types.is_floating(times.type):
        return pc.is_null(times, nan_is_null=True)
    if pa.types.is_string(times.type) or pa.types.is_large_string(times.type):
        return pc.fill_null(pc.equal(pc.utf8_trim_whitespace(times), ""), True)
    return pc.is_null(times)


def microseconds(times: Any) -> Any:
    """Times to the microsecond, which is as precise as they are written."""
    if not pa.types.is_timestamp(times.type) or times.type.unit != "ns":
        return times
    return times.cast(pa.timestamp("us", tz=times.type.tz), safe=False)


def utc_text(times: Any) -> Any:
    """Times as ISO 8601; without a zone they are UTC, and numbers are kept as they are."""
    if isinstance(times, pa.ChunkedArray):
        times = times.combine_chunks()
    if not pa.types.is_timestamp(times.type):
        return times
    times = microseconds(times)
    if times.type.tz is not None:
        times = times.cast(pa.timestamp(times.type.unit, tz="UTC"))
    # A cast writes dates ten times as fast as strftime does, with a blank before the time.
    texts = times.cast(pa.timestamp("us")).cast(pa.string())
    return pc.binary_join_element_wise(pc.replace_substring(texts, " ", "T"), "Z", "")


class TableTracks:
    """Cuts rows that are sorted by track into frames; a track's rows may span batches.

    A large track waits in a file of `folder`, which its frame then names.
    """

    #: How many bytes of a track are kept in memory.
    MOST_BYTES = 4 << 20

    def __init__(self, folder: str | None = None, most_fixes: int = MOST_TRACK_FIXES) -> None:
        self.folder, self.most_fixes = folder, most_fixes
        self.track: str | None = None
        self._begin()

    def _begin(self) -> None:
        self.count, self.size = 0, 0
        self.pieces: list[bytes] = []
        self.file: BinaryIO | None = None

    def all(self, batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, bytes]]:
        """Yields (track, frame) for all tracks."""
        for batch in batches:
            yield from self.take(batch)
        yield from self.finish()

    def take(self, batch: pa.RecordBatch) -> Iterator[tuple[str, bytes]]:
        """Yields (track, frame) for the tracks that end in a batch."""
        tracks = batch.column("track")
        if tracks.null_count:
            raise ValueError(f"{tracks.null_count} fixes have no track")
        start = 0
        names = pc.run_end_encode(tracks)
        for end, name in zip(names.run_ends.to_pylist(), names.values.to_pylist()):
            if name != self.track:
                yield from self.finish()
                self.track = name
            if self.count + end - start <= self.most_fixes:
                self._append(csv_of(batch.slice(start, end - start), not self.count))
            self.count += end - start
            start = end

    def _append(self, piece: bytes) -> None:
        self.pieces.append(piece)
        self.size += len(piece)
        if self.folder is not None and self.size > self.MOST_BYTES:
            if self.file is None:
                self.file = tempfile.NamedTemporaryFile(  # type: ignore[assignment]
                    dir=self.folder, prefix="track-", suffix=".csv", delete=False)
            assert self.file is not None
            self.file.writelines(self.pieces)
            self.pieces, self.size = [], 0

    def finish(self) -> Iterator[tuple[str, bytes]]:
        """Yields the frame of the last track."""
        if self.track is None:
            return
        track, count, pieces, file = self.track, self.count, self.pieces, self.file
        self.track = None
        self._begin()
        if file is not None:
            with file:
                file.writelines(pieces)
        if count > self.most_fixes:
            if file is not None:
                os.remove(file.name)
            yield track, absent(
                track, f"{count:,} fixes are too many for one track; split it, or raise "
                "--track-fixes")
        elif file is not None:
            yield track, _header(track, file=file.name)
        else:
            yield track, frame(track, b"".join(pieces))
