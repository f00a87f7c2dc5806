"""The same work by other programs: one that reads tracks, and one that joins a path with places."""

import csv
import json
import os
import shutil

from measuring import RIVALS, Measured, compared, install_debian, lines_of

FIXES = 1_000_000
ENTERS = "enters, 100,000 places"


def position(latitude, longitude):
    return f"{float(latitude):.6f},{float(longitude):.6f}"


def positions(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {position(row["Latitude"], row["Longitude"]) for row in csv.DictReader(file)}


def read(part, scene, drive, rows):
    """Reads NMEA and GPX. Fencepost replays the track among one place far away; GPSBabel ends with fixes in
    memory. It drops the last epoch of NMEA: the last fix is left out."""
    expected = {row.split(",", 1)[1] for row in rows}
    end = {rows[-1].split(",", 1)[1]}
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
        part.add(case, "GPSBabel", **babel.cost, **compared(positions(output) | end, expected))


def join(part, scene, drive):
    """Finds which segment enters which circle, with every place watched."""
    places, output = scene.places(100_000), scene.folder / "enters.txt"
    own = Measured(
        [scene.fencepost, "replay", drive["csv"], "--store", scene.store(100_000), "--limit", "none",
         "--max-gap", "none", "--max-speed", "none", "--events", "enter", "--quiet", "--format", "ndjson"],
        output=output)
    part.add(ENTERS, "Fencepost", **own.cost)
    expected = {f"{event['place']} {event['fix']}" for event in map(json.loads, lines_of(output))}

    def by_shapely():
        run = Measured([scene.python, RIVALS / "shapely_enters.py", drive["csv"], places, output])
        return run.cost | compared(lines_of(output), expected)

    part.attempt(ENTERS, "pandas and shapely", by_shapely)


def measure(part, scene):
    install_debian()
    drive = {form: scene.track("drive", FIXES, form) for form in ("nmea", "gpx", "csv")}
    rows = drive["csv"].read_text(encoding="utf-8").splitlines()[1:]
    read(part, scene, drive, rows)
    join(part, scene, drive)
