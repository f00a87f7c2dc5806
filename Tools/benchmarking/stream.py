"""The entering-region and near-places queries of BerlinMOD's streaming benchmark."""

import json

import data
from measuring import RIVALS, Measured, compared, lines_of, run_postgis

VEHICLES = 141
# The most pairs of fixes and places that a program is asked which tries each.
MOST_PAIRS = 10_000_000
# Every place is watched, sides are judged at fixes, as the others do, and nothing breaks a path.
RULE = ["--test", "fixes", "--initial", "enter", "--limit", "none", "--max-gap", "none",
        "--max-speed", "none", "--device-field", "device", "--format", "ndjson"]
# Title, script, and whether it tries every place at every fix.
SCRIPTS = [("pandas, shapely and pyproj", "stream_pandas.py", False),
           ("MEOS, by PyMEOS", "stream_meos.py", True)]


def queries(scene):
    """Each query: title, name for the rivals, Fencepost's options, places and their count."""
    region = scene.folder / "region.csv"
    region.write_text("id,title,lat,lon,radius,blurb,url,category,priority\n"
                      "region,Region,39.952,-75.164,1000,,,,0\n", encoding="utf-8")
    few = scene.ten_places()
    first = ["--events", "alert", "--cooldown", "forever"]
    return [
        ("Q4, entering a region of 1 km", "entering", ["--events", "enter"], region, 1),
        ("Q7, near 10 points of interest, first time", "first", first, few, 10),
        ("Q7, near 100,000 points of interest, first time", "first", first, scene.places(100_000), 100_000)]


def own_results(path):
    """What Fencepost found: vehicle, place and time of the fix, as the rivals write them."""
    events = map(json.loads, lines_of(path))
    return {f"{event['device']} {event['place']} {event.get('crossed') or event['time']}"
            for event in events if event["type"] in ("enter", "alert")}


def by_script(scene, name, fixes, file, places, expected, script):
    found = scene.folder / "found.txt"
    found.unlink(missing_ok=True)
    run = Measured([scene.python, RIVALS / script, name, file, places, found], rounds=1)
    return {"count": fixes, "unit": "fixes", **run.values,
            "command": f"python {script} {name} {file.name} {places.name} found.txt",
            **compared(lines_of(found), expected)}


def by_postgis(name, fixes, file, places, expected):
    times, found = run_postgis("stream_postgis.sql", {"fixes.csv": file, "places.csv": places},
                               ["found.txt"], query=name)
    return {"count": fixes, "unit": "fixes", "cpuSeconds": times[1] - times[0],
            "command": f"psql -v query={name} -f stream_postgis.sql", **compared(found[0], expected)}


def measure(part, scene):
    each = 709 if scene.quick else 7_092
    fixes = VEHICLES * each
    jsonl, rows = (scene.make(f"vehicles-{fixes}.{form}", data.write_stream, VEHICLES, each, form)
                   for form in ("jsonl", "csv"))
    printed = scene.folder / "stream.ndjson"
    for case, name, options, places, count in queries(scene):
        words = ["live", "-", "--places", places, *RULE, *options]
        own = Measured([scene.fencepost, *words], source=jsonl, output=printed)
        expected = own_results(printed)
        words[3] = places.name
        part.add(case, "Fencepost", count=fixes, unit="fixes", **own.values, results=len(expected),
                 equal=None, command=" ".join(["fencepost", *words, "<", jsonl.name]))
        asked = (name, fixes, rows, places, expected)
        for title, script, tries_each in SCRIPTS:
            if tries_each and fixes * count > MOST_PAIRS:
                part.add(case, title, why="tries every place at every fix, which takes hours")
            else:
                part.attempt(case, title, lambda: by_script(scene, *asked, script))
        part.attempt(case, "PostGIS", lambda: by_postgis(*asked))
