"""Fencepost: the built command, as a user runs it. `replay` follows the path; `live` where places change on the way."""

import json
import os
import pathlib
import select
import signal
import subprocess
import tempfile
import time

from program import PROGRAM, output

TITLE = "Fencepost"
CLAIMS = ["must", "may", "profiles"]
COMMAND = ("fencepost replay TRACK --places PLACES --limit none --max-gap none --max-speed none --keep-null-island and the options of the "
           "rule; fencepost live - --store STORE with SIGHUP after each edit")
# The members of a rule, with their options; those of the first row are set to none where they are missing.
ENDLESS = {"regions": ("limit", ""), "maxGapSeconds": ("max-gap", "s"),
           "maxSpeedMetersPerSecond": ("max-speed", "m/s")}
OPTIONS = ENDLESS | {
    "test": ("test", ""), "accuracy": ("accuracy", ""), "initial": ("initial", ""), "rank": ("rank", ""),
    "refresh": ("refresh", ""), "confirmFixes": ("confirm-fixes", ""), "holdSeconds": ("hold", "s"),
    "exitMarginMeters": ("exit-margin", "m"), "dwellSeconds": ("dwell", "s"),
    "reorderSeconds": ("reorder", "s"), "minIntervalSeconds": ("min-interval", "s"),
    "significantChangeMeters": ("significant-change", "m")}
PATIENCE_SECONDS = 20
WORKERS = 2


def version():
    """The version, or None where the program is not there."""
    return output(PROGRAM, "--version") if os.path.exists(PROGRAM) else None


def options(rule):
    if "profile" in rule:
        return ["--profile", rule["profile"]]
    words = ["--keep-null-island"]
    for member, (option, unit) in OPTIONS.items():
        if member in rule:
            words += [f"--{option}", f"{rule[member]}{unit}"]
        elif member in ENDLESS:
            words += [f"--{option}", "none"]
    return words + (["--trust-accuracy"] if rule.get("trustAccuracy") else [])


def options_of(case):
    """The options of a case's rule; where places change on the way, they are looked up at every fix."""
    if "edits" not in case:
        return options(case["rule"])
    most = len(case["places"]) + sum(len(edit.get("set", [])) for edit in case["edits"])
    return [*options({**case["rule"], "regions": most}), "--significant-change", "0"]


def titled(places):
    return [{**one, "title": one["id"]} for one in places]


def edits(case):
    """The places after each edit."""
    now = {one["id"]: one for one in case["places"]}
    for edit in case.get("edits", []):
        for name in edit.get("remove", []):
            del now[name]
        now.update({one["id"]: one for one in edit.get("set", [])})
        yield {"afterFix": edit["afterFix"], "places": titled(now.values())}


def places_csv(places):
    rows = ["%s,%s,%r,%r,%r" % (one["id"], one["id"], one["lat"], one["lon"], one["radius"]) for one in places]
    return "id,title,lat,lon,radius\n" + "".join(row + "\n" for row in rows)


def track_row(fix):
    return "%s,%r,%r,%s\n" % (fix.get("time", ""), fix["lat"], fix["lon"], fix.get("accuracy", ""))


def gpx(fixes):
    """Only GPX has segments."""
    text, segment = "<gpx version='1.1' xmlns='http://www.topografix.com/GPX/1/1'><trk>", None
    for fix in fixes:
        if fix.get("segment", 0) != segment:
            text += ("</trkseg>" if segment is not None else "") + "<trkseg>"
            segment = fix.get("segment", 0)
        text += "<trkpt lat='%r' lon='%r'><time>%s</time></trkpt>" % (fix["lat"], fix["lon"], fix["time"])
    return text + "</trkseg></trk></gpx>"


def events(case):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        return judged(case, watched(case, folder) if "edits" in case
                      else [json.loads(line) for line in replayed(case, folder).splitlines()])


