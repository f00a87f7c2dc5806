"""Following many devices as their fixes arrive, with Spark's Structured Streaming."""

import functools
import hashlib
import os
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import pyarrow as pa

from .._library import NO_TIME
from ..places import Places
from ..rules import Rules
from ..session import Session
from . import indexed, rows_of, use_engine

__all__ = ["ALERTS", "alerts"]

#: The columns of alerts. `id` is the same whenever the same fixes make an alert again.
ALERTS = ("device string, id string, type string, place string, time timestamp, fix long, "
          "lat double, lon double, line string")
#: Places, or a file of them on every executor: a JSON array as `Places.json` is.
Source: TypeAlias = Places | str | os.PathLike[str]

_STATE = "snapshot binary, version string"
_STORE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
# How many sessions a worker keeps for the next batch, so that it need not restore them.
_MOST_KEPT = 20_000


def alerts(
    fixes: Any, places: Source, rules: Rules | None = None, *,
    columns: Mapping[str, str] | None = None, events: str = "alert",
    lateness: str | None = None, idle: str | None = None,
) -> Any:
    """Follows the devices of a stream of fixes, each with a session of its own.

    `fixes` is a streaming DataFrame with `device`, `time`, `lat` and `lon`, and perhaps `accuracy`
    and `speed`; `columns` names those that are called otherwise. Returns a streaming DataFrame of
    `ALERTS`. A device's state is the snapshot of its session, so that a query that restarts from
    its checkpoint goes on as if nothing had happened.

    Fixes of a batch are followed in the order of their times. Later batches may bring older ones:
    `Rules(reorder="2min")` waits so long for them. `lateness`, such as "1 hour", is Spark's
    watermark, beyond which fixes of all devices are dropped; with it `idle`, such as "1 day", ends
    the session of a device that is silent so long, reports its last events and frees its state.

    Where `places` is a file, a newer one counts from the next batch on. Replace it by renaming.
    Raises TableError where a column is missing.
    """
    from pyspark.sql import functions

    spark = fixes.sparkSession
    spark.conf.set("spark.sql.streaming.stateStore.providerClass", _STORE)
    named = _chosen(fixes, columns or {})
    if idle is not None and lateness is None:
        raise ValueError("idle needs lateness, by which time goes on")
    if lateness is not None:
        named = named.withWatermark("time", lateness)
    millis = functions.coalesce(functions.unix_millis("time"), functions.lit(NO_TIME))
    named = named.withColumn("at", millis)
    source = places.json if isinstance(places, Places) else os.fspath(places)
    processor = _processor(source, rules or Rules(), events, _milliseconds(spark, idle))
    return named.groupBy("device").transformWithStateInPandas(
        processor, outputStructType=ALERTS, outputMode="append",
        timeMode="None" if idle is None else "EventTime")


def _chosen(fixes: Any, columns: Mapping[str, str]) -> Any:
    from pyspark.sql import functions

    kinds = {"device": "string", "time": "timestamp", "lat": "double", "lon": "double",
             "accuracy": "float", "speed": "float"}
    found = []
    for name, kind in kinds.items():
        column = columns.get(name, name)
        if column in fixes.columns:
            found.append(functions.col(f"`{column}`").cast(kind).alias(name))
        elif name in columns or name not in ("accuracy", "speed"):
            from ..tables import TableError

            raise TableError(f"no column {column}, but {', '.join(fixes.columns)}")
    return fixes.select(found)


def _milliseconds(spark: Any, duration: str | None) -> int | None:
    if duration is None:
        return None
    row = spark.sql(f"select unix_millis(timestamp '1970-01-01 00:00:00Z' + "
                    f"interval '{duration}')").first()
    return int(row[0])


@functools.lru_cache(maxsize=2)
def _of_file(path: str, changed: int, size: int) -> bytes:
    with open(path, "rb") as file:
        return file.read()


@functools.lru_cache(maxsize=2)
def _version(document: bytes) -> str:
    return hashlib.sha256(document).hexdigest()


def _known(source: bytes | str) -> tuple[str, Places]:
    """The version of the places, and the places."""
    if isinstance(source, str):
        status = os.stat(source)
        source = _of_file(source, status.st_mtime_ns, status.st_size)
    return _version(source), indexed(source)


