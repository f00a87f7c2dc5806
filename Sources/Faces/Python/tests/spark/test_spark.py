"""Spark says what replays of the same fixes say, on tables and streams, whatever is killed.

FENCEPOST_STREAM="10000 100 4" takes so many devices, fixes of each and files, and prints the rate.
"""

import doctest
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import numpy
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest

import fencepost
import fencepost.spark

pytest.importorskip("pyspark", reason="PySpark is not installed; Tools/check spark installs it")

DEVICES, FIXES, FILES = map(int, os.environ.get("FENCEPOST_STREAM", "60 60 4").split())
RULES = {"reorder": "2min", "cooldown": "forever"}
PROJECT = pathlib.Path(__file__).resolve().parents[5]
MASTER = "local-cluster[2,1,1024]"
START = 1_772_643_600_000


@pytest.fixture(scope="module")
def fixes():
    """Fixes of devices in the order of their arrival, up to a minute late."""
    random = numpy.random.default_rng(7)
    each = (DEVICES, FIXES)
    times = START + 5000 * numpy.arange(FIXES) + random.integers(0, 1000, each)
    # A last fix behind a gap lets go of those that wait for older ones.
    times[:, -1] += 3_600_000
    steps = random.normal(0, 2e-4, (2, *each))
    steps[:, :, -1] = 0
    lat, lon = numpy.array([39.95, -75.15])[:, None, None] + numpy.cumsum(steps, 2)
    arrival = times + random.integers(0, 60_000, each)
    devices = numpy.repeat([f"phone-{number}" for number in range(DEVICES)], FIXES)
    order = numpy.argsort(arrival.ravel(), kind="stable")
    return pa.table({
        "device": devices, "time": pa.array(times.ravel(), pa.timestamp("ms", "UTC")),
        "lat": lat.ravel(), "lon": lon.ravel()}).take(pa.array(order))


@pytest.fixture(scope="module")
def expected(fixes, places):
    """The alerts of each device by a replay of its fixes."""
    found, ordered = [], fixes.sort_by([("device", "ascending"), ("time", "ascending")])
    rules = fencepost.Rules(**RULES)
    for start in range(0, ordered.num_rows, FIXES):
        walk = ordered.slice(start, FIXES)
        name = walk.column("device")[0].as_py()
        found += fencepost.replay(walk, places, rules, name=name, events="alert").ndjson.splitlines()
    assert len(found) > DEVICES / 10
    return sorted(found)


@pytest.fixture
def folder(tmp_path, fixes):
    """A folder of fixes in files of the order of arrival."""
    size = -(-fixes.num_rows // FILES)
    (tmp_path / "fixes").mkdir()
    for number in range(FILES):
        path = tmp_path / f"fixes/{number}.parquet"
        pyarrow.parquet.write_table(fixes.slice(number * size, size), path)
        os.utime(path, (START / 1000 + number,) * 2)
    return tmp_path


class Driver:
    """A query in a process of its own."""

    def __init__(self, folder, places, *words):
        (folder / "places.json").write_bytes(places.json)
        self.folder = folder
        self.log = open(folder / "log", "ab")
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(folder), *words], stdout=self.log, stderr=self.log,
            env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
                 "SPARK_LOCAL_DIRS": str(folder)})

    def wait(self):
        status = self.process.wait(1500)
        assert status == 0, (self.folder / "log").read_text()[-4000:]

    def await_batch(self, number):
        """Waits until a batch is written."""
        written = self.folder / f"checkpoint/commits/{number}"
        for _ in range(6000):
            if written.exists():
                return
            assert self.process.poll() is None, (self.folder / "log").read_text()[-4000:]
            time.sleep(0.1)
        pytest.fail(f"batch {number} was not written in ten minutes")

    def executors(self):
        """The executors that this driver has started."""
        parents, found = {}, []
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parents[int(path.name)] = int((path / "stat").read_text().rsplit(")")[-1].split()[1])
                if b"CoarseGrainedExecutorBackend" in (path / "cmdline").read_bytes():
                    found.append(int(path.name))
            except OSError:
                continue
        return [pid for pid in found if self._is_mine(pid, parents)]

    def _is_mine(self, pid, parents):
        while pid in parents and pid != self.process.pid:
            pid = parents[pid]
        return pid == self.process.pid


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config(
        "spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", 2).config(
        "spark.ui.enabled", False).getOrCreate()
    yield session
    session.stop()


