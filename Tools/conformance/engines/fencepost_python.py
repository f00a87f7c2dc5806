"""Fencepost's Python package: the same engine through its C interface, in this process."""

import os
import sys

import fencepost as command
from program import LIBRARY, PROGRAM, PROJECT

TITLE = "Fencepost from Python"
CLAIMS = command.CLAIMS
COMMAND = "fencepost.replay and fencepost.Session, with the rules of the program"
MISSING = f"{LIBRARY} is not built"


def package():
    """The package, whose name the adapter of the command has too."""
    adapter = sys.modules.pop("fencepost")
    os.environ.update(FENCEPOST_LIBRARY=LIBRARY, FENCEPOST_EXECUTABLE=PROGRAM)
    sys.path.insert(0, str(PROJECT / "Sources/Python"))
    try:
        import fencepost

        return fencepost
    finally:
        sys.path.pop(0)
        sys.modules["fencepost"] = adapter


product = package()


def version():
    return command.version() if os.path.exists(LIBRARY) else None


def rules(words):
    """The rules of options of the command line."""
    found, name = {}, None
    for word in words:
        if word.startswith("--"):
            name = word[2:].replace("-", "_")
            found[name] = True
        else:
            found[name] = word
    return product.Rules(**found)


def columns(fixes):
    names = {name for fix in fixes for name in fix} - {"line"}
    return {name: [fix.get(name) for fix in fixes] for name in sorted(names)}


def circles(places):
    return product.Places([{**one, "title": one["id"]} for one in places])


def events(case):
    rule = case["rule"]
    lines = edited(case) if "edits" in case else product.replay(
        columns(case["fixes"]), circles(case["places"]), rules(command.options(rule)), events="all")
    return command.judged(case, list(lines))


def edited(case):
    """Places change between two fixes, as they do while a receiver is followed."""
    current = {one["id"]: one for one in case["places"]}
    most = len(current) + sum(len(edit.get("set", [])) for edit in case["edits"])
    words = command.options({**case["rule"], "regions": most}) + ["--significant-change", "0"]
    session = product.Session(circles(case["places"]), rules(words), events="all")
    lines = []
    for number, fix in enumerate(case["fixes"]):
        lines += session.feed(columns([fix]))
        for edit in case["edits"]:
            if edit["afterFix"] == number:
                for id in edit.get("remove", []):
                    del current[id]
                current.update((one["id"], one) for one in edit.get("set", []))
                lines += session.replace_places(circles(current.values()))
    return lines + list(session.finish())
