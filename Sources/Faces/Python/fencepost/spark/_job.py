"""The jobs of a run: parts of the tracks one after the other, then the totals."""

import json
import math
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..tables import _schema as schema
from . import _tasks as tasks
from ._process import Program
from ._sources import Files, Table
from ._storage import Run

# How many sums a task adds up; the totals are a tree with so many branches.
FAN_IN = 16
# How many tasks' rows share a file.
TASKS_A_FILE = 8
# How many parts are worked on at a time: the second fills cores that the first leaves idle.
PARTS_AT_A_TIME = 2


class Job:
    """Analyzes the parts of a run."""

    def __init__(
        self, spark: Any, run: Run, source: Files | Table, program: Program, keeps_lines: bool,
        by_date: bool,
    ) -> None:
        self.spark, self.run, self.source, self.program = spark, run, source, program
        self.keeps_lines, self.by_date = keeps_lines, by_date
        self.tables = [
            table for table in schema.TRACK_TABLES if table != "chances" or program.simulates]

    def analyze(self) -> None:
        """Analyzes the parts that are not done."""
        parts = self.run.open_parts()
        done = len(self.run.parts()) - len(parts)
        if done:
            print(f"{done} of {done + len(parts)} parts were done before", file=sys.stderr)
        if parts:
            self.run.storage.remove(f"{self.run.output}/_SUCCESS")
        with ThreadPoolExecutor(PARTS_AT_A_TIME) as pool:
            for metrics in pool.map(self._analyze, parts):
                print(
                    "part {part} is done: {fixes:,} fixes of {tracks:,} tracks in {seconds:.1f} "
                    "s, the longest of {tasks} tasks {longestTaskSeconds:.1f} s".format(**metrics),
                    file=sys.stderr,
                )

    def _analyze(self, part: int) -> dict[str, Any]:
        start = time.monotonic()
        tracks = self.source.tracks(part)
        rows = tracks.mapInArrow(
            tasks.analyze(self.program, self.source.frames, self.keeps_lines), tasks.RESULT)
        # On the executors' disks: each table takes its rows from there, and what is lost with one
        # is worked out again.
        rows = rows.persist(_disk())
        try:
            files = math.ceil(rows.rdd.getNumPartitions() / TASKS_A_FILE)
            for table in self.tables:
                self._write(
                    rows.where(f"kind = '{table}'").select(f"{table}.*"), table, part, files)
            if self.keeps_lines:
                lines = rows.where("kind = 'line'").select("line").coalesce(files)
                lines.write.mode("overwrite").option("compression", "gzip").text(
                    f"{self.run.output}/ndjson/tracks/part={part:06}")
            sums = self._tree(rows.where("kind = 'sums'").select("sums"))
            sums.write.mode("overwrite").parquet(f"{self.run.work}/sums/part={part:06}")
            self.source.check(part, f"{self.run.output}/tracks/part={part:06}")
            metrics = self._metrics(rows, part, start)
        finally:
            rows.unpersist()
        self.run.finish_part(part)
        return metrics

    def _metrics(self, rows: Any, part: int, start: float) -> dict[str, Any]:
        """Keeps what a part has cost in a file."""
        found = rows.selectExpr(
            "count(tracks)", "count_if(tracks.status != 'track')",
            "coalesce(sum(tracks.fixes), 0)", "count(seconds)", "coalesce(sum(seconds), 0)",
            "coalesce(max(seconds), 0)").first()
        names = ("tracks", "skipped", "fixes", "tasks", "taskSeconds", "longestTaskSeconds")
        metrics = {"part": part, **dict(zip(names, found)), "seconds": time.monotonic() - start}
        self.run.storage.write(
            f"{self.run.output}/metrics/part={part:06}.json", json.dumps(metrics) + "\n")
        return metrics

    def _write(self, rows: Any, table: str, part: int, files: int) -> None:
        writer = rows.coalesce(files).write
        if self.by_date:
            writer = rows.repartition(files, "date").write.partitionBy("date")
        writer.mode("overwrite").parquet(f"{self.run.output}/{table}/part={part:06}")

    def _tree(self, sums: Any) -> Any:
        """Adds up sums, level by level, until one row is left."""
        count = sums.rdd.getNumPartitions()
        while True:
            count = math.ceil(count / FAN_IN)
            sums = sums.repartition(count).mapInArrow(tasks.merge(self.program.binary), tasks.SUMS)
            if count == 1:
                return sums

    def conclude(self) -> None:
        """Writes the tables of stories and totals, and their lines."""
        sums = self._tree(self.spark.read.parquet(f"{self.run.work}/sums"))
        rows = sums.mapInArrow(tasks.conclude(self.program.binary), tasks.CONCLUSION)
        rows = rows.persist(_disk())
        for table in schema.TOTAL_TABLES:
            chosen = rows.where(f"kind = '{table}'").select(f"{table}.*")
            chosen.write.mode("overwrite").parquet(f"{self.run.output}/{table}")
        rows.where("kind = 'line'").select("line").write.mode("overwrite").text(
            f"{self.run.output}/ndjson/totals")
        rows.unpersist()
        self.run.storage.write(f"{self.run.output}/_SUCCESS", "")


def _disk() -> Any:
    from pyspark import StorageLevel

    return StorageLevel.DISK_ONLY
