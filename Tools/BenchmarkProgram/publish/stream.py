"""The entering-region and near-places queries of BerlinMOD's streaming benchmark, on a generated stream of vehicles."""

import csv
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from measuring import Measured, run_postgis

RIVALS = pathlib.Path(__file__).resolve().parent.parent / "rivals"
POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")
VEHICLES = 141
# The most pairs of fixes and places that a program is asked which tries each.
MOST_PAIRS = 10_000_000
# Every place is watched, sides are judged at fixes, as the other engines do, and nothing breaks a path.
RULE = ["--test", "fixes", "--initial", "enter", "--limit", "none", "--max-gap", "none", "--max-speed", "none",
        "--device-field", "device", "--format", "ndjson"]


class Query:
    """A query: how the rivals call it, what Fencepost is asked, and the places."""

    def __init__(self, case, name, options, places, count):
        self.case, self.name, self.options, self.places, self.count = case, name, options, places, count


def queries(bench, folder, make):
    """The queries with their files of places."""
    region = folder / "region.csv"
    with open(region, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["id", "title", "lat", "lon", "radius", "blurb", "url", "category", "priority"])
        out.writerow(["region", "Region", 39.952, -75.164, 1000, "", "", "", 0])
    world, city = folder / "places-100000.csv", folder / "places-city.csv"
    make(world, bench, "generate", "places", "--count", "100000")
    make(city, bench, "generate", "places", "--city", "--count", "28000")
    few = folder / "points-10.csv"
    few.write_text("".join(city.read_text(encoding="utf-8").splitlines(keepends=True)[:11]), encoding="utf-8")
    entering, first = ["--events", "enter"], ["--events", "alert", "--cooldown", "forever"]
    return [
        Query("Q4, entering a region of 1 km", "entering", entering, region, 1),
        Query("Q7, near 10 points of interest, first time", "first", first, few, 10),
        Query("Q7, near 100,000 points of interest, first time", "first", first, world, 100_000)]


def own_results(path):
    """What Fencepost found: vehicle, place and time of the fix, as the rivals write them."""
    found = set()
    for line in path.read_bytes().splitlines():
        event = json.loads(line)
        if event["type"] in ("enter", "alert"):
            found.add(plainly(f"{event['device']} {event['place']} {event.get('crossed') or event['time']}"))
    return found


def lines_of(path):
    return set(map(plainly, path.read_text(encoding="utf-8").split("\n"))) - {""}


def plainly(line):
    """A result whose time has no fraction that is nought."""
    return line.replace(".000Z", "Z")


def measure(part, fencepost, bench, folder, python, make):
    """Runs the queries by every program that can be had."""
    fixes = VEHICLES * (709 if part.quick else 7_092)
    files = {form: folder / f"vehicles-{fixes}.{form}" for form in ("jsonl", "csv")}
    for form, file in files.items():
        make(file, bench, "generate", "stream", "--vehicles", VEHICLES, "--fixes", fixes // VEHICLES, "--form", form)
    for query in queries(bench, folder, make):
        printed = folder / "stream.ndjson"
        command = [fencepost, "live", "-", "--places", query.places, *RULE, *query.options]
        own = Measured(command, source=files["jsonl"], output=printed)
        expected = own_results(printed)
        shown = " ".join(["fencepost live - --places", query.places.name, *RULE, *query.options, "<", files["jsonl"].name])
        part.add(query.case, "Fencepost", count=fixes, unit="fixes", cpuSeconds=own.seconds, wallSeconds=own.wall,
                 megabytes=own.megabytes, results=len(expected), equal=None, command=shown)
        for title, script, tries_each in (("pandas, shapely and pyproj", "stream_pandas.py", False),
                                          ("MEOS, by PyMEOS", "stream_meos.py", True),
                                          ("DuckDB, plain SQL on a sphere", "stream_duckdb.py", False)):
            by_script(part, query, fixes, files["csv"], expected, python, title, script, tries_each, folder)
        by_postgis(part, query, fixes, files["csv"], expected)


def compared(found, expected):
    return {"results": len(found), "equal": found == expected, "differs": len(found ^ expected)}


def by_script(part, query, fixes, file, expected, python, title, script, tries_each, folder):
    if python is None:
        part.add(query.case, title, why="PyPI could not be reached")
        return
    if tries_each and fixes * query.count > MOST_PAIRS:
        part.add(query.case, title, why="tries every place at every fix, which takes hours")
        return
    found = folder / "found.txt"
    found.unlink(missing_ok=True)
    words = [python, RIVALS / script, query.name, file, query.places, found]
    try:
        run = Measured(words, rounds=1)
    except RuntimeError as failure:
        part.add(query.case, title, why=str(failure).strip().rpartition("\n")[2][-160:])
        return
    part.add(query.case, title, count=fixes, unit="fixes", cpuSeconds=run.seconds, wallSeconds=run.wall,
             megabytes=run.megabytes, command=f"python {script} {query.name} {file.name} {query.places.name} found.txt",
             **compared(lines_of(found), expected))


def by_postgis(part, query, fixes, file, expected):
    if not (POSTGRES / "initdb").exists():
        part.add(query.case, "PostGIS", why="not installed")
        return
    place = pathlib.Path(tempfile.mkdtemp(prefix="fencepost-stream-"))
    try:
        for source, name in ((file, "fixes.csv"), (query.places, "places.csv"), (RIVALS / "stream_postgis.sql", "query.sql")):
            shutil.copy(source, place / name)
        begun, ended = run_postgis(POSTGRES, place, "query.sql", [f"query={query.name}"])
        part.add(query.case, "PostGIS", count=fixes, unit="fixes",
                 cpuSeconds=(ended - begun) / os.sysconf("SC_CLK_TCK"),
                 command=f"psql -v query={query.name} -f stream_postgis.sql",
                 **compared(lines_of(place / "found.txt"), expected))
    except (subprocess.CalledProcessError, ValueError) as failure:
        words = getattr(failure, "stderr", "") or str(failure)
        part.add(query.case, "PostGIS", why=words.strip().rpartition("\n")[2][-160:])
    finally:
        shutil.rmtree(place, ignore_errors=True)
