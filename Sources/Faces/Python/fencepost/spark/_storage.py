"""Files of any filesystem that Hadoop knows: the folder of a run, its parts, and its tracks.

Storage goes through the driver's JVM, one small file at a time.
"""

import itertools
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from ..tables import _columns as columns

# The endings of tracks in a folder, as `fencepost analyze` takes them.
ENDINGS = {"gpx", "nmea", "csv", "json", "jsonl", "ndjson", "log", "txt", "rec"}
# The most bytes that Spark puts into one value.
MOST_BYTES = 2**31 - 1 - 64 * 1024


def is_track(name: str) -> bool:
    parts = name.lower().split(".")
    if parts[-1] == "gz":
        parts.pop()
    return len(parts) > 1 and parts[-1] in ENDINGS


def track_name(path: str) -> str:
    """The name of a track: its path if it is local, or else its whole address."""
    if path.startswith("file:"):
        return "/" + path[len("file:"):].lstrip("/")
    return path


def distinct(listed: Iterable[tuple[str, int | None]]) -> Iterator[tuple[str, int | None]]:
    """Leaves out of (address, bytes) what is listed twice, or is below a folder that is listed."""
    found = dict(listed)
    folders = {address for address, length in found.items() if length is None}
    for address, length in found.items():
        parents = address.split("/")[:-1]
        if not any("/".join(parents[:count]) in folders for count in range(1, len(parents) + 1)):
            yield address, length


def _difference(name: str, *values: Any) -> str:
    """A setting and how it differs, unless it is a digest."""
    if name in ("store", "program"):
        return name
    words = {"True": "yes", "False": "no", "None": "none", "": "none"}
    texts = [" ".join(value) if isinstance(value, list) else str(value) for value in values]
    return "{} ({}, now {})".format(name, *(words.get(text, text) for text in texts))


class Filesystem(Protocol):
    """What a run needs from the filesystem of its folder."""

    def qualified(self, text: str) -> str: ...
    def exists(self, text: str) -> bool: ...
    def remove(self, text: str) -> None: ...
    def names(self, text: str) -> list[str]: ...
    def write(self, text: str, contents: str) -> None: ...
    def read(self, text: str) -> str: ...


class Storage:
    """The filesystems of a session."""

    def __init__(self, spark: Any) -> None:
        self.jvm = spark.sparkContext._jvm
        self.configuration = spark.sparkContext._jsc.hadoopConfiguration()

    def path(self, text: str) -> Any:
        return self.jvm.org.apache.hadoop.fs.Path(text)

    def system(self, path: Any) -> Any:
        return path.getFileSystem(self.configuration)

    def qualified(self, text: str) -> str:
        """The whole address of a path as the user wrote it."""
        path = self.path(text)
        return str(self.system(path).makeQualified(path).toString())

    def exists(self, text: str) -> bool:
        path = self.path(text)
        return bool(self.system(path).exists(path))

    def remove(self, text: str) -> None:
        path = self.path(text)
        self.system(path).delete(path, True)

    def names(self, text: str) -> list[str]:
        """The names in a folder; none if it does not exist."""
        path = self.path(text)
        system = self.system(path)
        if not system.exists(path):
            return []
        return sorted(status.getPath().getName() for status in system.listStatus(path))

    def write(self, text: str, contents: str) -> None:
        """Writes a small file, which gets its name when it is complete."""
        path, temporary = self.path(text), self.path(text + ".unfinished")
        system = self.system(path)
        stream = system.create(temporary, True)
        stream.write(contents.encode())
        stream.close()
        system.delete(path, False)
        if not system.rename(temporary, path):
            sys.exit(f"{text}: cannot be written")

    def read(self, text: str) -> str:
        path = self.path(text)
        stream = self.system(path).open(path)
        try:
            return bytes(self.jvm.org.apache.commons.io.IOUtils.toByteArray(stream)).decode()
        finally:
            stream.close()

    def found(self, arguments: Iterable[str]) -> Iterator[tuple[str, int | None]]:
        """What names and patterns stand for, as (address, bytes); a folder has no bytes."""
        for argument in arguments:
            path = self.path(argument)
            found = self.system(path).globStatus(path)
            if not found:
                sys.exit(f"{argument}: there is no such file or folder")
            for status in found:
                yield status.getPath().toString(), None if status.isDirectory() else status.getLen()


class LocalStorage:
    """The local filesystem as far as a run needs it, without Spark."""

    @staticmethod
    def path_of(address: str, master: str | None) -> str | None:
        """The path of an address that is surely local; without a scheme it may not be."""
        if address.startswith("file:"):
            return "/" + address[len("file:"):].lstrip("/")
        is_local = (master or "").startswith("local") and "HADOOP_CONF_DIR" not in os.environ
        return address if is_local and ":" not in address else None

    def qualified(self, text: str) -> str:
        return os.path.abspath(text)

    def exists(self, text: str) -> bool:
        return os.path.exists(text)

    def remove(self, text: str) -> None:
        if os.path.isdir(text):
            shutil.rmtree(text)
        elif os.path.exists(text):
            os.remove(text)

    def names(self, text: str) -> list[str]:
        """The names in a folder; none if it does not exist."""
        return sorted(os.listdir(text)) if os.path.isdir(text) else []

    def write(self, text: str, contents: str) -> None:
        os.makedirs(os.path.dirname(text), exist_ok=True)
        with open(text, "w", encoding="utf-8") as file:
            file.write(contents)

    def read(self, text: str) -> str:
        with open(text, encoding="utf-8") as file:
            return file.read()


