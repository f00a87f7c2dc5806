"""Where the tracks come from: files, or tables of fixes."""

import functools
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..tables import _columns as columns, _points as points
from . import _storage as storage, _tasks as tasks

# What Hadoop takes for a pattern.
_PATTERN = re.compile(r"([\\{}\[\]*?])")
_LOCAL = re.compile("^file:/+")
# Spark's name for a fault, and its first line.
_FAULT = re.compile(r"\[([A-Z_0-9]+(?:\.[A-Z_0-9]+)*)\] .*")
# Its names for tables that cannot be read, and for those whose files have different columns.
_UNREADABLE = ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA", "PARQUET_TYPE_ILLEGAL",
               "FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER")
_DIFFERENT = ("CANNOT_MERGE_SCHEMAS", "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH")
# Into how many pieces a listing comes to the driver.
_LISTING_TASKS = 64
# Of how many files of a table the coordinate system is read, one after the other by the driver.
_MOST_FOOTERS = 200


class Files:
    """Files of any format that fencepost reads, which Spark fetches and packs into tasks."""

    frames = staticmethod(tasks.file_tracks)

    def __init__(self, spark: Any, run: storage.Run, arguments: Sequence[str]) -> None:
        self.spark, self.run, self.arguments = spark, run, arguments
        self.files = storage.Storage(spark)

    def plan(self, most_tracks: int, most_bytes: int) -> None:
        """Puts files that no part has yet into parts, and names those that are too large."""
        known = self.run.inputs()
        listed = [file for file in self._listed() if file[0] not in known]
        self.run.record_inputs(address for address, _ in listed)
        too_large = self.run.list_parts(listed, most_tracks, most_bytes)
        for address in too_large:
            print(
                f"{storage.track_name(address)}: more than Spark puts into a value (2 GB), left out",
                file=sys.stderr,
            )

    def _listed(self) -> Iterator[tuple[str, int]]:
        """The files as (address, bytes): those named, and the tracks in folders and below."""
        for address, length in storage.distinct(self.files.found(self.arguments)):
            if length is not None:
                yield address, length
                continue
            # The executors list folders side by side; a piece comes at a time.
            rows = self._files([address], recursiveFileLookup="true").select("path", "length")
            for row in rows.coalesce(_LISTING_TASKS).toLocalIterator():
                if storage.is_track(row.path.rsplit("/", 1)[1]):
                    yield row.path, row.length

    def _files(self, addresses: Sequence[str], **options: str) -> Any:
        paths = [_PATTERN.sub(r"\\\1", address) for address in addresses]
        return self.spark.read.format("binaryFile").options(**options).load(paths)

    def tracks(self, part: int) -> Any:
        """The files of a part."""
        return self._files(self.run.files(part)).select("path", "content")

    def check(self, part: int, folder: str) -> None:
        """Makes sure that every file has its row."""
        expected, found = len(self.run.files(part)), self.spark.read.parquet(folder).count()
        if found != expected:
            raise RuntimeError(
                f"part {part}: {expected} files and {found} tracks; Spark passes over names that begin with _"
            )


