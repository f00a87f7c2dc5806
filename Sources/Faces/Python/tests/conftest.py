"""What the tests share: the samples, and the program to compare with."""

import pathlib
import subprocess

import pytest

import fencepost
from fencepost._program import program

PROJECT = pathlib.Path(__file__).resolve().parents[4]
DATA = PROJECT / "Data"
# Programs of Tools/check spark, which need what it installs.
collect_ignore = ["spark/compare_tables.py", "spark/make_tables.py"]


@pytest.fixture(scope="session")
def places():
    return fencepost.Places(DATA / "stories/philadelphia.csv")


@pytest.fixture(scope="session")
def by_program():
    """What the program reports of a track."""
    def lines(track, *options):
        return subprocess.run(
            [program(), "replay", track, "--places", DATA / "stories/philadelphia.csv",
             "--format=ndjson", "--quiet", *options],
            check=True, capture_output=True, cwd=PROJECT).stdout
    return lines


@pytest.fixture(scope="session")
def walk():
    """The fixes of a sample as a table."""
    import pyarrow.csv

    return pyarrow.csv.read_csv(DATA / "tracks/ride.csv")
