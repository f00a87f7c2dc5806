"""A throw-away PostgreSQL with PostGIS."""

import atexit
import glob
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile


def programs():
    """The folder of the newest PostgreSQL that has PostGIS, or None."""
    found = sorted(glob.glob("/usr/share/postgresql/*/extension/postgis.control"))
    folders = [pathlib.Path("/usr/lib/postgresql", path.split("/")[4], "bin") for path in found]
    return next((folder for folder in reversed(folders) if (folder / "postgres").exists()), None)


class Cluster:
    """A server in a folder of its own, without network, that ends with this script. PostgreSQL does not run
    as root, so root hands it to the user postgres."""

    def __init__(self):
        self.programs = programs()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fencepost-postgres-"))
        self.user = []
        if os.getuid() == 0:
            os.chown(self.folder, pwd.getpwnam("postgres").pw_uid, -1)
            self.user = ["runuser", "-u", "postgres", "--"]
        atexit.register(self.remove)
        data = ["-D", self.folder / "data"]
        self.run("initdb", *data, "-A", "trust", "-U", "postgres", "--no-sync")
        options = ["listen_addresses=''", f"unix_socket_directories='{self.folder}'", "fsync=off"]
        words = " ".join(f"-c {option}" for option in options)
        self.run("pg_ctl", *data, "-w", "-l", self.folder / "log", "-o", words, "start")

    def run(self, program, *words, check=True):
        subprocess.run([*self.user, self.programs / program, *words], check=check,
                       capture_output=True, cwd="/")

    def psql(self, sql, **variables):
        """What psql prints for statements."""
        words = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
        done = subprocess.run(
            [self.programs / "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U",
             "postgres", *words], input=sql, capture_output=True, text=True, cwd="/", check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        return done.stdout.strip()

    def remove(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)
