"""The same work by other programs: reading, entries along a path, imports, nearest places."""

import csv
import json
import os
import shutil

from measuring import RIVALS, Measured, compared, lines_of, run_postgis

FIXES = 1_000_000
QUERIES = 2_000
ENTERS, IMPORT = "enters, 100,000 places", "import 100,000 places"
NEAREST = f"nearest 20, {QUERIES} queries"


def position(latitude, longitude):
    return f"{float(latitude):.6f},{float(longitude):.6f}"


def positions(path, is_json=False):
    with open(path, encoding="utf-8", newline="") as file:
        if not is_json:
            return {position(row["Latitude"], row["Longitude"]) for row in csv.DictReader(file)}
        return {position(report["lat"], report["lon"]) for report in map(json.loads, file)
                if report.get("class") == "TPV" and "lat" in report}


def read(part, scene, drive, rows):
    """Reads NMEA and GPX. Fencepost replays the track among one place far away; the others end with fixes in
    memory or as text. The drive begins at midnight, which gpsd takes for no time in NMEA, and GPSBabel drops
    the last epoch: the two ends are left out."""
    expected = {row.split(",", 1)[1] for row in rows}
    ends = {row.split(",", 1)[1] for row in (rows[0], rows[-1])}
    output, pole = scene.folder / "read.txt", scene.folder / "pole.csv"
    pole.write_text("id,lat,lon\npole,89.9,0\n", encoding="utf-8")
    for form in ("nmea", "gpx"):
        case = f"read {form.upper()}"
        own = Measured([scene.fencepost, "replay", drive[form], "--places", pole, "--quiet"])
        part.add(case, "Fencepost", **own.cost)
        if not shutil.which("gpsbabel"):
            part.add(case, "GPSBabel", why="not installed")
            continue
        reading = ["gpsbabel", "-t", "-i", form, "-f", drive[form]]
        # What it read is written once to be compared; what is timed drops it.
        Measured([*reading, "-o", "unicsv", "-F", output], rounds=1)
        babel = Measured([*reading, "-x", "nuketypes,tracks", "-o", "unicsv", "-F", os.devnull], rounds=1)
        part.add(case, "GPSBabel", **babel.cost, **compared(positions(output) | ends, expected))
    if shutil.which("gpsdecode"):
        gpsd = Measured(["gpsdecode", "-j"], source=drive["nmea"], output=output)
        part.add("read NMEA", "gpsd's gpsdecode, to JSON", **gpsd.cost,
                 **compared(positions(output, is_json=True) | ends, expected))
    else:
        part.add("read NMEA", "gpsd's gpsdecode", why="not installed")


def own_work(part, scene, drive, places, rows):
    """What Fencepost finds: identifiers of places, entries, and nearest places."""
    output = scene.folder / "own.ndjson"

    def run(case, *words, rounds=3):
        own = Measured([scene.fencepost, *words, "--format", "ndjson"], rounds=rounds, output=output)
        part.add(case, "Fencepost", **own.cost)
        return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]

    found = run(ENTERS, "replay", drive["csv"], "--store", scene.store(100_000), "--limit", "none",
                "--max-gap", "none", "--max-speed", "none", "--events", "enter", "--quiet")
    enters = {f"{event['place']} {event['fix']}" for event in found}
    store = scene.folder / "rivals.sqlite"
    store.unlink(missing_ok=True)
    run(IMPORT, "places", "import", places, "--store", store, rounds=1)
    with open(places, encoding="utf-8", newline="") as file:
        identifiers = {row["id"] for row in csv.DictReader(file)}
    queries = scene.folder / "queries.csv"
    asked = [row.split(",", 1)[1] for row in rows[::FIXES // QUERIES]]
    queries.write_text("lat,lon\n" + "\n".join(asked) + "\n", encoding="utf-8")
    found = run(NEAREST, "places", "nearest", "--store", store, "--queries", queries)
    return identifiers, enters, {f"{place['query']}|{place['id']}" for place in found}


def measure(part, scene):
    drive = {form: scene.track("drive", FIXES, form) for form in ("nmea", "gpx", "csv")}
    places = scene.places(100_000)
    rows = drive["csv"].read_text(encoding="utf-8").splitlines()[1:]
    read(part, scene, drive, rows)
    expected = own_work(part, scene, drive, places, rows)

    def by_shapely():
        output = scene.folder / "enters.txt"
        run = Measured([scene.python, RIVALS / "shapely_enters.py", drive["csv"], places, output])
        return run.cost | compared(lines_of(output), expected[1])

    part.attempt(ENTERS, "pandas and shapely", by_shapely)
    files = {"drive.csv": drive["csv"], "places.csv": places}
    try:
        times, found = run_postgis("postgis.sql", files, ["imported.txt", "enters.txt", "nearest.txt"])
        for number, case in enumerate((IMPORT, ENTERS, NEAREST)):
            part.add(case, "PostGIS", cpuSeconds=times[number + 1] - times[number],
                     **compared(found[number], expected[number]))
    except RuntimeError as failure:
        part.add(ENTERS, "PostGIS", why=str(failure))
    part.add(ENTERS, "DuckDB spatial", why="its extension is not a PyPI package")
    part.add(ENTERS, "Tile38", why="neither in Debian nor on PyPI")
