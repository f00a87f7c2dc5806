"""The program `fencepost`, which does what the engine alone does not."""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

from ._library import FencepostError


def program() -> str:
    """The program of this installation, or the one that FENCEPOST_EXECUTABLE names."""
    named = os.environ.get("FENCEPOST_EXECUTABLE")
    if named:
        return named
    for folder in (sysconfig.get_path("scripts"), pathlib.Path(sys.executable).parent):
        path = pathlib.Path(folder) / "fencepost"
        if path.exists():
            return str(path)
    found = shutil.which("fencepost")
    if not found:
        raise FencepostError("the program fencepost is not installed")
    return found


def run(*words: str | os.PathLike[str], input: bytes | None = None) -> bytes:
    """Runs a command and returns its standard output.

    Raises FencepostError with the command's message if it refuses. A track with more faults than
    fixes (status 65 with output) is not refused.
    """
    result = subprocess.run(
        [program(), *words], input=input, capture_output=True, check=False,
        stdin=subprocess.DEVNULL if input is None else None)
    if result.returncode and not (result.returncode == 65 and result.stdout):
        lines = result.stderr.decode(errors="replace").strip().splitlines()
        said = [line for line in lines if "warning:" not in line
                and not line.lstrip().startswith(("Usage:", "See 'fencepost "))]
        raise FencepostError("\n".join(said).removeprefix("fencepost: ").removeprefix("Error: "))
    return result.stdout