def judged(case, found):
    """What a case compares of the lines that were found."""
    summary = next((line for line in found if line["type"] == "summary"), {})
    kept = [line for line in found if line["type"] in ("enter", "exit", "dwell")
            or line["type"] == "refresh" and case["rule"].get("refresh", "fixed") == "fixed" and "regions" in case["rule"]]
    if summary.get("rejected") or "reorderSeconds" in case["rule"]:
        # It counts the fixes that it accepts, and the case all.
        for line in kept:
            del line["fix"]
    if "certified" in summary:
        kept.append({"type": "certificate", "certified": summary["certified"], "stretches": [
            {end: one[end]["time"] for end in ("from", "to")} for one in summary.get("uncertified", [])]})
    return kept


def replayed(case, folder, events="enter,exit,dwell,refresh,summary"):
    """What `fencepost replay` prints of a case."""
    fixes = case["fixes"]
    (folder / "track").write_text(gpx(fixes) if any("segment" in fix for fix in fixes)
                                  else "time,lat,lon,accuracy\n" + "".join(map(track_row, fixes)))
    (folder / "places.csv").write_text(places_csv(case["places"]))
    result = subprocess.run(
        [PROGRAM, "replay", "track", "--places", "places.csv", *options(case["rule"]), "--events", events,
         "--format", "ndjson", "--quiet"], cwd=folder, capture_output=True, text=True)
    # Where more is refused than kept the status is 65, and the events are there.
    if result.returncode not in (0, 65):
        raise RuntimeError(result.stderr.strip())
    return result.stdout


class Session:
    """`fencepost live` on a pipe. It asks for the places at every fix, and writes a refresh each time; so one sees how far it is."""

    def __init__(self, case, folder):
        self.folder, self.lines, self.rest = folder, [], b""
        self.change({"set": case["places"]})
        self.process = subprocess.Popen(
            [PROGRAM, "live", "-", "--store", folder / "store", *options_of(case), "--events",
             "enter,exit,dwell,refresh,summary", "--format", "ndjson"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            # Whoever runs this without a terminal may have it ignored, and what is ignored stays so.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
        self.write("time,lat,lon,accuracy\n")

    def write(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def change(self, edit):
        """Edits the store as a user does: with `places import` and `places delete`."""
        store = ["--store", self.folder / "store"]
        if edit.get("remove"):
            subprocess.run([PROGRAM, "places", "delete", *store, *edit["remove"]], check=True, capture_output=True)
        if edit.get("set"):
            (self.folder / "set.csv").write_text(places_csv(edit["set"]))
            subprocess.run([PROGRAM, "places", "import", self.folder / "set.csv", *store], check=True, capture_output=True)

    def wait_for_refresh(self):
        """Reads lines up to the next refresh and those behind it."""
        seen, deadline = len(self.lines), time.monotonic() + PATIENCE_SECONDS
        while not any(line["type"] == "refresh" for line in self.lines[seen:]):
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                raise RuntimeError("no refresh within %d s" % PATIENCE_SECONDS)
            chunk = os.read(self.process.stdout.fileno(), 65536)
            if not chunk:
                raise RuntimeError("the session ended")
            self.keep(chunk)

    def keep(self, chunk):
        *whole, self.rest = (self.rest + chunk).split(b"\n")
        self.lines += [json.loads(line) for line in whole if line]

    def end(self):
        self.keep(self.process.communicate(timeout=PATIENCE_SECONDS)[0])
        return self.lines

    def stop(self):
        self.process.kill()
        self.process.wait()


def watched(case, folder):
    session = Session(case, folder)
    try:
        for number, fix in enumerate(case["fixes"]):
            session.write(track_row(fix))
            session.wait_for_refresh()
            for edit in case["edits"]:
                if edit["afterFix"] == number:
                    session.change(edit)
                    session.process.send_signal(signal.SIGHUP)
                    session.wait_for_refresh()
        return session.end()
    finally:
        session.stop()
