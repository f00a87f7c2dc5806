"""What measures other programs and gets them: packages, CPU time and memory, and a throw-away PostgreSQL."""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys

DEBIAN = ["postgresql-15", "postgresql-15-postgis-3", "gpsbabel", "gpsd-clients"]
PYTHON = ["pandas", "pyproj", "shapely", "duckdb", "pymeos"]
ROUNDS = 3


def say(text):
    print(f"rivals: {text}", file=sys.stderr, flush=True)


def install_debian():
    """Installs the Debian packages that are missing; PostgreSQL's own cluster is not made."""
    missing = [name for name in DEBIAN if not is_installed(name)]
    if not missing:
        return
    say("installing the Debian packages " + " ".join(missing))
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    configuration = pathlib.Path("/etc/postgresql-common/createcluster.conf")
    if not configuration.exists():
        subprocess.run(root + ["mkdir", "-p", str(configuration.parent)], check=False)
        subprocess.run(
            root + ["tee", str(configuration)],
            input=b"create_main_cluster = false\n", stdout=subprocess.DEVNULL, check=False)
    environment = root + ["env", "DEBIAN_FRONTEND=noninteractive"]
    subprocess.run(environment + ["apt-get", "-q", "update"], stdout=subprocess.DEVNULL, check=False)
    subprocess.run(
        environment + ["apt-get", "-qy", "--no-install-recommends", "install", *missing],
        stdout=subprocess.DEVNULL, check=False)


def is_installed(package):
    asked = subprocess.run(
        ["dpkg-query", "-W", "-f=${db:Status-Status}", package], capture_output=True, text=True,
        check=False)
    return asked.stdout == "installed"


def install_python(folder):
    """The Python that has the packages, or None where they cannot be had."""
    python = folder / "venv" / "bin" / "python3"
    if not python.exists():
        say("installing from PyPI into " + str(python.parent.parent) + ": " + " ".join(PYTHON))
        made = subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=False)
        if made.returncode != 0:
            return None
    added = subprocess.run(
        [str(python), "-m", "pip", "install", "--quiet", *PYTHON], check=False)
    return python if added.returncode == 0 else None


# Runs a command and reports its status, CPU time, wall-clock time and peak memory. The system counts the memory of the process
# that starts a command as the command's own, so a small one starts it.
LAUNCHER = """
import os, sys, time
begin = time.monotonic()
process = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
os.write(int(sys.argv[1]), b"%d %f %f %d" % (os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime,
                                             time.monotonic() - begin, usage.ru_maxrss))
"""


class Measured:
    """The CPU time, wall-clock time and peak memory of a command. `output` keeps what the last round printed."""

    def __init__(self, arguments, rounds=ROUNDS, source=None, output=None):
        runs = [self.run([str(word) for word in arguments], source, output) for _ in range(rounds)]
        self.seconds = statistics.median(run[0] for run in runs)
        self.wall = statistics.median(run[1] for run in runs)
        self.megabytes = max(run[2] for run in runs) / 1000

    @staticmethod
    def run(words, source, output):
        reading, writing = os.pipe()
        with open(source or os.devnull, "rb") as given, open(output or os.devnull, "wb") as printed:
            done = subprocess.run(
                [sys.executable, "-ISc", LAUNCHER, str(writing), *words], stdin=given, stdout=printed,
                stderr=subprocess.PIPE, pass_fds=(writing,), check=False)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            told = pipe.read().split()
        if not told or told[0] != b"0":
            raise RuntimeError(f"{words[0]} failed: {done.stderr.decode(errors='replace')[-300:]}")
        return float(told[1]), float(told[2]), int(told[3])


def run_postgis(server, place, script="postgis.sql", variables=()):
    """Clock ticks before, between and after the parts of the script, in a throw-away cluster."""
    # PostgreSQL refuses to run as root.
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if user:
        shutil.chown(place, "postgres")
        for file in place.iterdir():
            shutil.chown(file, "postgres")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": place}
    data = place / "cluster"
    subprocess.run(
        user + [str(server / "initdb"), "-D", str(data), "-A", "trust", "-U", "bench"],
        check=True, **quiet)
    control = user + [str(server / "pg_ctl"), "-D", str(data), "-w"]
    settings = f"-c listen_addresses= -c unix_socket_directories={place} " \
        "-c shared_buffers=512MB -c work_mem=256MB -c maintenance_work_mem=512MB -c fsync=off"
    subprocess.run(
        control + ["-l", str(place / "log"), "-o", settings, "start"], check=True, **quiet)
    try:
        done = subprocess.run(
            user + [str(server / "psql"), "-h", str(place), "-U", "bench", "-d", "postgres",
                    *(word for variable in variables for word in ("-v", variable)), "-f", script],
            check=True, cwd=place, capture_output=True, text=True)
    finally:
        subprocess.run(control + ["-m", "immediate", "stop"], check=False, **quiet)
    return [int(line.split("|")[1]) for line in done.stdout.splitlines() if line.startswith("cpu|")]
