#!/usr/bin/env python3
"""fencepost analyze over a Spark cluster.

usage: Tools/spark/analyze.py TRACK|DIR... --store S [--fencepost BINARY] [--output FILE.ndjson]
                           [--parquet DIR] [--partitions N] [--master URL] [-- OPTIONS]

Tracks are distributed over the cluster's tasks. Each task runs the same fencepost binary on its share,
with the store's file shipped along; the parts are joined by `fencepost analyze --merge`. The result has the
lines of a run on one machine. What follows `--` goes to fencepost as it is (--limit 20 --refresh adaptive).
See Tools/spark/README.md.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile

# The endings of tracks in a folder, as `fencepost analyze` takes them.
ENDINGS = {"gpx", "nmea", "csv", "json", "jsonl", "ndjson", "log", "txt", "rec"}
# The status of fencepost if some tracks were bad; its output reports them.
BAD_INPUT = 65


def is_track(name):
    parts = name.lower().split(".")
    if parts[-1] == "gz":
        parts.pop()
    return len(parts) > 1 and parts[-1] in ENDINGS


def expand(arguments):
    """The files that the arguments name, in the order in which fencepost would read them."""
    found = []
    for argument in arguments:
        if not os.path.isdir(argument):
            found.append(argument)
            continue
        inside = []
        folder = argument if argument.endswith("/") else argument + "/"
        for root, folders, names in os.walk(folder, followlinks=True):
            folders[:] = [name for name in folders if not name.startswith(".")]
            root = root if root.endswith("/") else root + "/"
            inside += [root + name for name in names if not name.startswith(".") and is_track(name)]
        found += sorted(inside, key=os.fsencode)
    return list(dict.fromkeys(found))


def shares(paths, count):
    """Consecutive shares of about equal size in bytes: a long track takes as long as many short ones."""
    sizes = [max(1, os.path.getsize(path)) if os.path.exists(path) else 1 for path in paths]
    target = sum(sizes) / count
    parts, current, weight = [], [], 0
    for path, size in zip(paths, sizes):
        if current and len(parts) < count - 1 and weight + size / 2 > target:
            parts.append(current)
            current, weight = [], 0
        current.append(path)
        weight += size
    if current:
        parts.append(current)
    return parts


def analyze_share(share, binary, store, folder, options):
    """Runs in a task: analyses a share of the tracks and yields the lines of its output.

    Nothing is yielded before fencepost has ended well, and what a failed attempt wrote is thrown away with
    its folder, so that a task that is tried again doubles nothing.
    """
    from pyspark import SparkFiles, TaskContext

    number, paths = share
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "fencepost")
        shutil.copy(SparkFiles.get(binary), program)
        os.chmod(program, 0o755)
        output = os.path.join(scratch, "part.ndjson")
        run = subprocess.run(
            [program, "analyze", *paths, "--store", SparkFiles.get(store), "--format", "ndjson",
             # Copies are looked for within a part only, which would depend on how tracks are cut into parts.
             "--output", output, "--jobs", "1", "--quiet", "--keep-duplicates", *options],
            cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if run.returncode not in (0, BAD_INPUT):
            raise RuntimeError(f"fencepost: status {run.returncode}: {run.stderr.strip()[-2000:]}")
        failing = os.environ.get("FENCEPOST_SPARK_TEST_FAILURES")
        if failing and TaskContext.get().attemptNumber() < int(failing):
            raise RuntimeError("a failure that a test asked for")
        killing = os.environ.get("FENCEPOST_SPARK_TEST_KILLS")
        is_killed = killing and TaskContext.get().attemptNumber() < int(killing)
        with open(output, encoding="utf-8") as lines:
            for line_number, line in enumerate(lines):
                if is_killed and line_number == 10:
                    os.kill(os.getpid(), signal.SIGKILL)
                yield number, line_number, line.rstrip("\n")


def parse_arguments():
    own, options = sys.argv[1:], []
    if "--" in own:
        cut = own.index("--")
        own, options = own[:cut], own[cut + 1:]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tracks", nargs="+", help="tracks and folders, at the same path on every worker")
    parser.add_argument("--store", required=True, help="the store of places; it is shipped")
    parser.add_argument("--fencepost", default=shutil.which("fencepost") or ".build/release/fencepost",
                        help="the binary; it is shipped")
    parser.add_argument("--output", help="the joined analysis as NDJSON")
    parser.add_argument("--parquet", help="the joined analysis as Parquet: type, track, place, line")
    parser.add_argument("--partitions", type=int, help="how many tasks; four for each core by default")
    parser.add_argument("--master", help="the cluster, where spark-submit does not say it")
    arguments = parser.parse_args(own)
    if not arguments.output and not arguments.parquet:
        parser.error("--output or --parquet says where the result goes")
    return arguments, options


def main():
    arguments, options = parse_arguments()
    from pyspark import StorageLevel
    from pyspark.sql import SparkSession

    paths = expand(arguments.tracks)
    if not paths:
        sys.exit("no tracks")
    builder = SparkSession.builder.appName("fencepost analyze")
    if arguments.master:
        builder = builder.master(arguments.master)
    spark = builder.getOrCreate()
    context = spark.sparkContext
    context.setLogLevel("ERROR")
    context.addFile(os.path.abspath(arguments.fencepost))
    context.addFile(os.path.abspath(arguments.store))
    count = arguments.partitions or 4 * context.defaultParallelism
    parts = shares(paths, min(count, len(paths)))
    binary, store = os.path.basename(arguments.fencepost), os.path.basename(arguments.store)
    folder = os.getcwd()
    lines = context.parallelize(list(enumerate(parts)), len(parts)).flatMap(
        lambda share: analyze_share(share, binary, store, folder, options))
    # Kept on the workers' disks, so that all shares are analysed at once before they are collected one by one.
    lines.persist(StorageLevel.DISK_ONLY)
    lines.count()
    with tempfile.TemporaryDirectory() as scratch:
        merged = os.path.join(scratch, "merged.ndjson")
        status = join(lines, len(parts), arguments.fencepost, scratch, merged)
        if arguments.parquet:
            write_parquet(spark, merged, arguments.parquet)
        if arguments.output:
            shutil.move(merged, arguments.output)
    spark.stop()
    # Tracks that lost more fixes than they kept have been named.
    sys.exit(status)


def join(lines, count, binary, scratch, merged):
    """Collects the parts, one partition at a time, and joins them; returns the exit status."""
    names = [os.path.join(scratch, f"{number:06}.ndjson") for number in range(count)]
    current, out = None, None
    for number, _, line in lines.toLocalIterator():
        if number != current:
            if out:
                out.close()
            current, out = number, open(names[number], "w", encoding="utf-8")
        out.write(line + "\n")
    if out:
        out.close()
    run = subprocess.run([os.path.abspath(binary), "analyze", "--merge", *names, "--output", merged],
                         check=False)
    if run.returncode not in (0, BAD_INPUT) or not os.path.exists(merged):
        sys.exit(run.returncode)
    return run.returncode


def write_parquet(spark, merged, folder):
    from pyspark.sql import functions

    text = spark.read.text("file://" + os.path.abspath(merged))
    text.select(
        functions.get_json_object("value", "$.type").alias("type"),
        functions.get_json_object("value", "$.track").alias("track"),
        functions.get_json_object("value", "$.place").alias("place"),
        functions.get_json_object("value", "$.verdict").alias("verdict"),
        functions.col("value").alias("line"),
    ).coalesce(1).write.mode("overwrite").parquet("file://" + os.path.abspath(folder))


if __name__ == "__main__":
    main()