def alerts_of(spark, folder):
    """The lines that the sink has committed."""
    rows = spark.read.parquet(str(folder / "alerts")).select("line")
    return sorted(row.line.encode() for row in rows.collect())


def test_tracks_of_a_table_give_the_lines_of_replays(spark, folder, places, fixes):
    tracks = spark.read.parquet(str(folder / "fixes"))
    found = fencepost.spark.replay(tracks, places, columns={"track": "device"}, events="all")
    rows = found.select("line", "type", "time").collect()
    ordered = fixes.sort_by([("device", "ascending"), ("time", "ascending")])
    expected = b"".join(
        fencepost.replay(walk, places, name=walk.column("device")[0].as_py(), events="all").ndjson
        for walk in (ordered.slice(start, FIXES) for start in range(0, len(ordered), FIXES)))
    assert sorted(row.line.encode() for row in rows) == sorted(expected.splitlines())
    assert all(row.time is not None for row in rows if row.type == "alert")


def test_the_examples_of_the_guide_say_what_the_guide_says(spark, monkeypatch):
    monkeypatch.chdir(PROJECT)
    text = (PROJECT / "Sources/Faces/CommandLine/Documentation.docc/Clusters.md").read_text()
    blocks = "\n\n".join(re.findall(r"^```python\n(.*?)^```", text, re.M | re.S))
    examples = doctest.DocTestParser().get_doctest(blocks, {}, "Clusters.md", None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(examples).failed == 0 < len(examples.examples)


def test_alerts_come_once_though_executor_and_driver_are_killed(
        spark, folder, places, expected):
    first = Driver(folder, places, "files")
    first.await_batch(0)
    os.kill(first.executors()[0], signal.SIGKILL)
    first.await_batch(1)
    first.process.kill()
    first.process.wait()
    second = Driver(folder, places, "files")
    second.wait()
    assert alerts_of(spark, folder) == expected


def test_a_socket_makes_the_same_alerts(spark, tmp_path, places, fixes, expected):
    texts = fixes.set_column(1, "time", fixes.column("time").cast(pa.int64())).to_pylist()
    lines = "".join("{device},{time},{lat!r},{lon!r}\n".format(**row) for row in texts).encode()
    with socket.create_server(("127.0.0.1", 0)) as server:
        def serve():
            connection, _ = server.accept()
            with connection:
                connection.sendall(lines)
                stop.wait()

        stop = threading.Event()
        sender = threading.Thread(target=serve)
        sender.start()
        try:
            Driver(tmp_path, places, "socket", str(server.getsockname()[1]),
                   str(fixes.num_rows)).wait()
        finally:
            stop.set()
            sender.join()
    assert alerts_of(spark, tmp_path) == expected


def main():
    """Runs a query to its end: FOLDER files, or FOLDER socket PORT ROWS."""
    from pyspark.sql import SparkSession, functions

    from fencepost.spark import ship, stream

    folder, kind, *rest = sys.argv[1:]
    spark = SparkSession.builder.master(MASTER).config(
        "spark.sql.session.timeZone", "UTC").config(
        "spark.sql.shuffle.partitions", 2).config("spark.ui.enabled", False).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    ship(spark)
    if kind == "files":
        source = spark.readStream.schema(
            "device string, time timestamp, lat double, lon double").option(
            "maxFilesPerTrigger", 1).parquet(f"{folder}/fixes")
    else:
        lines = spark.readStream.format("socket").option("host", "127.0.0.1").option(
            "port", rest[0]).load()
        row = functions.from_csv("value", "device string, time long, lat double, lon double")
        source = lines.select(row.alias("row")).select("row.*").withColumn(
            "time", functions.timestamp_millis("time"))
    found = stream.alerts(source, f"{folder}/places.json", fencepost.Rules(**RULES))
    writer = found.writeStream.format("parquet").option(
        "checkpointLocation", f"{folder}/checkpoint").option("path", f"{folder}/alerts")
    query = writer.trigger(availableNow=True).start() if kind == "files" else writer.start()
    if kind == "files":
        query.awaitTermination()
    else:
        while sum(progress.numInputRows for progress in query.recentProgress) < int(rest[1]):
            if query.exception():
                raise query.exception()
            time.sleep(0.5)
        query.stop()
    for progress in query.recentProgress:
        print(progress.batchId, progress.numInputRows, progress.processedRowsPerSecond, flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
