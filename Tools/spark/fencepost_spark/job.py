"""The jobs of a run: parts of the tracks one after the other, then the totals."""
import math
import sys
from concurrent.futures import ThreadPoolExecutor

from . import schema, tasks

# How many sums a task adds up; the totals are a tree with so many branches.
FAN_IN = 16
# How many tasks' rows share a file.
TASKS_A_FILE = 8
# How many parts are worked on at a time: the second fills cores that the first leaves idle at its end.
PARTS_AT_A_TIME = 2


class Job:
    """Analyses the parts of a run."""

    def __init__(self, spark, run, source, program, keeps_lines, by_date):
        self.spark, self.run, self.source, self.program = spark, run, source, program
        self.keeps_lines, self.by_date = keeps_lines, by_date
        self.tables = [table for table in schema.TRACK_TABLES if table != "chances" or program.simulates]

    def analyze(self):
        """Analyses what is open."""
        parts = self.run.open_parts()
        done = len(self.run.parts()) - len(parts)
        if done:
            print(f"{done} of {done + len(parts)} parts were done before", file=sys.stderr)
        with ThreadPoolExecutor(PARTS_AT_A_TIME) as pool:
            for part in pool.map(self._analyze, parts):
                print(f"part {part} is done", file=sys.stderr)

    def _analyze(self, part):
        tracks = self.source.tracks(part)
        rows = tracks.mapInArrow(
            tasks.analyze(self.program, self.source.frames, self.keeps_lines), tasks.RESULT)
        # On the executors' disks: each table takes its rows from there, and what is lost with one is worked
        # out again.
        rows = rows.persist(_disk())
        try:
            files = math.ceil(rows.rdd.getNumPartitions() / TASKS_A_FILE)
            for table in self.tables:
                self._write(rows.where(f"kind = '{table}'").select(f"{table}.*"), table, part, files)
            if self.keeps_lines:
                rows.where("kind = 'line'").select("line").coalesce(files).write.mode("overwrite").option(
                    "compression", "gzip").text(f"{self.run.output}/ndjson/tracks/part={part:06}")
            sums = self._tree(rows.where("kind = 'sums'").select("sums"))
            sums.write.mode("overwrite").parquet(f"{self.run.work}/sums/part={part:06}")
            self.source.check(part, f"{self.run.output}/tracks/part={part:06}")
        finally:
            rows.unpersist()
        self.run.finish_part(part)
        return part

    def _write(self, rows, table, part, files):
        writer = rows.coalesce(files).write
        if self.by_date:
            writer = rows.repartition(files, "date").write.partitionBy("date")
        writer.mode("overwrite").parquet(f"{self.run.output}/{table}/part={part:06}")

    def _tree(self, sums):
        """Adds sums up, level by level, until there is one row."""
        count = sums.rdd.getNumPartitions()
        while True:
            count = math.ceil(count / FAN_IN)
            sums = sums.repartition(count).mapInArrow(tasks.merge(self.program.binary), tasks.SUMS)
            if count == 1:
                return sums

    def conclude(self):
        """Writes the tables of stories and totals, and their lines."""
        sums = self._tree(self.spark.read.parquet(f"{self.run.work}/sums"))
        rows = sums.mapInArrow(tasks.conclude(self.program.binary), tasks.CONCLUSION).persist(_disk())
        for table in schema.TOTAL_TABLES:
            chosen = rows.where(f"kind = '{table}'").select(f"{table}.*")
            chosen.write.mode("overwrite").parquet(f"{self.run.output}/{table}")
        rows.where("kind = 'line'").select("line").write.mode("overwrite").text(
            f"{self.run.output}/ndjson/totals")
        rows.unpersist()
        self.run.storage.write(f"{self.run.output}/_SUCCESS", "")


def _disk():
    from pyspark import StorageLevel

    return StorageLevel.DISK_ONLY
