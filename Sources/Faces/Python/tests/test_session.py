"""A session says the same however its fixes arrive, and after every restart."""

import concurrent.futures
import pickle
import random
import time

import pyarrow as pa
import pytest

import fencepost


@pytest.fixture(scope="module")
def rules():
    return fencepost.Rules(cooldown="1h", hold="5s")


@pytest.fixture(scope="module")
def whole(walk, places, rules):
    session = fencepost.Session(places, rules, events="all")
    return session.feed(walk) + session.finish()


@pytest.mark.parametrize("seed", range(5))
def test_pieces_and_restarts_change_nothing(seed, walk, places, rules, whole):
    numbers = random.Random(seed)
    session, found, start = fencepost.Session(places, rules, events="all"), fencepost.Events(), 0
    while start < walk.num_rows:
        count = numbers.randint(1, 60)
        found += session.feed(walk.slice(start, count))
        start += count
        session = fencepost.Session.restore(
            session.snapshot(), fencepost.Places(places.json), rules, events="all")
    assert (found + session.finish()).ndjson == whole.ndjson


def test_single_fixes_give_the_events_of_a_table(walk, places, rules, whole):
    session, found = fencepost.Session(places, rules, events="all"), []
    for row in walk.to_pylist():
        found += session.feed_one(row["lat"], row["lon"], row["time"])
    assert found + list(session.finish()) == list(whole)


def test_threads_share_places_and_run_at_the_same_time(walk, places):
    expected = fencepost.replay(walk, places).ndjson
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: fencepost.replay(walk, places).ndjson, range(40)))
    assert set(found) == {expected}


def test_the_lock_of_python_is_released(places):
    """A thread counts on while the engine follows a long walk."""
    count = 2_000_000
    long = pa.table({"lat": pa.array([39.95] * count), "lon": pa.array([-75.15] * count)})
    session = fencepost.Session(places)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        done, turns = pool.submit(session.feed, long), 0
        while not done.done():
            turns += 1
            time.sleep(0)
    assert turns > 10


def test_places_that_are_replaced_count_from_the_last_fix_on(places):
    here, there = {"id": "a", "lat": 39.95, "lon": -75.15}, {"id": "b", "lat": 39.95, "lon": -75.16}
    session = fencepost.Session(fencepost.Places([here]), events="enter")
    session.feed_one(39.95, -75.17)
    session.replace_places(fencepost.Places([there]))
    assert [event["place"] for event in session.feed_one(39.95, -75.14)] == ["b"]


@pytest.mark.parametrize("snapshot", [b"", b"{}", b"nonsense"])
def test_a_damaged_snapshot_is_refused(snapshot, places):
    with pytest.raises(fencepost.FencepostError):
        fencepost.Session.restore(snapshot, places)


def test_an_unknown_kind_of_event_is_refused(places):
    with pytest.raises(fencepost.FencepostError, match="“alarm” is not an event"):
        fencepost.Session(places, events="alarm")


def test_places_and_rules_travel_to_other_processes(places, rules, walk):
    there = pickle.loads(pickle.dumps((places, rules)))
    assert fencepost.replay(walk, *there).ndjson == fencepost.replay(walk, places, rules).ndjson
