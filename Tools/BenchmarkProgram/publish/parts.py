"""The parts of the published benchmark besides the stream: latency, imports, analyses, phones, the studio, the start."""

import csv
import json
import pathlib
import re
import subprocess
import sys

from measuring import Measured

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
RIVALS = PROJECT / "Tools/BenchmarkProgram/rivals"
STARTS = 50


def output_of(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def latency(part, fencepost, bench, folder, python, make):
    """From a line on standard input to its alert on standard output, in real time."""
    seconds = 5 if part.quick else 60
    command = ["Tools/load/live", fencepost, "Data/stories/philadelphia.csv", "--seconds", str(seconds), "--format", "ndjson"]
    for line in output_of(sys.executable, *command).splitlines():
        found = json.loads(line)
        part.add(found.pop("case"), "Fencepost", **found, equal=None, command=f"Tools/load/live fencepost philadelphia.csv --seconds {seconds}")


def imports(part, fencepost, bench, folder, python, make):
    """A file of places into a store with its indexes; equal if as many places with the same sums of coordinates came in."""
    count = 100_000 if part.quick else 1_000_000
    file, store = folder / f"places-{count}.csv", folder / "imported.sqlite"
    make(file, bench, "generate", "places", "--count", str(count))
    case = f"{count:,} places"

    def run(command, rounds):
        for old in folder.glob("imported.*"):
            old.unlink()
        return Measured(command, rounds=rounds)

    own = run([fencepost, "places", "import", file, "--store", store], 1)
    with open(file, encoding="utf-8", newline="") as rows:
        expected = sums((row["lat"], row["lon"]) for row in csv.DictReader(rows))
    stored = output_of(fencepost, "places", "list", "--store", store, "--format", "ndjson")
    found = sums((place["lat"], place["lon"]) for place in map(json.loads, stored.splitlines()))
    part.add(case, "Fencepost, SpatiaLite with circles and their tree", count=count, unit="places", cpuSeconds=own.seconds,
             wallSeconds=own.wall, megabytes=own.megabytes, results=found[0], equal=found == expected,
             differs=abs(found[0] - expected[0]), command=f"fencepost places import {file.name} --store imported.sqlite")
    plain = run([bench, "bound", "inserts", file, store], 1)
    part.add(case, "SQLite, plain inserts", count=count, unit="places", cpuSeconds=plain.seconds, wallSeconds=plain.wall,
             megabytes=plain.megabytes, equal=None, bound=True, command=f"Benchmark bound inserts {file.name} imported.sqlite")
    if python is None:
        part.add(case, "DuckDB, with indexes", why="PyPI could not be reached")
        return
    database, printed = folder / "imported.duckdb", folder / "import.txt"
    database.unlink(missing_ok=True)
    rival = Measured([python, RIVALS / "duckdb_import.py", file, database], rounds=1, output=printed)
    words = printed.read_text(encoding="utf-8").split()
    found = (int(words[0]), round(float(words[1]), 2), round(float(words[2]), 2))
    part.add(case, "DuckDB, with indexes", count=count, unit="places", cpuSeconds=rival.seconds, wallSeconds=rival.wall,
             megabytes=rival.megabytes, results=found[0], equal=found == expected, differs=abs(found[0] - expected[0]),
             command=f"python duckdb_import.py {file.name} imported.duckdb")


def sums(positions):
    """How many positions there are, and the sums of their coordinates."""
    count, lat, lon = 0, 0.0, 0.0
    for one, other in positions:
        count, lat, lon = count + 1, lat + float(one), lon + float(other)
    return count, round(lat, 2), round(lon, 2)


def analysis_case(part, fencepost, case, tracks, store, options, unit_count):
    command = [fencepost, "analyze", tracks, "--store", store, "--jobs", "1", "--format", "ndjson", "--quiet", *options]
    printed = tracks.parent / "analysis.ndjson"
    run = Measured(command, rounds=1, output=printed)
    last = json.loads(printed.read_text(encoding="utf-8").strip().rpartition("\n")[2])
    part.add(case, "Fencepost", count=unit_count, unit="fixes", cpuSeconds=run.seconds, wallSeconds=run.wall,
             megabytes=run.megabytes, results=last.get("tracks"), equal=None,
             command=f"fencepost analyze {tracks.name} --store {store.name} --jobs 1 {' '.join(options)}".strip())


def store_of(fencepost, bench, folder, make, name, *options):
    file, store = folder / f"{name}.csv", folder / f"{name}.sqlite"
    make(file, bench, "generate", "places", *options)
    make(store, fencepost, "places", "import", file, "--store")
    return store


def analysis(part, fencepost, bench, folder, python, make):
    """Verdicts and recall of many tracks among many places, on one core."""
    count = 100_000 if part.quick else 1_000_000
    world = store_of(fencepost, bench, folder, make, f"places-{count}", "--count", str(count))
    city = store_of(fencepost, bench, folder, make, "places-city", "--city", "--count", "28000")
    trips = folder / "trips"
    make(trips, bench, "generate", "tracks", "--count", "163", "--fixes", "2700", folder=True)
    size = 163 * 2700
    analysis_case(part, fencepost, f"163 trips, {size:,} fixes, among {count:,} places: totals", trips, world,
                  ["--verdicts", "none"], size)
    analysis_case(part, fencepost, f"163 trips, {size:,} fixes, among {count:,} places: every verdict of what was crossed", trips,
                  world, ["--verdicts", "crossed"], size)
    analysis_case(part, fencepost, f"163 trips, {size:,} fixes, among 28,000 places of one city: totals", trips, city,
                  ["--verdicts", "none"], size)
    if not part.quick:
        many = folder / "many"
        make(many, bench, "generate", "tracks", "--count", "2000", "--fixes", "500", folder=True)
        analysis_case(part, fencepost, "2,000 tracks, 1,000,000 fixes, among 28,000 places of one city: totals", many, city,
                      ["--verdicts", "none"], 1_000_000)


def phones(part, fencepost, bench, folder, python, make):
    """Simulated phones: 200 trials of each trip, on one core."""
    city = store_of(fencepost, bench, folder, make, "places-city", "--city", "--count", "28000")
    trips, count = folder / "trips", 163
    make(trips, bench, "generate", "tracks", "--count", "163", "--fixes", "2700", folder=True)
    trials = 20 if part.quick else 200
    for profile in ("iphone", "android"):
        analysis_case(part, fencepost, f"163 trips among 28,000 places, {profile}, {trials} trials", trips, city,
                      ["--verdicts", "none", "--profile", profile, "--trials", str(trials)], count * 2700)


def studio(part, fencepost, bench, folder, python, make):
    """How soon the studio answers while a story is dragged, in a browser; Tools/load/studio measures."""
    command = [sys.executable, "Tools/load/studio", "--fencepost", fencepost] + (["--drags", "16", "--tracks", "20"] if part.quick else [])
    words = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    lines = re.findall(r"^(.*): median (\d+) ms, 95th percentile (\d+) ms of (\d+) drags", words.stdout, re.M)
    if not lines:
        part.add("a drag until its result is shown", "Fencepost", why=words.stderr.strip().rpartition("\n")[2][-160:] or "no result")
    for name, median, last, drags in lines:
        part.add(name, "Fencepost", latencyMilliseconds={"median": int(median), "95": int(last)}, results=int(drags), equal=None,
                 command="Tools/load/studio")


def start(part, fencepost, bench, folder, python, make):
    """What a process costs that does next to nothing: the mean of 50."""
    places = folder / "points-10.csv"
    few = folder / "ten.nmea"
    make(few, bench, "generate", "track", "--kind", "walk", "--fixes", "10")
    make(places, bench, "generate", "places", "--city", "--count", "10")
    for case, command in (("print the version", [fencepost, "--version"]),
                          ("replay ten fixes among ten places", [fencepost, "replay", few, "--places", places, "--quiet"])):
        runs = [Measured(command, rounds=1) for _ in range(STARTS)]
        part.add(case, "Fencepost", count=1, unit="starts", cpuSeconds=sum(run.seconds for run in runs) / STARTS,
                 wallSeconds=sum(run.wall for run in runs) / STARTS, megabytes=max(run.megabytes for run in runs), equal=None,
                 command=" ".join(["fencepost", *(pathlib.Path(word).name for word in command[1:])]))
