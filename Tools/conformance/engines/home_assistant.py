"""Home Assistant: the zone test of its own package, at each position. The package has a Python of its own, which this program asks."""

import atexit
import json
import pathlib
import subprocess
import sys

from serving import serve
from sides import from_sides, unknown

TITLE = "Home Assistant"
MISSING = "Tools/check engines installs it into .build/engines"
CLAIMS = ["must/at-fixes", "must/worlds-at-fixes", "may/first-fix/enter-fixes", "may/inexact/intersects", "may/inexact/none-stated",
          "profiles/home-assistant"]
COMMAND = "homeassistant.components.zone.in_zone(zone, lat, lon, accuracy) at each fix"
PYTHON = pathlib.Path(__file__).resolve().parent.parent.parent / ".build/engines/bin/python"
child = None


def asked(question):
    """A line to the package's Python, and its answer."""
    global child
    if child is None:
        child = subprocess.Popen([PYTHON, __file__, "--answer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        atexit.register(child.stdin.close)
    child.stdin.write(json.dumps(question) + "\n")
    child.stdin.flush()
    return json.loads(child.stdout.readline())


def version():
    return asked("version") if PYTHON.exists() else None


def events(case):
    foreign = unknown(case, known=["initial", "profile", "accuracy"])
    if foreign:
        return foreign
    if "profile" in case["rule"]:
        case = {**case, "rule": {"test": "fixes", "initial": "enter"}}
    if case["rule"].get("test") != "fixes":
        return [{"unsupported": "no path between fixes"}]
    inside = {(number, place) for number, place in asked(case)}
    numbers = {id(fix): number for number, fix in enumerate(case["fixes"])}
    return from_sides(case, lambda place, fix: (numbers[id(fix)], place["id"]) in inside)


def answer():
    """Says for each line which fixes are in which zones."""
    from homeassistant.components.zone import in_zone
    from homeassistant.const import __version__
    from homeassistant.core import State

    for line in sys.stdin:
        case = json.loads(line)
        if case == "version":
            print(json.dumps(__version__), flush=True)
            continue
        zones = [(place["id"], State("zone.z%d" % number, "zoning", {
            "latitude": place["lat"], "longitude": place["lon"], "radius": place["radius"]})) for number, place in enumerate(case["places"])]
        print(json.dumps([(number, place) for number, fix in enumerate(case["fixes"]) for place, zone in zones
                          if in_zone(zone, fix["lat"], fix["lon"], fix.get("accuracy", 0))]), flush=True)


if __name__ == "__main__":
    sys.exit(answer() if "--answer" in sys.argv else serve(events))
