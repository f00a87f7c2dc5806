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
    sys.path.insert(0, str(PROJECT / "Sources/Faces/Python"))
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


def events(case):
    places, words = product.Places(command.titled(case["places"])), rules(command.options_of(case))
    if "edits" not in case:
        return command.judged(case, list(product.replay(columns(case["fixes"]), places, words, events="all")))
    # Places change between two fixes, as they do while a receiver is followed.
    session, edits, lines = product.Session(places, words, events="all"), list(command.edits(case)), []
    for number, fix in enumerate(case["fixes"]):
        lines += session.feed(columns([fix]))
        for edit in edits:
            if edit["afterFix"] == number:
                lines += session.replace_places(product.Places(edit["places"]))
    return command.judged(case, lines + list(session.finish()))
