"""What the parts of the benchmark share: data, other programs, CPU time, memory, and results."""

import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

import data
from program import PROJECT, environment, output

DEBIAN = ["gcc", "gpsbabel", "libc6-dev", "sqlite3"]
PYTHON = ["pandas", "pyproj", "shapely", "duckdb==1.5.5", "duckdb-extension-spatial==1.5.5"]
RIVALS = PROJECT / "Tools/benchmarking/rivals"
ROUNDS = 3


def say(text):
    print(f"Tools/benchmark: {text}", file=sys.stderr, flush=True)


# MARK: Data

class Scene:
    """The program, and a folder in which each file of data is made once."""

    def __init__(self, fencepost, folder, quick=False):
        self.fencepost, self.folder, self.quick, self._python = fencepost, folder, quick, None

    def make(self, name, maker, *arguments):
        """A file or folder that a function makes unless it exists. It is made under another name, so that an
        interrupted run leaves no partial file."""
        path = self.folder / name
        if not path.exists():
            say(f"making {path}")
            part = path.with_name(path.name + ".part")
            subprocess.run(["rm", "-rf", part], check=True)
            maker(part, *arguments)
            part.rename(path)
        return path

    def track(self, kind, fixes, form):
        return self.make(f"{kind}-{fixes}.{form}", data.write_track, kind, fixes, form)

    def tracks(self, name, count, fixes, *forms):
        return self.make(name, data.write_tracks, count, fixes, *forms)

    def places(self, count, kind="world"):
        name = f"places-{count}.csv" if kind == "world" else f"places-{kind}-{count}.csv"
        return self.make(name, data.write_places, count, kind)

    def ten_places(self):
        """The first of those in one city."""
        city = self.places(28_000, "city").read_text(encoding="utf-8").splitlines(keepends=True)
        return self.make("points-10.csv", lambda part: part.write_text("".join(city[:11]), encoding="utf-8"))

    def store(self, count, kind="world"):
        places = self.places(count, kind)
        return self.make(places.with_suffix(".sqlite").name, lambda part: subprocess.run(
            [self.fencepost, "places", "import", places, "--store", part], check=True,
            stdout=subprocess.DEVNULL))

    @property
    def python(self):
        """The Python that has the packages of other programs; a RuntimeError without PyPI."""
        if self._python is None:
            install_debian()
            self._python = environment(self.folder / "venv", *PYTHON) or False
        if not self._python:
            raise RuntimeError("PyPI could not be reached")
        return self._python


    @property
    def reference(self):
        """The program of `reference.c`."""
        source, program = RIVALS.parent / "reference.c", self.folder / "reference"
        install_debian()
        subprocess.run(["gcc", "-O2", "-o", program, source, "-lm"], check=True)
        return program


def install_debian():
    """Installs the Debian packages that are missing."""
    subprocess.run(
        ["env", "PROGRAM=Tools/benchmark", "bash", "-c",
         '. Tools/lib/setup.sh; install_packages "$@"', "bash", *DEBIAN],
        cwd=PROJECT, stdout=sys.stderr, check=False)


def lines_of(path):
    """The lines of a result."""
    return set(path.read_text(encoding="utf-8").split("\n")) - {""}


# MARK: Measuring

# Reports a command's status, CPU time, wall-clock time and peak memory. The system counts the memory of the
# process that starts a command as the command's own, so a small one does.
LAUNCHER = """
import os, sys, time
begin = time.monotonic()
process = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
os.write(int(sys.argv[1]), b"%d %f %f %d" % (
    os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, time.monotonic() - begin,
    usage.ru_maxrss))
"""


