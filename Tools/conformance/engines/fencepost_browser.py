"""Fencepost's engine as WebAssembly, in the browsers and runtimes that people have."""

import array
import datetime
import functools
import http.server
import io
import json
import math
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import tempfile
import threading

import fencepost as command
from program import PROGRAM, PROJECT, output

HERE = pathlib.Path(__file__).resolve().parent
# The engine that the program holds for its pages, and the same object with the `main` of a program that replays.
ENGINE, REPLAYER = PROJECT / ".build/wasm/engine.wasm", PROJECT / ".build/wasm/replayer.wasm"
DRIVER = HERE / "replayer.c"
PATIENCE_SECONDS = 120
NO_TIME = -(2 ** 63)


@functools.cache
def rules(words):
    return output(PROGRAM, "rules", *words, "--format", "json")


def milliseconds(time):
    return time and round(datetime.datetime.fromisoformat(time).timestamp() * 1000)


def columns(fixes):
    found = {name: [fix.get(name) for fix in fixes] for name in ("lat", "lon", "accuracy", "segment")}
    return {**found, "time": [milliseconds(fix.get("time")) for fix in fixes]}


def bytes_of(question):
    """A question as the program reads it."""
    fixes = question["fixes"]
    texts = [json.dumps(question["places"]), question["rules"], question["name"]]
    texts = [text.encode() for text in texts]
    count = len(fixes["lat"])
    data = b"%d %d %d %d %d\n" % (*map(len, texts), count, len(question["edits"])) + b"".join(texts)
    for name, code, unknown in (("time", "q", NO_TIME), ("lat", "d", math.nan), ("lon", "d", math.nan),
                                ("accuracy", "f", math.nan), ("speed", "f", math.nan), ("segment", "i", 0)):
        column = fixes.get(name, [None] * count)
        data += array.array(code, [unknown if value is None else value for value in column]).tobytes()
    for edit in question["edits"]:
        places = json.dumps(edit["places"]).encode()
        data += array.array("i", [edit["afterFix"], len(places)]).tobytes() + places
    return data


def lines_in(answer):
    """The lines of an answer, a file; a refusal is thrown."""
    parts = []
    while length := answer.readline():
        count = int(length)
        if count == 0:
            return "".join(parts)
        parts.append(answer.read(abs(count)).decode())
        if count < 0:
            raise RuntimeError(parts[-1])
    raise RuntimeError("the program ended")


class Browser:
    """A page in a headless browser, which asks for questions and posts the answers."""

    def __init__(self, words):
        self.questions, self.answers = queue.Queue(), queue.Queue()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.folder = tempfile.TemporaryDirectory()
        address = f"http://127.0.0.1:{self.server.server_port}/"
        self.process = subprocess.Popen(
            [word.format(folder=self.folder.name) for word in words] + [address], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "HOME": self.folder.name})

    def handler(self):
        files = {"/": ("text/html", HERE / "browser.html"), "/replayer.wasm": ("application/wasm", REPLAYER)}
        questions, answers = self.questions, self.answers

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/question":
                    self.send("application/octet-stream", questions.get())
                elif self.path in files:
                    kind, path = files[self.path]
                    self.send(kind, path.read_bytes())
                else:
                    self.send_error(404)

            def do_POST(self):
                answers.put(self.rfile.read(int(self.headers["Content-Length"])))
                self.send("application/json", b"{}")

            def send(self, kind, body):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        return Handler

    def lines(self, question):
        self.questions.put(bytes_of(question))
        try:
            return lines_in(io.BytesIO(self.answers.get(timeout=PATIENCE_SECONDS)))
        except queue.Empty:
            raise RuntimeError(f"no answer within {PATIENCE_SECONDS} s") from None

    def end(self):
        # A browser is several processes.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.server.shutdown()
        self.folder.cleanup()


class Runtime:
    """A runtime without JavaScript."""

    def __init__(self, words):
        self.process = subprocess.Popen([*words, REPLAYER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def lines(self, question):
        self.process.stdin.write(bytes_of(question))
        self.process.stdin.flush()
        return lines_in(self.process.stdout)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


KINDS = {
    "chromium": ("Chromium", Browser, [
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir={folder}/profile"]),
    "firefox": ("Firefox", Browser, ["firefox", "--headless", "--no-remote", "--profile", "{folder}"]),
    "wasmkit": ("WasmKit", Runtime, ["wasmkit", "run"]),
}


class Engine:
    """The engine in a browser or runtime by name, which starts with the first case."""

    CLAIMS = ["must", "may", "profiles"]
    # The module has one memory, and answers one case at a time.
    WORKERS = 1

    def __init__(self, name):
        title, self.kind, self.words = KINDS[name]
        self.TITLE, self.host = f"Fencepost in {title}", None
        self.COMMAND = "the engine as WebAssembly, with the rules of the program"
        self.MISSING = f"{self.words[0]} is not installed, or {REPLAYER} is not built"

    def version(self):
        return command.version() if REPLAYER.exists() and shutil.which(self.words[0]) else None

    def lines(self, case, name="track"):
        """The lines of a case's events, as the engine writes them."""
        self.host = self.host or self.kind(self.words)
        return self.host.lines({
            "places": command.titled(case["places"]), "rules": rules(tuple(command.options_of(case))),
            "name": name, "fixes": columns(case["fixes"]), "edits": list(command.edits(case))})

    def events(self, case):
        return command.judged(case, [json.loads(line) for line in self.lines(case).splitlines()])

    def end(self):
        if self.host:
            self.host.end()
