"""The parts of the published benchmark that are commands of Fencepost, mostly beside no other program."""

import csv
import json
import subprocess
import sys

from measuring import PROJECT, RIVALS, Measured
from program import output

STARTS = 50


def load(part, scene, mode, *options, shown=""):
    """Has Tools/load measure, and keeps its results."""
    command = [sys.executable, PROJECT / "Tools/load", mode, "--fencepost", scene.fencepost,
               "--format", "ndjson", *options]
    # It ends with status 1 where a bound is missed, and its results are there all the same.
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if not done.stdout:
        raise RuntimeError(done.stderr[-300:])
    for found in map(json.loads, done.stdout.splitlines()):
        part.add(found.pop("case"), "Fencepost", **found, equal=None, command=f"Tools/load {mode}{shown}")


def latency(part, scene):
    """From a line on standard input to its alert on standard output, in real time."""
    seconds = "5" if scene.quick else "60"
    load(part, scene, "live", "--seconds", seconds, shown=f" --seconds {seconds}")


def studio(part, scene):
    """How soon the studio answers while a story is dragged, in a browser."""
    load(part, scene, "studio", "--stage", "0", *(["--drags", "16", "--tracks", "20"] if scene.quick else []))


def sums(positions):
    found = [(float(lat), float(lon)) for lat, lon in positions]
    return (len(found), round(sum(lat for lat, _ in found), 2), round(sum(lon for _, lon in found), 2))


def imports(part, scene):
    """A file of places into a store; equal if as many places with the same sums came in."""
    count = 100_000 if scene.quick else 1_000_000
    file, store = scene.places(count), scene.folder / "imported.sqlite"
    case = f"{count:,} places"

    def run(words, command, output=None, find=None, **values):
        for old in scene.folder.glob("imported.*"):
            old.unlink()
        measured = Measured(words, rounds=1, output=output)
        if find:
            found = find()
            values |= {"results": found[0], "equal": found == expected,
                       "differs": abs(found[0] - expected[0])}
        return {"count": count, "unit": "places", **measured.values, "command": command, **values}

    def stored():
        listed = output(scene.fencepost, "places", "list", "--store", store, "--format", "ndjson")
        return sums((place["lat"], place["lon"]) for place in map(json.loads, listed.splitlines()))

    def printed():
        count, *found = (scene.folder / "import.txt").read_text(encoding="utf-8").split()
        return int(count), *(round(float(value), 2) for value in found)

    with open(file, encoding="utf-8", newline="") as rows:
        expected = sums((row["lat"], row["lon"]) for row in csv.DictReader(rows))
    part.add(case, "Fencepost, SpatiaLite with its index", **run(
        [scene.fencepost, "places", "import", file, "--store", store],
        f"fencepost places import {file.name} --store imported.sqlite", find=stored))
    part.attempt(case, "DuckDB, with its R-tree", lambda: run(
        [scene.python, RIVALS / "duckdb_import.py", file, scene.folder / "imported.duckdb"],
        f"python duckdb_import.py {file.name} imported.duckdb",
        output=scene.folder / "import.txt", find=printed))
    part.add(case, "SQLite, plain inserts", **run(
        ["sqlite3", store, f".import --csv '{file}' places"],
        f"sqlite3 imported.sqlite '.import --csv {file.name} places'", equal=None, bound=True))


def analyze(part, scene, case, tracks, store, count, *options):
    words = ["--store", store, "--jobs", "1", "--format", "ndjson", "--quiet", *options]
    printed = scene.folder / "analysis.ndjson"
    run = Measured([scene.fencepost, "analyze", tracks, *words], rounds=1, output=printed)
    last = json.loads(printed.read_text(encoding="utf-8").strip().rpartition("\n")[2])
    shown = ["fencepost analyze", tracks.name, "--store", store.name, "--jobs 1", *options]
    part.add(case, "Fencepost", count=count, unit="fixes", **run.values, results=last.get("tracks"),
             equal=None, command=" ".join(shown))


def analysis(part, scene):
    count, size = 100_000 if scene.quick else 1_000_000, 163 * 2_700
    trips, city = scene.tracks("trips", 163, 2_700), scene.store(28_000, "city")
    name = f"163 trips, {size:,} fixes, among {count:,} places: "
    totals = ["--verdicts", "none"]
    analyze(part, scene, name + "totals", trips, scene.store(count), size, *totals)
    analyze(part, scene, name + "every verdict of what was crossed", trips, scene.store(count),
            size, "--verdicts", "crossed")
    analyze(part, scene, f"163 trips, {size:,} fixes, among 28,000 places of one city: totals",
            trips, city, size, *totals)
    if not scene.quick:
        analyze(part, scene, "2,000 tracks, 1,000,000 fixes, among 28,000 places of one city: totals",
                scene.tracks("many", 2_000, 500), city, 1_000_000, *totals)


def phones(part, scene):
    trips, city = scene.tracks("trips", 163, 2_700), scene.store(28_000, "city")
    trials = 20 if scene.quick else 200
    for profile in ("iphone", "android"):
        analyze(part, scene, f"163 trips among 28,000 places, {profile}, {trials} trials", trips, city,
                163 * 2_700, "--verdicts", "none", "--profile", profile, "--trials", str(trials))


def start(part, scene):
    """What a process costs that does next to nothing."""
    places, few = scene.ten_places(), scene.track("walk", 10, "nmea")
    for case, words, shown in (
            ("print the version", ["--version"], "--version"),
            ("replay ten fixes among ten places", ["replay", few, "--places", places, "--quiet"],
             "replay ten.nmea --places points-10.csv --quiet")):
        runs = [Measured([scene.fencepost, *words], rounds=1) for _ in range(STARTS)]
        part.add(case, "Fencepost", count=1, unit="starts",
                 cpuSeconds=sum(run.seconds for run in runs) / STARTS,
                 wallSeconds=sum(run.wall for run in runs) / STARTS,
                 megabytes=max(run.megabytes for run in runs), equal=None, command="fencepost " + shown)
