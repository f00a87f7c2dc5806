"""The built program, as checks and measurements start it."""

import fcntl
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
DATA = PROJECT / "Data"
# The program that is checked: the release build, or the one that FENCEPOST_EXECUTABLE names.
PROGRAM = os.path.abspath(os.environ.get("FENCEPOST_EXECUTABLE") or PROJECT / ".build/release/fencepost")
# The same of the engine's library.
LIBRARY = os.path.abspath(
    os.environ.get("FENCEPOST_LIBRARY") or PROJECT / ".build/release/libFencepostCInterface.so")


def started(words, pattern, **options):
    """Starts a program, and waits until it says on standard error what the pattern matches. Returns the
    process and the match's first group."""
    process = subprocess.Popen([str(word) for word in words], stderr=subprocess.PIPE, text=True,
                               **{"stdout": subprocess.DEVNULL, **options})
    for line in process.stderr:
        if found := re.search(pattern, line):
            return process, found[1]
    raise RuntimeError(f"{words[1]} did not start")


def ended(process):
    process.terminate()
    process.wait()


def output(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True,
                          **options).stdout.rstrip()


def environment(folder, *packages, options=()):
    """The Python of an environment with packages of PyPI, or None where PyPI does not give them."""
    python = folder / "bin/python"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_suffix(".lock"), "w", encoding="utf-8") as lock:
        # Checks that run side by side may want the same environment.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        listed = output(python, "-m", "pip", "freeze").lower()
        missing = [one for one in packages if one.lower().partition("==")[0] + "==" not in listed]
        install = [python, "-m", "pip", "install", "--quiet", *options, *missing]
        return None if missing and subprocess.run(install, check=False).returncode else python


def enter_environment(name, *packages):
    """Runs this script again in an environment of its own in .build, with packages of PyPI. Ends with status
    77, which Tools/test takes for a check that was skipped, where PyPI does not give them."""
    folder = PROJECT / ".build" / name
    if pathlib.Path(sys.prefix).resolve() == folder.resolve():
        return
    python = environment(folder, *packages)
    if python is None:
        print("PyPI does not give " + " ".join(packages))
        sys.exit(77)
    os.execv(python, [str(python), *sys.argv])


def swift_sources(folder):
    """The paths and texts of a folder's files of Swift; those in a catalog belong to its tutorial."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.swift"))
            if ".docc" not in str(path)}


def module(path):
    """A program whose file has no ending, as a module."""
    name = pathlib.Path(path).name
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    found = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(found)
    return found


def make(files):
    """Writes files by their paths; with --check compares them instead. The exit status."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(sys.modules["__main__"].__doc__)
    stale = 0
    for path, contents in files.items():
        data = contents.encode() if isinstance(contents, str) else contents
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        elif not path.exists() or path.read_bytes() != data:
            print(f"{path.relative_to(PROJECT)} is not what {sys.argv[0]} writes; run that")
            stale = 1
    return stale
