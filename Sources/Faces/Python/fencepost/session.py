"""Following walks with the engine in this process."""

import ctypes
import datetime
import os
import threading
import weakref
from ctypes import byref, c_int64, c_void_p
from typing import Any

from . import _fixes
from ._fixes import Columns, Fixes
from ._library import MISSES, NO_TIME, WHOLE, FencepostError, checked, created, library
from .events import Event, Events
from .places import Places
from .rules import Rules

#: The kinds of events that the program reports unless told otherwise.
STANDARD = "alert,suppressed,summary,reminder"
_NAN = float("nan")


class _Track:
    """A session of the C interface."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._length = c_int64()
        self._lock = threading.Lock()
        self._feed_one = library().fencepost_session_feed_one
        weakref.finalize(self, library().fencepost_session_destroy, handle)

    def _events(self) -> bytes:
        start = library().fencepost_session_events(self._handle, byref(self._length))
        return ctypes.string_at(start, self._length.value) if self._length.value else b""

    def _follow(self, fixes: Fixes, columns: Columns) -> bytes:
        lines = []
        with self._lock:
            for chunk in _fixes.chunks(fixes, columns):
                checked("fencepost_session_feed", self._handle, chunk.length, *chunk.addresses)
                lines.append(self._events())
        return b"".join(lines)

    def _finish(self) -> bytes:
        with self._lock:
            checked("fencepost_session_finish", self._handle)
            return self._events()


def track_of(places: Places, document: bytes, name: str, events: str) -> _Track:
    """Begins a whole track, whose fixes may run backward in time."""
    return _Track(created(
        "fencepost_session_create", places._handle, document, len(document), name.encode(), None,
        events.encode(), WHOLE | MISSES))


class Session(_Track):
    """A walk that goes on: fixes come piece by piece, and its state can be saved between them.

    >>> import fencepost
    >>> session = Session(fencepost.Places([{"id": "bell", "lat": 39.9496, "lon": -75.1503}]))
    >>> session.feed_one(39.9496, -75.1530, 0)
    []
    >>> [event["place"] for event in session.feed_one(39.9496, -75.1503, 60_000)]
    ['bell']
    >>> same = Session.restore(session.snapshot(), session.places)
    >>> same.finish().summary["alerts"]
    1

    `events` lists the kinds to report, such as "alert" or "all". Threads may share a session, whose
    fixes then follow in the order of the calls.
    """

    def __init__(
        self, places: Places, rules: Rules | None = None, *, name: str = "session",
        device: str | None = None, events: str = STANDARD, _snapshot: bytes | None = None,
    ) -> None:
        self.places, self.rules = places, rules or Rules()
        document = self.rules.document
        if _snapshot is None:
            handle = created(
                "fencepost_session_create", places._handle, document, len(document), name.encode(),
                None if device is None else device.encode(), events.encode(), 0)
        else:
            handle = created(
                "fencepost_session_restore", places._handle, document, len(document), _snapshot,
                len(_snapshot), events.encode())
        super().__init__(handle)

    @classmethod
    def restore(
        cls, snapshot: bytes, places: Places, rules: Rules | None = None, *,
        events: str = STANDARD,
    ) -> "Session":
        """Continues a session as the original would have.

        Places may have changed since; rules must not. Raises FencepostError if the snapshot is
        damaged.
        """
        return cls(places, rules, events=events, _snapshot=snapshot)

    def feed(self, fixes: Fixes, *, columns: Columns = None) -> Events:
        """Follows the next fixes."""
        if _fixes.is_path(fixes):
            raise FencepostError("a session takes fixes, not a file; replay() takes files")
        return Events(self._follow(fixes, columns))

    def feed_one(
        self, lat: float, lon: float, time: int | datetime.datetime | None = None,
        accuracy: float = _NAN, speed: float = _NAN,
    ) -> list[Event]:
        """Follows one fix, whose time is in milliseconds since 1970 or with a zone."""
        if time is None:
            time = NO_TIME
        elif time.__class__ is not int:
            time = _milliseconds(time)
        with self._lock:
            if not self._feed_one(self._handle, time, lat, lon, accuracy, speed):
                return []
            return list(Events(self._events()))

    def replace_places(self, places: Places) -> Events:
        """Follows other places from the last fix on, such as a newer list of them."""
        with self._lock:
            checked("fencepost_session_replace_places", self._handle, places._handle)
            self.places = places
            return Events(self._events())

    def finish(self) -> Events:
        """Ends the walk: the events of fixes that still waited, and the summary."""
        return Events(self._finish())

    def snapshot(self) -> bytes:
        """The state between two fixes, a few kilobytes."""
        with self._lock:
            memory = c_void_p()
            checked("fencepost_session_snapshot", self._handle, byref(memory), byref(self._length))
            saved = ctypes.string_at(memory.value or 0, self._length.value)
            library().fencepost_free(memory)
        return saved


def _milliseconds(time: Any) -> int:
    if isinstance(time, datetime.datetime):
        if time.tzinfo is None:
            raise FencepostError("a time needs a zone, such as datetime.timezone.utc")
        return (time - _EPOCH) // datetime.timedelta(milliseconds=1)
    return int(time)


_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def replay(
    track: Fixes, places: Places, rules: Rules | None = None, *, name: str | None = None,
    events: str = STANDARD, columns: Columns = None,
) -> Events:
    """Follows a whole walk, as `fencepost replay` does.

    `track` is a file of any format that the program reads, or has a row for each fix: an Arrow
    table, a data frame of pandas, Polars or GeoPandas (points), a structured array of numpy, arrays
    by name, or dictionaries. Of its columns `time`, `lat`, `lon`, `accuracy` (meters), `speed`
    (meters per second) and `segment` only `lat` and `lon` must be there; `columns` says where one
    has another name. A number as a time counts from 1970, in the unit that fits its size.

    >>> import fencepost
    >>> places = fencepost.Places([{"id": "bell", "lat": 39.9496, "lon": -75.1503}])
    >>> walk = [{"y": 39.9496, "x": -75.1530}, {"y": 39.9496, "x": -75.1503}]
    >>> replay(walk, places, columns={"lat": "y", "lon": "x"}).summary["alerts"]
    1

    Raises FencepostError if the track cannot be read.
    """
    shown = name or (os.path.relpath(track) if _fixes.is_path(track) else "track")
    session = track_of(places, (rules or Rules()).document, shown, events)
    if not _fixes.is_path(track):
        return Events(session._follow(track, columns) + session._finish())
    checked("fencepost_session_follow", session._handle, os.fsencode(track))
    return Events(session._events())