class Measured:
    """The median CPU and wall-clock time in seconds, and the peak memory in MB, of a command. `source` is its
    standard input; `output` keeps what the last round printed."""

    def __init__(self, arguments, rounds=ROUNDS, source=None, output=None):
        runs = [self.run(list(map(str, arguments)), source, output) for _ in range(rounds)]
        self.seconds = statistics.median(run[0] for run in runs)
        self.wall = statistics.median(run[1] for run in runs)
        self.megabytes = max(run[2] for run in runs) / 1000

    @staticmethod
    def run(words, source=None, output=None):
        reading, writing = os.pipe()
        with open(source or os.devnull, "rb") as given, open(output or os.devnull, "wb") as printed:
            done = subprocess.run(
                [sys.executable, "-ISc", LAUNCHER, str(writing), *words], stdin=given,
                stdout=printed, stderr=subprocess.PIPE, pass_fds=(writing,), check=False)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            told = pipe.read().split()
        if not told or told[0] != b"0":
            raise RuntimeError(f"{words[0]} failed: {done.stderr.decode(errors='replace')[-300:]}")
        return float(told[1]), float(told[2]), int(told[3])

    @property
    def cost(self):
        return {"cpuSeconds": self.seconds, "megabytes": self.megabytes}

    @property
    def values(self):
        return self.cost | {"wallSeconds": self.wall}


def compared(found, expected):
    """What a result says of what a program found, beside what Fencepost found."""
    return {"results": len(found), "equal": found == expected, "differs": len(found ^ expected)}


# MARK: Results

def machine():
    def told(path, pattern):
        found = re.search(pattern, pathlib.Path(path).read_text(encoding="utf-8"))
        return found[1] if found else ""

    swift = re.search(r"Swift version (\S+)", output("swift", "--version", stderr=subprocess.DEVNULL))[1]
    return {
        "cpu": told("/proc/cpuinfo", r"model name\s*: (.*)") or platform.machine(), "cores": os.cpu_count(),
        "memoryGigabytes": round(int(told("/proc/meminfo", r"MemTotal:\s*(\d+)")) / 2**20),
        "system": platform.freedesktop_os_release()["PRETTY_NAME"], "kernel": platform.release(),
        "swift": swift, "load": round(os.getloadavg()[0], 1)}


class Part:
    """The results of one part, which replace those of an earlier run: a line of JSON each."""

    def __init__(self, folder, name, quick):
        self.path, self.name, self.quick = folder / f"{name}.ndjson", name, quick
        self.part = self.path.with_suffix(".part")
        self.machine, self.own = machine(), {}
        folder.mkdir(parents=True, exist_ok=True)
        self.part.write_text("", encoding="utf-8")

    def add(self, case, program, **values):
        """Keeps and prints a result. `equal` is whether what the program found is what Fencepost found; None
        where nothing is compared."""
        record = {"part": self.name, "case": case, "program": program, **values, "quick": self.quick,
                  "date": datetime.date.today().isoformat(), "machine": self.machine}
        with open(self.part, "a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
        cells = []
        if "cpuSeconds" in values:
            own = self.own.setdefault(case, values["cpuSeconds"])
            cells.append(f"{values['cpuSeconds']:.3f} s CPU, {values['cpuSeconds'] / own:.2f} x")
        if values.get("count", 1) > 1 and values.get("wallSeconds"):
            cells.append(f"{values['count'] / values['wallSeconds']:,.0f} {values['unit']}/s")
        if values.get("megabytes"):
            cells.append(f"{values['megabytes']:.0f} MB")
        shown = ("why", "results", "differs", "latencyMilliseconds")
        cells += [f"{key} {values[key]}" for key in shown if values.get(key)]
        if "ratio" in values:
            ratio, most = values["ratio"], values["most"]
            beside = f"{values['besideSeconds']:.3f} s of {values['beside']}"
            cells.append(f"{ratio:.2f} times the {beside} (at most {most})")
            cells += ["over its bound"] if ratio > most else []
        print(f"{case:48} {program:28} {', '.join(cells)}", flush=True)

    def attempt(self, case, program, work):
        """Keeps the values that `work` returns, or why it could not be done."""
        try:
            values = work()
        except (RuntimeError, ValueError, subprocess.CalledProcessError) as failure:
            said = (getattr(failure, "stderr", "") or str(failure)).strip()
            values = {"why": said.rpartition("\n")[2][-160:]}
        self.add(case, program, **values)

    def finish(self):
        self.part.replace(self.path)


def read_results(folder):
    """The results of all parts that were measured: name to records."""
    return {file.stem: [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            for file in sorted(folder.glob("*.ndjson"))}
