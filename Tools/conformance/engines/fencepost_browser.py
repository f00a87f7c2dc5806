"""Fencepost's engine for browsers, in Node: the same sources as WebAssembly."""

import datetime
import functools
import json
import os
import pathlib
import shutil
import subprocess

import fencepost as command
from program import PROGRAM, PROJECT

TITLE = "Fencepost in a browser"
# Whoever edits a story in a page replays the track.
CLAIMS = ["must", "may", "profiles"]
COMMAND = "Engine.replay of engine.js in Node, with the rules of the program"
MODULE = pathlib.Path(os.environ.get("FENCEPOST_MODULE") or PROJECT / ".build/wasm/fencepost.wasm")
MISSING = f"{MODULE} is not built, or Node is not installed"
# The module has one memory, and answers one case at a time.
WORKERS = 1


def version():
    return command.version() if MODULE.exists() and shutil.which("node") else None


@functools.cache
def engine():
    folder = pathlib.Path(__file__).resolve().parent
    return subprocess.Popen(
        ["node", folder / "browser.mjs", PROJECT / "Sources/BrowserInterface/engine.js", MODULE],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@functools.cache
def rules(words):
    return subprocess.run(
        [PROGRAM, "rules", *words, "--format", "json"], capture_output=True, text=True, check=True).stdout


def milliseconds(time):
    if time is None:
        return None
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return round((datetime.datetime.fromisoformat(time) - epoch) / datetime.timedelta(milliseconds=1))


def columns(fixes):
    found = {name: [fix.get(name) for fix in fixes] for name in ("lat", "lon", "accuracy", "segment")}
    return {**found, "time": [milliseconds(fix.get("time")) for fix in fixes]}


def lines(case, name="track"):
    """The lines of a case's events, as the engine writes them."""
    places = [{**one, "title": one["id"]} for one in case["places"]]
    question = {"places": places, "rules": rules(tuple(command.options(case["rule"]))), "name": name,
                "fixes": columns(case["fixes"])}
    process = engine()
    process.stdin.write(json.dumps(question) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer["lines"]


def events(case):
    if "edits" in case:
        return [{"unsupported": "places do not change on the way"}]
    return command.judged(case, [json.loads(line) for line in lines(case).splitlines()])