class Table:
    """A table with a row for each fix, which is sorted into tracks."""

    def __init__(
        self, spark: Any, run: storage.Run, paths: Sequence[str], names: Mapping[str, str],
        most_fixes: int, where: Sequence[columns.Condition],
    ) -> None:
        self.spark, self.run, self.paths, self.names = spark, run, paths, names
        self.files = storage.Storage(spark)
        self.most_fixes, self.where = most_fixes, where
        self.staged = f"{run.work}/fixes"
        self.record = f"{run.work}/table.json"

    @property
    def frames(self) -> tasks.Tracks:
        """Makes tracks from rows, in the coordinate system that the plan found."""
        system = json.loads(self.run.storage.read(self.record))["system"]
        return functools.partial(tasks.table_tracks, system=system, most_fixes=self.most_fixes)

    def _say(self, sentence: str) -> None:
        print(f"{', '.join(self.paths)}: {sentence}", file=sys.stderr)

    def plan(self, most_fixes: int) -> None:
        """Sorts the fixes into parts by a hash of track or person, and writes them by part."""
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        try:
            self._stage(most_fixes)
        except (PySparkException, Py4JJavaError) as fault:
            sentence = table_fault(str(fault))
            if sentence is None:
                raise
            raise columns.Fault(sentence) from None
        known = set(self.run.parts())
        for name in self.run.storage.names(self.staged):
            if name.startswith("part=") and int(name.removeprefix("part=")) not in known:
                self.run.mark(f"parts/{int(name.removeprefix('part=')):06}")

    def _stage(self, most_fixes: int) -> None:
        from pyspark.sql import functions

        first = self.run.next_part()
        chosen = self._fixes()
        if chosen is None:
            return
        fixes, count = self._timed(chosen)
        if first and not count:
            raise columns.Fault("has no rows in its new files")
        parts = max(1, -(-count // most_fixes))
        fixes = _with_folders(fixes)
        key = "person" if "person" in fixes.columns else "track"
        number = functions.pmod(functions.xxhash64(key), functions.lit(parts))
        staged = fixes.withColumn("part", number + functions.lit(first))
        # Parts of before stay; those that a plan left unfinished are written anew.
        writer = staged.repartition(parts, "part").write.mode("overwrite")
        writer.option("partitionOverwriteMode", "dynamic").partitionBy("part").parquet(self.staged)

    def _fixes(self) -> Any:
        """The columns that are wanted, under names of our own; None if no file is new."""
        from pyspark.sql import functions

        # Spark reads times in nanoseconds only as numbers.
        self.spark.conf.set("spark.sql.legacy.parquet.nanosAsLong", "true")
        table = self.spark.read.parquet(*self.paths)
        known = self.run.inputs()
        files = [file for file in table.inputFiles() if file not in known]
        if not files:
            return None
        self.run.record_inputs(files)
        # One file may have float where another has double.
        table = self.spark.read.schema(_widened(table.schema)).parquet(*self.paths)
        if known:
            # Spark passes over the other files. It writes a local address in two ways.
            address = functions.regexp_replace("_metadata.file_path", "^file:/+", "file:/")
            table = table.where(address.isin([_LOCAL.sub("file:/", file) for file in files]))
        for condition in self.where:
            if condition.column not in table.columns:
                raise columns.Fault(
                    f"has no column {condition.column}, but {', '.join(table.columns)}")
            table = table.where(condition.apply(
                table[condition.column], functions.lit(condition.value).cast(
                    table.schema[condition.column].dataType)))
        lists = [name for name, kind in table.dtypes if kind.startswith("array")]
        chosen = columns.choose(self.names, table.columns, lists)
        for sentence in columns.notices(chosen, table.columns):
            self._say(sentence)
        self._find_system(table, chosen)
        values = {name: functions.col(f"`{column}`") for name, column in chosen.items()}
        for name in ("track", "person"):
            if name in values:
                values[name] = values[name].cast("string")
        for name in columns.MEASURES:
            if name in values:
                values[name] = values[name].cast("double")
        if "time" in chosen and dict(table.dtypes)[chosen["time"]] == "bigint":
            # Numbers do not tell what they count: files must not have times of another type.
            self.spark.read.option("mergeSchema", "true").parquet(*self.paths).schema
            if self._counts_nanoseconds(table, chosen["time"]):
                values["time"] = functions.expr(f"timestamp_micros(`{chosen['time']}` div 1000)")
        return table.select([column.alias(name) for name, column in values.items()])

    def _counts_nanoseconds(self, table: Any, column: str) -> bool:
        """Whether numbers are times in nanoseconds, by the type in a file of the table."""
        files = table._jdf.inputFiles()
        if not files:
            return False
        schema = self._metadata(files[0]).getSchema()
        # A column of the folders' names is in no file.
        return bool(schema.containsField(column)) and str(
            schema.getType(column).getLogicalTypeAnnotation()).startswith("TIMESTAMP(NANOS")

    def _metadata(self, address: str) -> Any:
        """What a Parquet file says about itself."""
        jvm, path = self.files.jvm, self.files.path(address)
        file = jvm.org.apache.parquet.hadoop.util.HadoopInputFile.fromPath(
            path, self.files.configuration
        )
        reader = jvm.org.apache.parquet.hadoop.ParquetFileReader.open(file)
        try:
            return reader.getFileMetaData()
        finally:
            reader.close()

    def _find_system(self, table: Any, chosen: Mapping[str, str]) -> None:
        """Records the coordinate system of the points, and says if they will be transformed."""
        system = None
        if column := chosen.get("geometry"):
            files = list(table._jdf.inputFiles())
            systems = [
                points.system_of(self._metadata(file).getKeyValueMetaData().get("geo"), column)
                for file in files[:: max(1, -(-len(files) // _MOST_FOOTERS))]
            ]
            system = points.only(systems, column)
        if column and system is not None:
            self._say(points.check(system, column))
        self.run.storage.write(self.record, json.dumps({"system": system}))

    def _timed(self, fixes: Any) -> tuple[Any, int]:
        """The fixes that have a time, or all where there are no times, and how many rows there are.

        Each has a track, and where it is asked for a person.
        """
        from pyspark.sql import functions

        keys = [name for name in ("track", "person") if name in fixes.columns]
        untimed = _is_untimed(fixes) if "time" in fixes.columns else functions.lit(False)
        counts = fixes.select(
            functions.count(functions.lit(1)), functions.count_if(untimed),
            *(functions.count_if(fixes[name].isNull()) for name in keys)).first()
        searched = columns.wanted(self.names)
        columns.check_filled(
            counts[0], {searched[name]: count for name, count in zip(keys, counts[2:])}
        )
        if "time" not in fixes.columns or not counts[0]:
            return fixes, counts[0]
        is_used, sentence = columns.timed(
            counts[0],
            counts[1],
            searched["time"],
            "order" in fixes.columns and "person" not in fixes.columns,
        )
        if sentence:
            self._say(sentence)
        return (fixes.where(~untimed) if is_used else fixes.drop("time")), counts[0]

    def tracks(self, part: int) -> Any:
        """The fixes of a part, each track whole and in order."""
        from pyspark.sql import Window, functions

        fixes = self.spark.read.parquet(f"{self.staged}/part={part}")
        names = fixes.columns
        key, before = "track", ["track"]
        if "person" in names:
            key, before = "person", ["person", "start", "track"]
            fixes = fixes.withColumn(
                "start", functions.min("time").over(Window.partitionBy("person", "track"))
            )
        order = [name for name in ("order", "time", "lat", "lon", "geometry") if name in names]
        sorted_fixes = fixes.repartition(key).sortWithinPartitions(*before, *order)
        return sorted_fixes.select([name for name in names if name not in ("person", "order")])

    def check(self, part: int, folder: str) -> None:
        """Nothing to do: a task counts its own tracks."""


def _is_untimed(fixes: Any) -> Any:
    """Which times are missing, as ``frames.is_untimed`` decides."""
    from pyspark.sql import functions

    time, kind = fixes["time"], dict(fixes.dtypes)["time"]
    if kind in ("float", "double"):
        return time.isNull() | functions.isnan(time)
    return time.isNull() | (functions.trim(time) == "") if kind == "string" else time.isNull()


def _widened(schema: Any) -> Any:
    """A schema with double for float, which Spark makes of either."""
    from pyspark.sql import types

    return types.StructType(
        [
            types.StructField(
                field.name,
                types.DoubleType() if field.dataType == types.FloatType() else field.dataType,
            )
            for field in schema
        ]
    )


def _with_folders(fixes: Any) -> Any:
    """Puts a person's tracks into a folder, so that --person-by folder finds them."""
    from pyspark.sql import functions

    if "person" not in fixes.columns:
        return fixes
    track = functions.replace(fixes["track"], functions.lit("/"), functions.lit("%2F"))
    return fixes.withColumn("track", functions.concat(fixes["person"], functions.lit("/"), track))


def table_fault(text: str) -> str | None:
    """What is wrong with a table, from Spark's message; None if something else is wrong."""
    found = _FAULT.search(text)
    if found and found[1].startswith(_DIFFERENT):
        return (
            "has files with different types of a column. Write all files with the same types, and times in "
            f"nanoseconds, as pandas has them, with coerce_timestamps='us' ({found[0]})"
        )
    if found and found[1].startswith(_UNREADABLE):
        return f"cannot be read as Parquet: {found[0]}"
    return None