class Sessions:
    """The sessions of a worker, between the snapshots that a state keeps of them.

    A session that this worker has kept is used only if its snapshot is the one of the state.
    """

    def __init__(self, source: bytes | str, rules: Rules, events: str) -> None:
        self.source, self.rules, self.events = source, rules, events

    def follow(
        self, device: str, fixes: pa.Table, saved: tuple[bytes, str] | None,
    ) -> tuple[bytes, tuple[bytes, str]]:
        """Follows the next fixes of a device: the lines of its events, and what to save."""
        session, version, lines = self._session(device, saved)
        lines += session.feed(fixes).ndjson
        snapshot = session.snapshot()
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[device] = (snapshot, version, session)
        return lines, (snapshot, version)

    def finish(self, device: str, saved: tuple[bytes, str]) -> bytes:
        """Ends the session of a device: the lines of its last events."""
        session, _, lines = self._session(device, saved)
        _KEPT.pop(device, None)
        return lines + session.finish().ndjson

    def _session(
        self, device: str, saved: tuple[bytes, str] | None,
    ) -> tuple[Session, str, bytes]:
        version, places = _known(self.source)
        if saved is None:
            session = Session(places, self.rules, name=device, events=self.events)
            return session, version, b""
        kept = _KEPT.pop(device, None)
        if kept is not None and kept[:2] == (*saved,) and version == saved[1]:
            return kept[2], version, b""
        session = Session.restore(saved[0], places, self.rules, events=self.events)
        lines = b"" if version == saved[1] else session.replace_places(places).ndjson
        return session, version, lines


_KEPT: dict[str, tuple[bytes, str, Session]] = {}


def _table(frames: Iterator[Any]) -> tuple[pa.Table, int]:
    """Rows of pandas sorted by time, as the engine reads them, and the newest time."""
    import numpy
    import pandas

    parts = list(frames)
    rows = parts[0] if len(parts) == 1 else pandas.concat(parts)
    times = rows["at"].to_numpy()
    lats, lons = rows["lat"].to_numpy(), rows["lon"].to_numpy()
    given = {"time": times, "lat": lats, "lon": lons}
    given |= {name: rows[name].to_numpy() for name in ("accuracy", "speed") if name in rows}
    order = numpy.lexsort((lons, lats, times))
    arrays = {name: pa.array(values[order]) for name, values in given.items()}
    arrays["time"] = arrays["time"].view(pa.timestamp("ms"))
    return pa.table(arrays), int(times.max())


def _frame(device: str, lines: bytes) -> Any:
    """Lines of events as rows of `ALERTS`."""
    rows = rows_of(lines)
    names = [name for name in ALERTS.replace(",", "").split()[::2] if name in rows.schema.names]
    columns = {name: rows.column(name) for name in names}
    ids = [f"{device}/{fix}/{kind}/{place}" for fix, kind, place in zip(
        *(rows.column(name).to_pylist() for name in ("fix", "type", "place")))]
    count = rows.num_rows
    table = pa.table({"device": [device] * count, "id": ids, **columns})
    frame = table.to_pandas()
    frame["time"] = frame["time"].dt.tz_localize(None)
    return frame


def _processor(source: bytes | str, rules: Rules, events: str, idle: int | None) -> Any:
    from pyspark.sql.streaming import StatefulProcessor

    class Follower(StatefulProcessor):  # type: ignore[misc]
        """Follows one device at a time."""

        def init(self, handle: Any) -> None:
            use_engine()
            self.handle = handle
            self.state = handle.getValueState("session", _STATE)
            self.sessions = Sessions(source, rules, events)

        def handleInputRows(self, key: Any, rows: Any, timers: Any) -> Iterator[Any]:
            fixes, newest = _table(rows)
            found = self.state.get()
            saved = None if found is None else (bytes(found[0]), found[1])
            lines, state = self.sessions.follow(key[0], fixes, saved)
            self.state.update(state)
            if idle is not None:
                for timer in self.handle.listTimers():
                    self.handle.deleteTimer(timer[0])
                self.handle.registerTimer(
                    max(newest, timers.getCurrentWatermarkInMs()) + idle)
            if lines:
                yield _frame(key[0], lines)

        def handleExpiredTimer(self, key: Any, timers: Any, expired: Any) -> Iterator[Any]:
            found = self.state.get()
            if found is None:
                return
            lines = self.sessions.finish(key[0], (bytes(found[0]), found[1]))
            self.state.clear()
            if lines:
                yield _frame(key[0], lines)

        def close(self) -> None:
            pass

    return Follower()
