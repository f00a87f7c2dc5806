"""A replay from Python says what the program says, whatever holds the fixes."""

import csv
import datetime

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import DATA, PROJECT

import fencepost
from fencepost.rules import arguments

TRACKS = sorted(path.relative_to(PROJECT) for path in (DATA / "tracks").iterdir())
RULES = [
    {}, {"limit": None}, {"refresh": "adaptive"}, {"hold": "20s", "dwell": "1min", "alert_on": "dwell"},
    {"profile": "android"}, {"test": "fixes", "accuracy": "contains", "reorder": "30s"},
    {"quiet_hours": "12:00-13:00", "time_zone": "America/New_York"}]


@pytest.mark.parametrize("options", RULES, ids=str)
@pytest.mark.parametrize("track", TRACKS, ids=lambda path: path.name)
def test_a_file_gives_the_events_of_the_program(track, options, places, by_program, monkeypatch):
    monkeypatch.chdir(PROJECT)
    found = fencepost.replay(track, places, fencepost.Rules(**options), events="all")
    assert found.ndjson == by_program(track, "--events=all", *arguments(options))


@pytest.fixture(scope="module")
def expected(places, by_program):
    return by_program(DATA / "tracks/ride.csv", "--events=all")


def columns_of(table):
    return {name: table.column(name).to_pylist() for name in table.column_names}


def as_numpy(table):
    import numpy

    return numpy.rec.fromarrays(
        [table.column(name).to_numpy() for name in ("time", "lat", "lon")], names="time,lat,lon")


def as_geopandas(table):
    import geopandas

    frame = table.to_pandas()
    points = geopandas.points_from_xy(frame.lon, frame.lat, crs="EPSG:4326")
    return geopandas.GeoDataFrame(frame.drop(columns=["lat", "lon"]), geometry=points)


def as_polars(table):
    import polars

    return polars.from_arrow(table)


KINDS = {
    "arrow": lambda table: table, "reader": lambda table: table.to_reader(50),
    "pandas": lambda table: table.to_pandas(), "polars": as_polars, "geopandas": as_geopandas,
    "columns": columns_of, "rows": lambda table: table.to_pylist(),
    "sliced": lambda table: pa.concat_tables([table.slice(0, 7), table.slice(7)]), "numpy": as_numpy}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_gives_the_events_of_the_file(kind, walk, places, expected):
    found = fencepost.replay(KINDS[kind](walk), places, name="ride.csv", events="all")
    assert renamed(found.ndjson) == renamed(expected)


def renamed(lines):
    """Without the track's name, which a file gives in full."""
    return [line.partition(b',"segment"')[2] or line.partition(b',"fixes"')[2] for line in lines.splitlines()]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "America/New_York"])
def test_times_may_have_any_unit_and_zone(unit, zone, walk, places, expected):
    times = walk.column("time").cast(pa.timestamp("ns", "UTC")).cast(pa.timestamp(unit, "UTC"), safe=False)
    times = times.cast(pa.timestamp(unit, zone))
    whole = set_time(walk, times)
    seconds = set_time(walk, walk.column("time").cast(pa.timestamp("s", "UTC"), safe=False))
    reference = seconds if unit == "s" else walk
    assert fencepost.replay(whole, places).ndjson == fencepost.replay(reference, places).ndjson


def set_time(table, times):
    return table.set_column(table.schema.get_field_index("time"), "time", times)


@pytest.mark.parametrize("factor,kind", [(1, pa.int64()), (1000, pa.int64()), (1e-3, pa.float64())])
def test_a_number_is_a_time_in_the_unit_that_fits_its_size(factor, kind, walk, places):
    counts = walk.column("time").cast(pa.timestamp("ms", "UTC")).cast(pa.int64())
    numbers = set_time(walk, pc.multiply(counts, factor).cast(kind, safe=False))
    assert fencepost.replay(numbers, places).ndjson == fencepost.replay(walk, places).ndjson


def test_a_walk_written_backward_is_read_from_its_end(walk, places):
    backward = walk.take(pa.array(range(walk.num_rows - 1, -1, -1)))
    found, forward = (fencepost.replay(one, places, events="all") for one in (backward, walk))
    assert found.summary["order"] == "newest-first"
    assert found.table().equals(forward.table())


def test_missing_positions_are_rejected_and_missing_times_are_kept(places):
    walk = {"time": [0, None, 60, 90], "lat": [39.9, 39.9, None, 39.9], "lon": [-75.1, -75.2, -75.1, -75.1]}
    summary = fencepost.replay(walk, places).summary
    assert summary["fixes"] == 3 and summary["rejected"] == {"coordinate": 1}


def test_the_table_of_events_has_the_fields_of_ndjson(walk, places):
    events = fencepost.replay(walk, places, events="all")
    table = events.table()
    lines = [line for line in events if line["type"] != "summary"]
    assert set(table.column_names) >= set().union(*lines)
    assert table.column("place").to_pylist() == [line.get("place") for line in lines]
    first = next(table.column("time")[index].as_py() for index in range(len(lines)))
    assert first == datetime.datetime.fromisoformat(lines[0]["time"].replace("Z", "+00:00"))
    assert len(events.pandas()) == len(events.polars()) == len(lines)


@pytest.mark.parametrize("fixes,sentence", [
    ({"lat": [1.0]}, "no column “lon”; there are lat"),
    ({"lat": ["north"], "lon": [1.0]}, "the column of “lat” cannot be read"),
    ({"lat": [1.0], "lon": [1.0], "time": [True]}, "times cannot be of type bool"),
    ("nothing.gpx", "nothing.gpx: no such file")])
def test_what_is_no_track_is_refused_in_a_sentence(fixes, sentence, places):
    with pytest.raises(fencepost.FencepostError, match=sentence):
        fencepost.replay(fixes, places)


@pytest.mark.parametrize("rows,sentence", [
    ([{"id": "a", "lat": 91, "lon": 0}], "lat"), ([{"lat": 1, "lon": 0}], "places need a column “id”"),
    ([{"id": "a", "lat": 1, "lon": 0}] * 2, "has the same id as an earlier place")])
def test_what_is_no_place_is_refused_in_a_sentence(rows, sentence):
    with pytest.raises(fencepost.FencepostError, match=sentence):
        fencepost.Places(rows)


def test_rules_are_refused_in_the_words_of_the_program():
    with pytest.raises(fencepost.FencepostError, match="--limit must be at least 1, or none"):
        fencepost.Rules(limit=0)


def test_places_of_a_frame_are_those_of_the_file(places, walk):
    frame = places.table().to_pandas()
    again = fencepost.Places(frame)
    assert fencepost.replay(walk, again).ndjson == fencepost.replay(walk, places).ndjson


def test_the_samples_are_tables_that_python_reads():
    with open(DATA / "tracks/ride.csv", newline="", encoding="utf-8") as file:
        assert {"time", "lat", "lon"} <= set(next(csv.reader(file)))
