"""Many walks, by the program."""

import pyarrow as pa
import pytest
from conftest import DATA

import fencepost


def test_walks_of_any_kind_give_the_verdicts_of_their_files(walk, places):
    by_file = fencepost.analyze(DATA / "tracks/ride.csv", places, verdicts="crossed")
    named = fencepost.analyze({"ride": walk}, places, verdicts="crossed")
    rows = walk.append_column("track", pa.array(["ride"] * walk.num_rows))
    column = fencepost.analyze(rows, places, verdicts="crossed")
    assert verdicts(named) == verdicts(column) == verdicts(by_file) != []
    assert named.table("verdict").num_rows == len(verdicts(named))


def verdicts(analysis):
    return [{name: value for name, value in line.items() if name != "track"} for line in analysis.of("verdict")]


def test_rows_are_joined_to_walks_by_name(walk, places):
    half = walk.num_rows // 2
    names = pa.array(["b"] * half + ["a"] * (walk.num_rows - half))
    analysis = fencepost.analyze(walk.append_column("track", names), places, keep_duplicates=True)
    assert {line["track"] for line in analysis.of("verdict")} == {"a", "b"}


def test_a_report_is_a_page_that_notebooks_show(walk, places):
    report = fencepost.analyze({"ride": walk}, places, report=True).report
    assert report.startswith("<!") and "<iframe" in report._repr_html_()


def test_a_simulation_gives_chances(walk, places):
    chances = fencepost.simulate({"ride": walk}, places, "iphone", trials=10, seed=2)
    assert chances.ndjson == fencepost.simulate({"ride": walk}, places, "iphone", trials=10, seed=2).ndjson
    assert chances.of("chance")


def test_an_explanation_is_that_of_the_file(walk, places):
    place = fencepost.replay(walk, places, events="enter").of("enter")[0]["place"]
    by_file = fencepost.explain(DATA / "tracks/ride.csv", place, places).ndjson.splitlines()
    assert fencepost.explain(walk, place, places).ndjson.splitlines()[1:] == by_file[1:]


def test_what_the_program_refuses_is_an_error_in_its_words(walk, places):
    with pytest.raises(fencepost.FencepostError, match="trials"):
        fencepost.simulate({"ride": walk}, places, "iphone", trials=0)
