"""Tile38: a server of its own on this machine, asked by its TEST command at each fix, which judges by the same geometry as its fences."""

import atexit
import shutil
import socket
import subprocess
import tempfile
import time

from sides import at_each_fix, from_sides, refusal

TITLE = "Tile38"
MISSING = "there is no tile38-server in PATH; neither Debian nor PyPI has it"
CLAIMS = ["must/at-fixes", "must/worlds-at-fixes", "may/first-fix/enter-fixes", "profiles/tile38"]
COMMAND = "TEST POINT lat lon WITHIN CIRCLE lat lon radius, at each fix"
connection = None


def connected():
    global connection
    if connection is None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        folder = tempfile.TemporaryDirectory()
        server = subprocess.Popen(["tile38-server", "-h", "127.0.0.1", "-p", str(port), "-d", folder.name, "-q"])
        atexit.register(lambda: (server.terminate(), server.wait(), folder.cleanup()))
        deadline = time.monotonic() + 10
        while connection is None:
            try:
                connection = socket.create_connection(("127.0.0.1", port)).makefile("rwb")
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
    return connection


def asked(*words):
    """A command in Redis's protocol, and the integer or line that answers it."""
    stream = connected()
    stream.write(b"*%d\r\n" % len(words))
    for word in words:
        text = str(word).encode()
        stream.write(b"$%d\r\n%s\r\n" % (len(text), text))
    stream.flush()
    line = stream.readline().decode().rstrip()
    if line.startswith("-"):
        raise RuntimeError(line[1:])
    return int(line[1:]) if line.startswith(":") else line[1:]


def version():
    if not shutil.which("tile38-server"):
        return None
    return subprocess.run(["tile38-server", "--version"], capture_output=True, text=True).stdout.strip()


def events(case):
    case = at_each_fix(case)
    if refused := refusal(case, ["initial"]):
        return refused
    return from_sides(case, lambda place, fix, _: asked(
        "TEST", "POINT", repr(fix["lat"]), repr(fix["lon"]), "WITHIN", "CIRCLE", repr(place["lat"]), repr(place["lon"]), repr(place["radius"])) == 1)
