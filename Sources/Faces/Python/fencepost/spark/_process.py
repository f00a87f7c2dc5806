"""The program in a task: tracks go in over standard input, lines come out."""

import gzip
import io
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, NamedTuple

from .._library import FencepostError
from ..tables import _frames as frames

# The statuses of fencepost if all went well, and if some tracks were bad, which its output names.
_GOOD = (0, 65)
# The statuses of the system if a program cannot be loaded.
_NOT_STARTED = (126, 127)
# Signals by which a program ends itself; others come from outside, and the task is tried again.
_CRASHES = {
    signal.SIGSEGV,
    signal.SIGBUS,
    signal.SIGILL,
    signal.SIGTRAP,
    signal.SIGABRT,
    signal.SIGFPE,
}
# How many tracks of a task may crash fencepost before something else must be wrong.
_MOST_CRASHES = 8
_ANSWER = re.compile(rb'{"type":"(track|skipped)"')
_TRACK_LINE = re.compile(rb'{"type":"(verdict|entry|chance|chance-track|track|skipped|copy)"')


class Failure(FencepostError):
    """Why the program failed in a task."""


class Program(NamedTuple):
    """How fencepost is called on a worker."""
    binary: str
    store: str
    options: Sequence[str]

    @property
    def simulates(self) -> bool:
        """Whether phones are simulated."""
        return any(option.split("=")[0] == "--profile" for option in self.options)

    def command(self) -> list[str]:
        """The command that takes tracks over standard input, with paths on this worker."""
        return analysis_command(shipped(self.binary), shipped(self.store), self.options)


def analysis_command(binary: str, store: str, options: Sequence[str]) -> list[str]:
    """The command that takes tracks over standard input."""
    return [
        binary,
        "analyze",
        "--tracks-from",
        "-",
        "--store",
        store,
        "--format",
        "ndjson",
        "--sums",
        "--quiet",
        *options,
    ]


