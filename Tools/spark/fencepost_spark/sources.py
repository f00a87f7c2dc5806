"""Where the tracks come from: files, or tables of fixes."""
import re
import sys

from . import storage, tasks

# What Hadoop takes for a pattern.
_PATTERN = re.compile(r"([\\{}\[\]*?])")
# Into how many pieces a listing comes to the driver.
_LISTING_TASKS = 64


class Files:
    """Files of any format that fencepost reads, which Spark's reader brings and packs into tasks."""

    frames = staticmethod(tasks.file_tracks)

    def __init__(self, spark, run, arguments):
        self.spark, self.run, self.arguments = spark, run, arguments

    def plan(self, most_tracks, most_bytes):
        """Lists the files into parts, and names those that are too large."""
        too_large = self.run.list_parts(self._listed(), most_tracks, most_bytes)
        for address in too_large:
            print(f"{storage.track_name(address)}: more than Spark puts into a value (2 GB), left out",
                  file=sys.stderr)

    def _listed(self):
        """The files as (address, bytes): those named, and the tracks in folders and below as Spark lists them."""
        for address, length in storage.distinct(self.run.storage.found(self.arguments)):
            if length is not None:
                yield address, length
                continue
            # The executors list folders side by side; a piece comes at a time.
            rows = self._files([address], recursiveFileLookup="true").select("path", "length")
            for row in rows.coalesce(_LISTING_TASKS).toLocalIterator():
                if storage.is_track(row.path.rsplit("/", 1)[1]):
                    yield row.path, row.length

    def _files(self, addresses, **options):
        paths = [_PATTERN.sub(r"\\\1", address) for address in addresses]
        return self.spark.read.format("binaryFile").options(**options).load(paths)

    def tracks(self, part):
        """The files of a part."""
        return self._files(self.run.files(part)).select("path", "content")

    def check(self, part, folder):
        """Makes sure that every file has its row."""
        expected, found = len(self.run.files(part)), self.spark.read.parquet(folder).count()
        if found != expected:
            raise RuntimeError(
                f"part {part}: {expected} files and {found} tracks; Spark passes over names that begin with _")


class Table:
    """A table with a row for each fix, which is sorted into tracks."""

    frames = staticmethod(tasks.table_tracks)

    def __init__(self, spark, run, paths, columns):
        self.spark, self.run, self.paths, self.columns = spark, run, paths, columns
        self.staged = f"{run.work}/fixes"

    def plan(self, most_fixes):
        """Sorts the fixes into parts by a hash of their track or person, and writes them by part."""
        from pyspark.sql import functions

        fixes = self._fixes()
        parts = max(1, -(-fixes.count() // most_fixes))
        key = "person" if "person" in fixes.columns else "track"
        staged = fixes.withColumn("part", functions.pmod(functions.xxhash64(key), functions.lit(parts)))
        staged.repartition(parts, "part").write.mode("overwrite").partitionBy("part").parquet(self.staged)
        for name in self.run.storage.names(self.staged):
            if name.startswith("part="):
                self.run.mark(f"parts/{int(name[len('part='):]):06}")

    def _fixes(self):
        """The columns that are wanted, under names of our own."""
        from pyspark.sql import functions

        table = self.spark.read.parquet(*self.paths)
        chosen = {}
        for name, column in self.columns.items():
            if column in table.columns:
                chosen[name] = functions.col(f"`{column}`")
            elif name in ("track", "person", "order"):
                sys.exit(f"{', '.join(self.paths)}: has no column {column}, but {', '.join(table.columns)}")
        if "lat" in chosen and "lon" in chosen:
            chosen.pop("geometry", None)
        elif "geometry" not in chosen:
            sys.exit(f"{', '.join(self.paths)}: has neither {self.columns['lat']} and {self.columns['lon']} "
                     f"nor {self.columns['geometry']}, but {', '.join(table.columns)}")
        chosen["track"] = chosen["track"].cast("string")
        if "person" in chosen:
            chosen["person"] = chosen["person"].cast("string")
            # A person's tracks are a folder, so that --person-by folder finds them.
            track = functions.replace(chosen["track"], functions.lit("/"), functions.lit("%2F"))
            chosen["track"] = functions.concat(chosen["person"], functions.lit("/"), track)
        return table.select([column.alias(name) for name, column in chosen.items()])

    def tracks(self, part):
        """The fixes of a part, each track whole and in order."""
        from pyspark.sql import Window, functions

        fixes = self.spark.read.parquet(f"{self.staged}/part={part}")
        names = fixes.columns
        key, before = "track", []
        if "person" in names:
            key, before = "person", ["person", "start", "track"]
            fixes = fixes.withColumn("start", functions.min("time").over(Window.partitionBy("person", "track")))
        order = [name for name in ("order", "time", "lat", "lon", "geometry") if name in names]
        sorted_fixes = fixes.repartition(key).sortWithinPartitions(*(before or ["track"]), *order)
        return sorted_fixes.select([name for name in names if name not in ("person", "order")])

    def check(self, part, folder):
        """Nothing to do: a task counts its own tracks."""
