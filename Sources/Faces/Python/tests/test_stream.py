"""The sessions of a stream, as a task of Spark follows them; needs no Spark."""

import os

import pytest

import fencepost
from fencepost.spark import stream

RULES = {"reorder": "2min", "cooldown": "forever"}


@pytest.fixture
def expected(walk, places):
    return fencepost.replay(
        walk, places, fencepost.Rules(**RULES), name="phone", events="alert").ndjson


def follow(source, walk, size, forgets=lambda start: True, before=lambda start: None):
    """The alerts of a walk in batches of so many fixes."""
    sessions = stream.Sessions(source, fencepost.Rules(**RULES), "alert")
    lines, state = b"", None
    for start in range(0, walk.num_rows, size):
        before(start)
        if forgets(start):
            stream._KEPT.clear()
        found, state = sessions.follow("phone", walk.slice(start, size), state)
        lines += found
    return lines + sessions.finish("phone", state)


@pytest.mark.parametrize("size", [1, 7, 100])
def test_batches_and_lost_workers_change_nothing(size, walk, places, expected):
    assert follow(places.json, walk, size) == expected
    assert follow(places.json, walk, size, forgets=lambda start: start % 2) == expected


def test_a_session_of_another_snapshot_is_not_used(walk, places):
    sessions = stream.Sessions(places.json, fencepost.Rules(**RULES), "alert")
    _, first = sessions.follow("phone", walk.slice(0, 50), None)
    ahead, _ = sessions.follow("phone", walk.slice(50, 50), first)
    # The batch is repeated, as after a failure elsewhere.
    again, _ = sessions.follow("phone", walk.slice(50, 50), first)
    assert again == ahead


def test_a_file_that_is_written_again_is_the_same_and_another_one_counts(
        tmp_path, walk, places, expected):
    path = tmp_path / "places.json"
    path.write_bytes(places.json)

    def rewrite(start):
        path.write_bytes(places.json)
        os.utime(path, (start, start))

    assert follow(str(path), walk, 20, before=rewrite) == expected
    far = fencepost.Places([{"id": "far", "lat": 0, "lon": 0}]).json
    assert follow(str(path), walk, 20, before=lambda start: path.write_bytes(far)) == b""