class Run:
    """The folder of a run, with the marks by which it is resumed."""

    def __init__(self, storage: Filesystem, output: str) -> None:
        self.storage = storage
        self.output = storage.qualified(output).rstrip("/")
        self.work = self.output + "/_work"
        self.record = self.work + "/run.json"

    def check(self, settings: dict[str, Any], goes_on: bool, adds: bool = False) -> None:
        """Makes sure that the folder is free, or that its run is the same once it is planned.

        Whoever adds to a run may name other tracks.
        """
        if not self.storage.exists(self.record):
            if self.storage.names(self.output):
                sys.exit(f"{self.output}: is not empty, and no run has been there; "
                         "choose another folder")
            return
        if not goes_on and not adds:
            sys.exit(f"{self.output}: has a run already; --resume goes on with it, --add adds what "
                     "is new, another --output or removing the folder starts anew")
        before = json.loads(self.storage.read(self.record))
        differences = [_difference(key, before.get(key), settings[key])
                       for key in settings
                       if settings[key] != before.get(key) and not (adds and key == "tracks")]
        if differences and self.is_marked("planned"):
            sys.exit(f"{self.output}: was made with another {', another '.join(differences)}; "
                     "choose another --output")

    def begin(self, settings: dict[str, Any], goes_on: bool, adds: bool = False) -> None:
        """Claims the folder."""
        self.check(settings, goes_on, adds)
        if not self.is_marked("planned"):
            self.storage.write(self.record, json.dumps(settings, indent=1, sort_keys=True))

    def plan(self, plan: Callable[[], None], adds: bool = False) -> None:
        """Plans the run, once, or adds what is new.

        If that fails, the folder is as it was before.
        """
        marker = f"{self.work}/planning"
        if not self.is_marked("planned"):
            self._forget(0)
        elif self.storage.exists(marker):
            self._forget(int(self.storage.read(marker)))
        elif not adds:
            return
        first = self.next_part()
        self.storage.write(marker, str(first))
        try:
            plan()
            if not self.parts():
                raise columns.Fault("has no tracks")
        except BaseException:
            if self.is_marked("planned"):
                self._forget(first)
            else:
                self.storage.remove(self.work)
            raise
        self.storage.remove(marker)
        self.mark("planned")

    def _forget(self, first: int) -> None:
        """Removes an unfinished plan, from its first part on."""
        for part in self.parts():
            if part >= first:
                self.storage.remove(f"{self.work}/parts/{part:06}")
                self.storage.remove(f"{self.work}/fixes/part={part}")
        self.storage.remove(f"{self.work}/inputs/{first:06}")
        self.storage.remove(f"{self.work}/planning")

    # MARK: What was read before

    def inputs(self) -> set[str]:
        """The files that the plans of the run have read."""
        names = self.storage.names(self.work + "/inputs")
        return {json.loads(line) for name in names
                for line in self.storage.read(f"{self.work}/inputs/{name}").splitlines()}

    def record_inputs(self, files: Iterable[str]) -> None:
        """Remembers the files that a plan reads; call it before the plan records its parts."""
        self.storage.write(f"{self.work}/inputs/{self.next_part():06}",
                           "".join(json.dumps(path) + "\n" for path in files))

    def mark(self, name: str) -> None:
        self.storage.write(f"{self.work}/{name}", "")

    def is_marked(self, name: str) -> bool:
        return self.storage.exists(f"{self.work}/{name}")

    def list_parts(
        self, files: Iterable[tuple[str, int]], most_tracks: int, most_bytes: int,
    ) -> list[str]:
        """Records which files are in which new part, after the existing ones.

        Returns those that are too large for any.
        """
        too_large: list[str] = []
        part: list[str] = []
        size, number = 0, self.next_part()
        for address, length in itertools.chain(files, [("", 0)]):
            if length > MOST_BYTES:
                too_large.append(address)
                continue
            if part and (len(part) == most_tracks or size + length > most_bytes or not address):
                # A name may have any character.
                self.storage.write(f"{self.work}/parts/{number:06}",
                                   "".join(json.dumps(path) + "\n" for path in part))
                part, size, number = [], 0, number + 1
            part.append(address)
            size += length
        return too_large

    def next_part(self) -> int:
        """The number of the first part of another plan."""
        return max(self.parts(), default=-1) + 1

    def parts(self) -> list[int]:
        """The numbers of the recorded parts."""
        return [int(name) for name in self.storage.names(self.work + "/parts") if name.isdigit()]

    def files(self, part: int) -> list[str]:
        """The files of a part."""
        return [
            json.loads(line)
            for line in self.storage.read(f"{self.work}/parts/{part:06}").splitlines()
        ]

    def open_parts(self) -> list[int]:
        """The parts that are not done."""
        done = set(self.storage.names(self.work + "/done"))
        return [part for part in self.parts() if f"{part:06}" not in done]

    def finish_part(self, part: int) -> None:
        self.mark(f"done/{part:06}")