def objection(binary: str, store: str, options: Sequence[str]) -> tuple[int, str] | None:
    """Why fencepost refuses the options or the store, as (status, message), or None.

    It analyzes an empty stream on this machine. Where it cannot run, for want of a library or
    because the machine is of another kind than the executors, nobody knows yet.
    """
    try:
        run = subprocess.run(
            analysis_command(os.path.abspath(binary), store, options),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
    except OSError:
        return None
    if run.returncode <= 0 or run.returncode in _NOT_STARTED:
        return None
    return run.returncode, run.stderr.decode(errors="replace").strip()


def shipped(name: str) -> str:
    """The path of a file that Spark has brought to this executor, once for all of its tasks."""
    from pyspark import SparkFiles

    path: str = SparkFiles.get(name)
    if not os.access(path, os.X_OK):
        os.chmod(path, 0o755)
    return path


def scratch_folder() -> "tempfile.TemporaryDirectory[str]":
    """A folder that the cluster cleans up even if the task is killed."""
    places = os.environ.get("SPARK_LOCAL_DIRS") or os.environ.get("LOCAL_DIRS") or ""
    return tempfile.TemporaryDirectory(prefix="fencepost-", dir=places.split(",")[0] or None)


class Analysis:
    """Analyses a task's tracks, and survives those that crash fencepost.

    Frames are kept in a file of the task's scratch folder until fencepost has ended well: after a
    crash they are sent again to a new one, and the track that it crashed on is only named. Nothing
    is given out before.
    """

    def __init__(self, program: Program, folder: str) -> None:
        self.command = program.command()
        self.spool = os.path.join(folder, "frames")
        self.output = os.path.join(folder, "lines.ndjson")
        self.errors = os.path.join(folder, "errors")
        self.folder = folder
        self.names: list[str] = []
        self.sizes: list[int] = []

    def run(self, tracks: Iterable[tuple[str, bytes]]) -> None:
        """Analyzes frames of (track, bytes); then ``track_lines`` and ``sums`` have the result."""
        lost: dict[int, bytes] = {}
        with open(self.spool, "wb") as spool:
            ended = self._attempt(self._spooled(tracks, spool))
        while ended is not None:
            index, why = ended
            lost[index] = frames.absent(self.names[index], why)
            if len(lost) > _MOST_CRASHES:
                raise Failure(
                    f"{self.names[index]}: {why}, and so it did on {_MOST_CRASHES} other tracks"
                )
            ended = self._attempt(self._again(lost))

    def _spooled(
        self, tracks: Iterable[tuple[str, bytes]], spool: IO[bytes],
    ) -> Iterator[bytes]:
        for name, contents in tracks:
            self.names.append(name)
            self.sizes.append(len(contents))
            spool.write(contents)
            yield contents

    def _again(self, lost: dict[int, bytes]) -> Iterator[bytes]:
        with open(self.spool, "rb") as spool:
            for index, size in enumerate(self.sizes):
                contents = spool.read(size)
                yield lost.get(index, contents)

    def _attempt(self, contents: Iterable[bytes]) -> tuple[int, str] | None:
        """Sends all frames; returns the track that fencepost crashed on, and how, if it did."""
        with open(self.output, "wb") as output, open(self.errors, "wb") as errors:
            process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=output, stderr=errors
            )
            try:
                assert process.stdin is not None
                send(contents, process.stdin)
                status = process.wait()
            finally:
                process.kill()
                process.wait()
        answers, is_complete = self._count()
        if status in _GOOD and is_complete and answers == len(self.names):
            return None
        if -status in _CRASHES and answers < len(self.names):
            return answers, f"the analysis ended by {signal.Signals(-status).name}"
        with open(self.errors, encoding="utf-8", errors="replace") as said:
            raise Failure(f"fencepost: status {status} after {answers} of {len(self.names)} "
                          f"tracks: {said.read()[-2000:].strip()}")

    def _count(self) -> tuple[int, bool]:
        """The number of tracks that were answered, and whether the totals are there."""
        answers: int = 0
        line = b""
        with open(self.output, "rb") as lines:
            for line in lines:
                answers += _ANSWER.match(line) is not None
        return answers, line.startswith(b'{"type":"totals"') and line.endswith(b"\n")

    def track_lines(self) -> Iterator[str]:
        """The lines about single tracks."""
        with open(self.output, "rb") as lines:
            for line in lines:
                if _TRACK_LINE.match(line):
                    yield line.decode().rstrip("\n")

    def sums(self) -> bytes:
        """The other lines, from which totals are added up; compressed."""
        with open(self.output, "rb") as lines:
            return gzip.compress(b"".join(line for line in lines if not _TRACK_LINE.match(line)), 3)


def send(contents: Iterable[bytes], pipe: IO[bytes]) -> None:
    """Sends everything; if the reader goes away, the frames are counted and kept."""
    is_open = True
    for piece in contents:
        try:
            if is_open:
                pipe.write(piece)
        except BrokenPipeError:
            is_open = False
    try:
        pipe.close()
    except BrokenPipeError:
        pass


def merge(parts: Iterable[bytes], binary: str, is_last: bool) -> bytes | None:
    """Adds up totals: compressed sums become other sums or, at last, the lines of the whole."""
    with scratch_folder() as folder:
        names = []
        for number, part in enumerate(parts):
            names.append(os.path.join(folder, f"{number}.ndjson"))
            with open(names[-1], "wb") as out, gzip.GzipFile(fileobj=io.BytesIO(part)) as lines:
                shutil.copyfileobj(lines, out)
        if not names:
            return None
        merged = os.path.join(folder, "merged")
        run = subprocess.run(
            [
                shipped(binary),
                "analyze",
                "--merge",
                *names,
                "--output",
                merged,
                *([] if is_last else ["--sums"]),
            ],
            stderr=subprocess.PIPE,
            check=False,
        )
        if run.returncode != 0:
            raise Failure(
                f"fencepost: status {run.returncode}: {run.stderr.decode(errors='replace')[-2000:]}"
            )
        with open(merged, "rb") as lines:
            return lines.read() if is_last else gzip.compress(lines.read(), 3)
