"""Results of the benchmark: a line of JSON each, in a file for each part, so that parts can be measured at different times."""

import datetime
import json
import os
import pathlib
import platform
import re
import subprocess


def first_line(*command):
    """The first line that a program prints, or nothing where there is no such program."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip().partition("\n")[0]
    except FileNotFoundError:
        return ""


def machine():
    """What the measurements ran on."""
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = int(re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text(encoding="utf-8"))[1])
    system = re.search(r'PRETTY_NAME="(.*)"', pathlib.Path("/etc/os-release").read_text(encoding="utf-8"))
    swift = re.search(r"Swift version (\S+)", first_line("swift", "--version"))
    return {
        "cpu": cpu[1] if cpu else platform.machine(), "cores": os.cpu_count(), "memoryGigabytes": round(memory / 2**20),
        "system": system[1] if system else platform.system(), "kernel": platform.release(),
        "swift": swift[1] if swift else "", "load": round(os.getloadavg()[0], 1)}


class Part:
    """The results of one part, which replace those of an earlier run."""

    def __init__(self, folder, name, quick):
        self.path, self.name, self.quick = folder / f"{name}.ndjson", name, quick
        self.part = self.path.with_suffix(".part")
        self.machine = machine()
        folder.mkdir(parents=True, exist_ok=True)
        self.part.write_text("", encoding="utf-8")

    def add(self, case, program, **values):
        """A result. `equal` is whether what the program found is what Fencepost found; None where nothing is compared."""
        record = {"part": self.name, "case": case, "program": program, **values, "quick": self.quick,
                  "date": datetime.date.today().isoformat(), "machine": self.machine}
        with open(self.part, "a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
        print(json.dumps({key: value for key, value in record.items() if key not in ("machine", "date", "quick")},
                         ensure_ascii=False), flush=True)

    def finish(self):
        self.part.replace(self.path)


def read(folder):
    """The results of all parts that were measured: name to records."""
    return {file.stem: [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            for file in sorted(folder.glob("*.ndjson"))}
