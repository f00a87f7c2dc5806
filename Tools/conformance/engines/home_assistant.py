"""Home Assistant: the zone test of its own package, at each position. The package has a Python of its own, which this program asks."""

import atexit
import json
import pathlib
import subprocess
import sys

from sides import at_each_fix, from_sides, refusal

TITLE = "Home Assistant"
MISSING = "Tools/check engines installs it into .build/engines"
CLAIMS = ["must/at-fixes", "must/worlds-at-fixes", "may/first-fix/enter-fixes", "may/inexact/intersects", "may/inexact/none-stated",
          "profiles/home-assistant"]
COMMAND = "homeassistant.components.zone.in_zone(zone, lat, lon, accuracy) at each fix"
PYTHON = pathlib.Path(__file__).resolve().parents[3] / ".build/engines/bin/python"
child = None


def asked(question):
    """A line to the package's Python, and its answer."""
    global child
    if child is None:
        child = subprocess.Popen([PYTHON, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        atexit.register(child.stdin.close)
    child.stdin.write(json.dumps(question) + "\n")
    child.stdin.flush()
    return json.loads(child.stdout.readline())


def version():
    return asked("version") if PYTHON.exists() else None


def events(case):
    case = at_each_fix(case)
    if refused := refusal(case, ["initial", "accuracy"], test="fixes"):
        return refused
    inside = set(map(tuple, asked(case)))
    return from_sides(case, lambda place, _, number: (number, place["id"]) in inside)


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
    answer()
