"""Whole commands, in turns with the least work that could give their answer."""

import statistics
from typing import NamedTuple

import data
from measuring import Measured, say

ROUNDS = 5


class Job(NamedTuple):
    """A command, and the number of fixes, places, queries or starts that it handles."""

    name: str
    command: list
    count: int
    unit: str
    bound: str | None = None
    # Whether wall-clock time is what counts, as where several processors are at work.
    is_wall: bool = False
    # A pattern of files that must not exist when it starts.
    fresh: str | None = None


def bounds(scene, tracks, sizes):
    """Reading the lines of a track, and inserting places into a table without an index."""
    yield Job("empty process", ["/bin/true"], 1, "starts")
    for (kind, form), path in tracks.items():
        yield Job(f"lines of {kind}.{form}", ["wc", "-l", path], 0, "fixes")
    for size in sizes:
        command = f".import --csv '{scene.places(size)}' places"
        yield Job(f"plain inserts of {size} places",
                  ["sqlite3", scene.folder / "inserts.sqlite", command], size, "places",
                  fresh="inserts.sqlite*")


def replays(scene, tracks, fixes, sizes):
    rules = [("", []), (" adaptive", ["--refresh", "adaptive"]), (" oracle", ["--limit", "none"])]
    stores = [(f"{size} places", scene.store(size)) for size in sizes]
    stores.append(("dense", scene.store(100_000, "dense")))
    for name, store in stores:
        for (kind, form), path in tracks.items():
            for rule, options in rules[:3 if form == "nmea" else 1]:
                yield Job(f"replay {kind}.{form} {name}{rule}",
                          [scene.fencepost, "replay", path, "--store", store, "--format", "ndjson",
                           *options], fixes, "fixes", f"lines of {kind}.{form}")
    ten = scene.track("walk", 10, "nmea")
    yield Job("start", [scene.fencepost, "replay", ten, "--store", stores[-2][1], "--format",
                        "ndjson"], 1, "starts", "empty process")


def others(scene, sizes):
    for size in sizes:
        store = scene.folder / "import.sqlite"
        yield Job(f"import {size} places",
                  [scene.fencepost, "places", "import", scene.places(size), "--store", store],
                  size, "places", f"plain inserts of {size} places", fresh="import.sqlite*")
        for near in ("city", "track", "world"):
            asked = scene.make(f"queries-{near}-{size}.csv", data.write_queries, scene.places(size), near)
            yield Job(f"nearest 20 of {size} places, {near}",
                      [scene.fencepost, "places", "nearest", "--store", scene.store(size), "--queries", asked,
                       "--count", "20", "--format", "ndjson"], 200 if near == "world" else 2_000, "queries")
    # Every track is held against every place: a million of them are no stories.
    tracks, store = scene.tracks("tracks", 200, 5_000), scene.store(min(sizes))
    for jobs, bound in ((1, None), (2, "analyze, 1 job")):
        yield Job("analyze, " + ("1 job" if jobs == 1 else f"{jobs} jobs"),
                  [scene.fencepost, "analyze", tracks, "--store", store, "--jobs", str(jobs),
                   "--format", "ndjson"], 1_000_000, "fixes", bound, is_wall=True)


def measure(part, scene, only):
    """Runs each job whose name contains `only`, and its bound, several times in turns."""
    fixes, sizes = 1_000_000, [10_000, 100_000, 1_000_000]
    if scene.quick:
        fixes, sizes = 100_000, sizes[:2]
    tracks = {(kind, form): scene.track(kind, fixes, form)
              for kind in ("drive", "walk") for form in ("nmea", "gpx", "csv")}
    jobs = [*bounds(scene, tracks, sizes), *replays(scene, tracks, fixes, sizes), *others(scene, sizes)]
    wanted = {name for job in jobs if only in job.name for name in (job.name, job.bound)}
    chosen = [job for job in jobs if job.name in wanted]
    runs = {job.name: [] for job in chosen}
    for number in range(ROUNDS):
        say(f"round {number + 1} of {ROUNDS}")
        for job in chosen:
            for path in scene.folder.glob(job.fresh) if job.fresh else ():
                path.unlink()
            runs[job.name].append(Measured.run([str(word) for word in job.command]))
    for job in chosen:
        of = 1 if job.is_wall else 0
        mine = runs[job.name]
        ratio = [run[of] / max(least[of], 1e-6) for run, least in zip(mine, runs.get(job.bound, []))]
        part.add(job.name, "Fencepost" if job.command[0] == scene.fencepost else job.command[0],
                 count=job.count, unit=job.unit, cpuSeconds=statistics.median(run[0] for run in mine),
                 wallSeconds=statistics.median(run[1] for run in mine),
                 megabytes=max(run[2] for run in mine) / 1000, bound=job.bound,
                 ratio=round(statistics.median(ratio), 2) if ratio else None)
