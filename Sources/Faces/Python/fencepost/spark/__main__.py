"""fencepost analyze over a Spark cluster.

Tracks are files of any filesystem that Hadoop knows, or with --table tables of fixes in Parquet or
GeoParquet. The result is a folder of Parquet tables that the executors write. What follows `--`
goes to fencepost as it is (--limit 20 --refresh adaptive).
"""

import argparse
import hashlib
import os
import sys
from collections.abc import Sequence
from typing import Any

from .._library import FencepostError
from .._program import program
from ..tables import _columns as columns
from . import _job as job, _process as process, _sources as sources, _storage as storage, ship

# What fencepost is told by the tasks.
OWN_OPTIONS = {
    "--store",
    "--places",
    "--output",
    "-o",
    "--format",
    "--tracks-from",
    "--sums",
    "--merge",
    "--report",
    "--sweep",
    "--jobs",
    "--strict",
    "--quiet",
    "-q",
}

# The exit status if no track could be read, which is fencepost's for bad data.
ALL_SKIPPED = 65


def parse_arguments(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    own: Sequence[str] = arguments
    options: list[str] = []
    if "--" in own:
        cut = own.index("--")
        own, options = own[:cut], list(own[cut + 1:])
    parser = argparse.ArgumentParser(
        prog="python -m fencepost.spark", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "tracks", nargs="+", help="files, folders, patterns, or with --table Parquet"
    )
    parser.add_argument(
        "--store", required=True, help="the store of places; it is sent once to each executor"
    )
    parser.add_argument(
        "--output", required=True, help="the folder of the result, on any filesystem"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the run in that folder")
    parser.add_argument("--add", action="store_true",
                        help="add the files that the run in that folder has not read")
    parser.add_argument("--fencepost", help="the program; it is sent too")
    parser.add_argument(
        "--lines", action="store_true", help="write the lines of tracks as NDJSON too"
    )
    parser.add_argument(
        "--by-date", action="store_true", help="partition the tables by the day of the tracks too"
    )
    parser.add_argument("--part-tracks", type=int, default=20_000, help="most files in a part")
    parser.add_argument(
        "--part-bytes", type=int, default=16 << 30, help="most bytes of files in a part"
    )
    parser.add_argument(
        "--part-fixes", type=int, default=20_000_000, help="about how many rows in a part"
    )
    parser.add_argument(
        "--task-bytes", type=int, default=64 << 20, help="about how many bytes of files in a task"
    )
    parser.add_argument("--master", help="the cluster, where spark-submit does not say it")
    table = parser.add_argument_group("tables")
    table.add_argument(
        "--table", action="store_true", help="the arguments are Parquet with a row for each fix"
    )
    columns.add_options(table, "the column of the person whose track it is")
    result = parser.parse_args(own)
    check_tables(parser, result)
    try:
        result.fencepost = result.fencepost or program()
        result.conditions = [columns.Condition.of(text) for text in result.where]
    except FencepostError as fault:
        parser.error(str(fault))
    for option in options:
        if option.split("=")[0] in OWN_OPTIONS:
            parser.error(f"{option} cannot be given to fencepost here")
        if option.split("=")[0] == "--person-by":
            parser.error("--person-by needs a table; --person names the column")
    if result.person:
        options = ["--person-by", "folder", *options]
    return result, options


def check_tables(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Refuses tables without --table, and options that only tables have."""
    if arguments.table:
        return
    for path in arguments.tracks:
        if path.rstrip("/").lower().endswith((".parquet", ".geoparquet")):
            parser.error(f"{path}: --table reads Parquet")
    for name in [*columns.named(arguments), *(["where"] if arguments.where else [])]:
        parser.error(f"--{name} needs --table")


def digest(path: str) -> str:
    """The SHA-256 of a file."""
    whole = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            whole.update(chunk)
    return whole.hexdigest()


def begin_session(arguments: argparse.Namespace) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("fencepost analyze")
    if arguments.master:
        builder = builder.master(arguments.master)
    settings: dict[str, Any] = {
        "spark.sql.session.timeZone": "UTC",
        # A file opens as fast as it reads some kilobytes, so that many small ones share a task.
        "spark.sql.files.openCostInBytes": 16 << 10,
        "spark.sql.files.maxPartitionBytes": arguments.task_bytes,
        # Few files at a time in a worker's memory.
        "spark.sql.execution.arrow.maxRecordsPerBatch": 10_000 if arguments.table else 16,
        "spark.sql.parquet.compression.codec": "zstd",
        # Times that every reader takes for UTC.
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
        # Tasks differ in their tracks and not in their bytes of a shuffle.
        "spark.sql.adaptive.enabled": "false",
    }
    spark = builder.getOrCreate()
    context = spark.sparkContext
    settings["spark.sql.shuffle.partitions"] = 4 * context.defaultParallelism
    for name, value in settings.items():
        spark.conf.set(name, str(value))
    context.setLogLevel("ERROR")
    for path in (arguments.fencepost, arguments.store):
        context.addFile(os.path.abspath(path))
    ship(spark)
    return spark


def settings_of(arguments: argparse.Namespace, options: list[str]) -> dict[str, Any]:
    """What must be the same when a run is resumed."""
    names = {**dict.fromkeys((*columns.OTHERS, *columns.MEASURES)),
             **columns.wanted(columns.named(arguments))}
    return {"tracks": arguments.tracks, "options": options, "lines": arguments.lines,
            "by date": arguments.by_date, "store": digest(arguments.store),
            "program": digest(arguments.fencepost), "table": arguments.table,
            "track fixes": arguments.track_fixes, "where": arguments.where, **names}


def check(arguments: argparse.Namespace, options: list[str]) -> None:
    """Refuses, before Spark starts, files and options that would fail later."""
    for path in (arguments.fencepost, arguments.store):
        if not os.path.isfile(path):
            sys.exit(f"{path}: no such file")
    if objection := process.objection(arguments.fencepost, arguments.store, options):
        status, message = objection
        print(message, file=sys.stderr)
        sys.exit(status)


def check_output(arguments: argparse.Namespace, settings: dict[str, Any]) -> None:
    """Refuses, before Spark starts, a local folder that is taken."""
    path = storage.LocalStorage.path_of(arguments.output, arguments.master)
    if path:
        storage.Run(storage.LocalStorage(), path).check(
            settings, arguments.resume, arguments.add)


def plan(
    spark: Any, run: storage.Run, arguments: argparse.Namespace,
) -> sources.Files | sources.Table:
    """Plans the run unless that is done; returns the source of its tracks."""
    before = len(run.parts())
    source: sources.Files | sources.Table
    try:
        if arguments.table:
            source = table = sources.Table(
                spark, run, arguments.tracks, columns.named(arguments), arguments.track_fixes,
                arguments.conditions)
            run.plan(lambda: table.plan(arguments.part_fixes), arguments.add)
        else:
            source = files = sources.Files(spark, run, arguments.tracks)
            run.plan(lambda: files.plan(arguments.part_tracks, arguments.part_bytes), arguments.add)
    except columns.Fault as fault:
        sys.exit(f"{', '.join(arguments.tracks)}: {fault}")
    if arguments.add and len(run.parts()) == before:
        print("nothing is new", file=sys.stderr)
    return source


def main() -> None:
    arguments, options = parse_arguments(sys.argv[1:])
    check(arguments, options)
    settings = settings_of(arguments, options)
    check_output(arguments, settings)
    spark = begin_session(arguments)
    run = storage.Run(storage.Storage(spark), arguments.output)
    run.begin(settings, arguments.resume, arguments.add)
    source = plan(spark, run, arguments)
    binary = process.Program(
        os.path.basename(arguments.fencepost), os.path.basename(arguments.store), options)
    work = job.Job(spark, run, source, binary, arguments.lines, arguments.by_date)
    work.analyze()
    work.conclude()
    totals = spark.read.parquet(f"{run.output}/totals").first()
    print(
        f"{totals.tracks} tracks, and {totals.skipped} that were skipped; the table tracks says why",
        file=sys.stderr,
    )
    spark.stop()
    if totals.skipped and not totals.tracks:
        sys.exit(ALL_SKIPPED)


if __name__ == "__main__":
    main()
