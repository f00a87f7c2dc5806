"""Whole commands, in turns with a reference for the least work that could give their answer."""

import statistics
from typing import NamedTuple

import data
from measuring import RIVALS, Measured, say

ROUNDS = 5
# The most of the reference's CPU time that a replay may take, by rule: the design's bounds.
RULES = {
    "20 circles": ([], "limited", 1.6),
    "all places": (["--limit", "none"], "all", 2.0),
    "adaptive": (["--refresh", "adaptive"], "all", 2.2)}
# Reading a track, and asking for the nearest places, beside a whole replay by the reference.
READING = {"csv": 1.1, "nmea": 1.8, "gpx": 3.6}
NEAREST, IMPORT = 1.7, 1.2
BATCH = {"20 circles": 2.0, "all places": 2.0}


class Job(NamedTuple):
    """A command beside another, and the most of its CPU time that the command may take."""

    name: str
    command: list
    beside: str
    other: list
    most: float
    count: int
    unit: str
    # A pattern of files that must not exist when either starts.
    fresh: str | None = None


def replay(scene, tracks, *options, events="enter"):
    return [scene.fencepost, "replay", *tracks, "--events", events, "--format", "csv", "--quiet", *options]


def replays(scene, reference, drive, fixes, sizes):
    for size, kind in zip(sizes, ("city", "dense")):
        places, store = scene.places(size, kind), scene.store(size, kind)
        for rule, (options, mode, most) in RULES.items():
            yield Job(f"{size:,} places, {rule}", replay(scene, [drive["csv"]], "--store", store, *options),
                      "the reference", [reference, mode, places, drive["csv"]], most, fixes, "fixes")
    count, each, size = (20, 5_000, 10_000) if scene.quick else (200, 5_000, 100_000)
    folder = scene.tracks(f"batch-{count}", count, each, ["csv"])
    batch, places, store = sorted(folder.iterdir()), scene.places(size, "dense"), scene.store(size, "dense")
    for rule, most in BATCH.items():
        options, mode, _ = RULES[rule]
        yield Job(f"{count} tracks, {size:,} places, {rule}",
                  replay(scene, batch, "--store", store, *options), "the reference",
                  [reference, mode, places, *batch], most, count * each, "fixes")


def others(scene, reference, drive, fixes, sizes):
    pole = scene.make("pole.csv", lambda part: part.write_text("id,lat,lon\npole,89.9,0\n", encoding="utf-8"))
    whole = [reference, "all", scene.places(sizes[0], "city"), drive["csv"]]
    for form, most in READING.items():
        command = replay(scene, [drive[form]], "--places", pole, events="summary")
        yield Job(f"reading {form.upper()}", command, "the reference's whole replay", whole, most, fixes,
                  "fixes")
    places, store = scene.places(sizes[-1], "dense"), scene.store(sizes[-1], "dense")
    queries = 1_000 if scene.quick else 10_000
    asked = scene.make(f"queries-{sizes[-1]}.csv", data.write_queries, places, queries)
    yield Job(f"{queries:,} nearest 20 of {sizes[-1]:,} places",
              [scene.fencepost, "places", "nearest", "--store", store, "--count", "20", "--queries", asked,
               "--format", "csv"],
              "the reference's 20 circles", [reference, "limited", places, drive["csv"]], NEAREST, queries,
              "queries")
    try:
        python = scene.python
    except RuntimeError as failure:
        say(f"import is not measured beside DuckDB: {failure}")
        return
    yield Job(f"import {sizes[-1]:,} places",
              [scene.fencepost, "places", "import", places, "--store", scene.folder / "imported.sqlite"],
              "DuckDB with its R-tree",
              [python, RIVALS / "duckdb_import.py", places, scene.folder / "imported.duckdb"], IMPORT,
              sizes[-1], "places", fresh="imported.*")


def entries(job, folder):
    """How many lines a command and its reference print, where both print one an entry."""
    if job.other[1] not in ("all", "limited") or "enter" not in job.command:
        return {}
    printed = folder / "entries.txt"
    counts = []
    for command in (job.command, job.other):
        Measured.run([str(word) for word in command], output=printed)
        counts.append(printed.read_text(encoding="utf-8").count("\n"))
    # The table of entries has a heading.
    return {"results": counts[0] - 1, "differs": abs(counts[0] - 1 - counts[1])}


def measure(part, scene, only):
    """Runs each job whose name contains `only`, and what it is compared with, several times in turns."""
    fixes, sizes = (100_000, [1_000, 100_000]) if scene.quick else (1_000_000, [10_000, 1_000_000])
    drive = {form: scene.track("drive", fixes, form) for form in ("nmea", "gpx", "csv")}
    asked = scene, scene.reference, drive, fixes, sizes
    jobs = [job for job in (*replays(*asked), *others(*asked)) if only in job.name]
    runs = {job.name: [] for job in jobs}
    for number in range(ROUNDS):
        say(f"round {number + 1} of {ROUNDS}")
        for job in jobs:
            for path in scene.folder.glob(job.fresh) if job.fresh else ():
                path.unlink()
            runs[job.name].append(
                [Measured.run([str(word) for word in command]) for command in (job.command, job.other)])
    for job in jobs:
        mine, theirs = zip(*runs[job.name])
        ratios = [own[0] / max(other[0], 1e-6) for own, other in runs[job.name]]
        part.add(job.name, "Fencepost", count=job.count, unit=job.unit,
                 cpuSeconds=statistics.median(run[0] for run in mine),
                 wallSeconds=statistics.median(run[1] for run in mine),
                 megabytes=max(run[2] for run in mine) / 1000, beside=job.beside,
                 besideSeconds=statistics.median(run[0] for run in theirs),
                 ratio=round(statistics.median(ratios), 2), most=job.most, **entries(job, scene.folder))
