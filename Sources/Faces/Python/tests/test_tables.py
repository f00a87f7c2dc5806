"""Tables of fixes, the folder of a run and the commands around them, as far as they need no Spark."""

import contextlib
import datetime
import importlib.util
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import pyarrow as pa
import pyarrow.parquet as parquet

from fencepost.spark import __main__ as analyze
from fencepost.spark import _process as process, _sources as sources, _storage as storage
from fencepost.tables import _columns as columns, _local as local, _points as points

# Stands in for fencepost: knows one option, and fails as a program does that misses a library.
STAND_IN = """#!/bin/sh
case "$*" in
*--refresh*) exit 0 ;;
*--library*) echo 'no libsqlite3.so.0' >&2; exit 127 ;;
esac
echo "Unknown option" >&2
exit 64
"""


FIXES = ["track", "time", "lat", "lon"]
PLAIN = dict(zip(FIXES, FIXES))
# How the columns of `ParquetTests.fixes` are named.
NAMED = ("--track", "trip", "--time", "at")


class ColumnTests(unittest.TestCase):
    def test_usual_names_are_found_and_named_ones_replace_them(self):
        measures = {"accuracy": "Horizontal_Accuracy", "speed": "speed_mps", "course": "Heading"}
        for present, names, expected in (
                ([*FIXES, "geometry", "speed"], {}, PLAIN),
                (["trip", "at", "geometry"], {"track": "trip", "time": "at"},
                 {"track": "trip", "time": "at", "geometry": "geometry"}),
                ([*FIXES, *measures.values()], {}, PLAIN | measures),
                ([*FIXES, "h"], {"accuracy": "h"}, PLAIN | {"accuracy": "h"}),
                (["track", "seq", "lat", "lon"], {"order": "seq"},
                 {"track": "track", "lat": "lat", "lon": "lon", "order": "seq"}),
                (["device", "time", "lat", "lon"], {}, PLAIN | {"track": "device"}),
                (["device", *FIXES], {}, PLAIN)):
            with self.subTest(present=present, names=names):
                self.assertEqual(columns.choose(names, present), expected)

    def test_a_table_that_lacks_what_is_named_or_needed_is_refused(self):
        untimed = ["track", "seq", "user", "lat", "lon"]
        for present, names, sentence in (
                *(([*FIXES, "geometry"], {name: "recorded"},
                   "has no column recorded, but track, time, lat, lon, geometry$")
                  for name in (*columns.USUAL, *columns.OTHERS)),
                (untimed, {}, "has no column time, but track, seq, .*; --time names it, "
                 "or --order says the order where there are no times"),
                (untimed, {"order": "seq", "person": "user"}, "a person's tracks go by their times"),
                (FIXES[:3], {}, "has neither lat and lon nor geometry, but track, time, lat"),
                (FIXES[1:], {}, "has no column track, but time, lat, lon; --track names it")):
            with self.subTest(names=names), self.assertRaisesRegex(columns.Fault, sentence):
                columns.choose(names, present)
        with self.assertRaisesRegex(columns.Fault, "has a list in each row of fixes; .* explode"):
            columns.choose({}, ["track", "fixes"], ["fixes"])

    def test_a_speed_without_a_unit_is_left_out_and_that_is_said(self):
        present = [*FIXES, "speed"]
        notices = columns.notices(columns.choose({}, present), present)
        self.assertRegex(notices[0], "speed was left out, .* no unit.*: --speed speed")
        named = columns.choose({"speed": "speed"}, present)
        self.assertEqual(columns.notices(named, present), [])

    def test_rows_without_times_are_counted_unless_no_row_has_one(self):
        left_out = "of 4,000 rows {} no at; left out."
        for untimed, is_ordered, expected in (
                (0, False, (True, None)), (1, True, (True, "1 " + left_out.format("has"))),
                (40, False, (True, "40 " + left_out.format("have"))), (4000, True, (False, None))):
            self.assertEqual(columns.timed(4000, untimed, "at", is_ordered), expected)
        with self.assertRaisesRegex(columns.Fault, "has no time in at; --order says the order"):
            columns.timed(4000, 4000, "at", False)

    def test_what_spark_says_of_tables_is_told_in_a_sentence_and_its_own_failures_are_not(self):
        mismatch = "[FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH] Data type mismatches."
        different = r"^has files with different .*nanoseconds.* coerce_timestamps='us' \(\[.*\)$"
        missing = "[PATH_NOT_FOUND] Path does not exist: file:/a."
        for text, sentence in (
                (f"calling o61.parquet.\n: SparkException: {mismatch}\n\tat org", different),
                ("[CANNOT_MERGE_SCHEMAS] Failed:\nx", different),
                (missing + "\n\tat org", "^cannot be read as Parquet: " + re.escape(missing) + "$"),
                ("Job aborted: executor lost [Stage 0:>", None),
                ("[FAILED_READ_FILE.NO_HINT] Encountered error", None),
                ("[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column", None)):
            found = sources.table_fault(text)
            self.assertRegex(found, sentence) if sentence else self.assertIsNone(found)


class SystemTests(unittest.TestCase):
    """Coordinate systems of GeoParquet."""

    MERCATOR = {"name": "WGS 84 / Pseudo-Mercator", "id": {"authority": "EPSG", "code": 3857}}

    def system(self, value):
        metadata = json.dumps({"columns": {"geometry": {"crs": value}}})
        return points.system_of(metadata.encode(), "geometry")

    def test_wgs84_has_several_names_and_another_system_is_named(self):
        self.assertIsNone(points.system_of(None, "geometry"))
        for value in (None, "EPSG:4326", {"id": {"authority": "OGC", "code": "CRS84"}},
                      {"id": {"authority": "EPSG", "code": 4326}}, {"name": "WGS 84 (CRS84)"}):
            self.assertIsNone(self.system(value), value)
        self.assertEqual(points.name_of(self.system(self.MERCATOR)),
                         "EPSG:3857 (WGS 84 / Pseudo-Mercator)")
        self.assertEqual(points.name_of("EPSG:4267"), "EPSG:4267")

    def test_without_pyproj_another_system_is_refused_by_its_name(self):
        sentence = r"points in EPSG:3857 \(.*\), not in WGS84; .* pyproj"
        with unittest.mock.patch.dict(sys.modules, {"pyproj": None}):
            with self.assertRaisesRegex(columns.Fault, sentence):
                points.check(self.MERCATOR, "geometry")

    def test_files_of_one_table_have_one_system(self):
        self.assertEqual(points.only([self.MERCATOR] * 2, "geometry"), self.MERCATOR)
        with self.assertRaisesRegex(columns.Fault, "geometry differs in its coordinate system"):
            points.only([self.MERCATOR, None], "geometry")


class ParquetTests(unittest.TestCase):
    """The command python -m fencepost.tables."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_tool(self, *arguments):
        package = pathlib.Path(columns.__file__).parents[2]
        return subprocess.run(
            [sys.executable, "-m", "fencepost.tables", *arguments], cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(package)}, capture_output=True, check=False)

    def table(self, name, **values):
        parquet.write_table(pa.table(values), os.path.join(self.folder, name))
        return name

    def fixes(self, name, unit="us", tracks=("b", "a", "a"), **others):
        times = [datetime.datetime(2026, 3, 4, 17, 0, second) for second in (0, 2, 1)]
        return self.table(name, trip=tracks, at=pa.array(times, pa.timestamp(unit, tz="UTC")),
                          lat=[1.0, 2.0, 3.0], lon=[4.0, 5.0, 6.0], **others)

    def assert_refused(self, run, sentence):
        """One sentence, no byte of a stream, and a status that says so."""
        self.assertEqual((run.returncode, run.stdout), (1, b""))
        self.assertEqual(run.stderr.decode().count("\n"), 1, run.stderr.decode())
        self.assertIn(sentence, run.stderr.decode())

    def test_fixes_go_by_track_and_time(self):
        run = self.run_tool("tracks", self.fixes("f.parquet"), *NAMED)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        lines = run.stdout.decode().splitlines()
        self.assertEqual([json.loads(line)["track"] for line in lines if line.startswith("{")], ["a", "b"])
        self.assertEqual([line for line in lines if line.startswith("2")], [
            "2026-03-04T17:00:01.000000Z,3,6", "2026-03-04T17:00:02.000000Z,2,5", "2026-03-04T17:00:00.000000Z,1,4"])

    def test_times_in_nanoseconds_make_the_same_stream(self):
        runs = [self.run_tool("tracks", self.fixes(f"{unit}.parquet", unit), *NAMED)
                for unit in ("us", "ns")]
        self.assertEqual(runs[0].stdout, runs[1].stdout)
        self.assertTrue(runs[0].stdout)
        odd = self.table("odd.parquet", track=["a"], time=pa.array([1_772_643_600_000_000_999], pa.timestamp("ns")),
                         lat=[1.0], lon=[2.0])
        self.assertIn(b"2026-03-04T17:00:00.000000Z", self.run_tool("tracks", odd).stdout)

    def body(self, run):
        return [line.replace('"', "") for line in run.stdout.decode().splitlines() if not line.startswith("{")]

    def test_accuracy_speed_and_course_reach_the_stream_as_csv_has_them(self):
        table = self.fixes("f.parquet", acc=pa.array([12.5, 3.0, None], pa.float32()), v=[1.5, 0.0, 2.0],
                           heading=[90, 0, 359])
        run = self.run_tool("tracks", table, *NAMED, "--speed", "v")
        self.assertEqual(self.body(run)[:3], [
            "time,lat,lon,accuracy,speed_mps,course", "2026-03-04T17:00:01.000000Z,3,6,,2,359",
            "2026-03-04T17:00:02.000000Z,2,5,3,0,0"])
        self.assertIn("2026-03-04T17:00:00.000000Z,1,4,12.5,1.5,90", self.body(run))

    def test_rows_without_a_time_are_left_out_and_counted(self):
        for number, times in enumerate((pa.array([1000, None, 3000], pa.timestamp("ms")), ["2026-03-04T17:00:00Z", " ", "2026-03-04T17:00:02Z"],
                      [1e9, float("nan"), 1e9 + 1])):
            table = self.table(f"{number}.parquet", track=["a"] * 3, time=times, lat=[1.0, 2.0, 3.0], lon=[4.0] * 3)
            run = self.run_tool("tracks", table)
            self.assertEqual(len(self.body(run)), 3, run.stdout)
            self.assertEqual(run.stderr.decode(), f"tables: {number}.parquet: 1 of 3 rows has no time; left out.\n")

    def test_a_column_without_any_time_is_that_of_a_table_without_times(self):
        table = self.table("f.parquet", track=["a", "a"], time=pa.nulls(2, pa.timestamp("ms")), seq=[2, 1],
                           lat=[1.0, 2.0], lon=[4.0, 5.0])
        self.assert_refused(self.run_tool("tracks", table), "f.parquet: has no time in time; --order says the order")
        run = self.run_tool("tracks", table, "--order", "seq")
        self.assertEqual((self.body(run), run.stderr), (["lat,lon", "2,5", "1,4"], b""))

    @unittest.skipUnless(importlib.util.find_spec("pyproj"), "needs the PyPI package pyproj")
    def test_points_in_another_system_are_transformed(self):
        points = pa.array([{"x": 0.0, "y": 0.0}, {"x": 6378137 * math.pi / 2, "y": 0.0}])
        geo = {"columns": {"geometry": {"crs": SystemTests.MERCATOR}}}
        table = pa.table({"track": ["a", "a"], "time": [1, 2], "geometry": points})
        parquet.write_table(table.replace_schema_metadata({"geo": json.dumps(geo)}), os.path.join(self.folder, "m.parquet"))
        run = self.run_tool("tracks", "m.parquet")
        self.assertAlmostEqual(float(self.body(run)[2].split(",")[2]), 90, places=9)
        self.assertIn("geometry was transformed from EPSG:3857", run.stderr.decode())

    def test_a_track_with_too_many_fixes_is_skipped_by_name_and_the_others_stay(self):
        run = self.run_tool("tracks", self.fixes("f.parquet"), *NAMED, "--track-fixes", "1")
        headers = [json.loads(line) for line in run.stdout.decode().splitlines() if line.startswith("{")]
        self.assertEqual(headers[0], {"track": "a", "error": "2 fixes are too many for one track; split it, or raise "
                                                             "--track-fixes"})
        self.assertEqual(headers[1]["track"], "b")
        self.assertEqual(self.body(run), ["time,lat,lon", "2026-03-04T17:00:00.000000Z,1,4"])

    def test_a_table_larger_than_the_memory_is_refused_before_it_is_read(self):
        local.check_memory(1_000_000, 1_000_000_000)
        local.check_memory(10**12, None)
        with self.assertRaisesRegex(columns.Fault, "10,000,000 rows need about 1.5 GB of memory, and 1.0 GB are free"):
            local.check_memory(10_000_000, 1_000_000_000)

    def test_conditions_leave_out_rows_and_folders_before_they_are_read(self):
        for day in ("2026-03-01", "2026-03-02"):
            os.makedirs(os.path.join(self.folder, f"all/day={day}"))
            self.table(f"all/day={day}/f.parquet", track=[day, day], time=[1, 2], lat=[1.0, 2.0],
                       lon=[1.0, 1.0])
        run = self.run_tool("tracks", "all", "--where", "day>=2026-03-02", "--where", "lat < 2")
        self.assertEqual(self.body(run)[1:], ["1,1,1"])
        self.assert_refused(self.run_tool("tracks", "all", "--where", "hour=1"), "has no column hour")
        self.assert_refused(self.run_tool("tracks", "all", "--where", "lat=north"), "does not fit lat")
        self.assert_refused(self.run_tool("tracks", "all", "--where", "lat"), "--where takes a column")

    def test_numbers_of_double_width_keep_their_digits_beside_a_file_of_single_width(self):
        for day, kind in (("1", pa.float32()), ("2", pa.float64())):
            os.makedirs(os.path.join(self.folder, f"all/day={day}"))
            self.table(f"all/day={day}/f.parquet", track=[day], time=[1_772_643_600], lat=pa.array([39.9512345678901], kind),
                       lon=pa.array([0.5], kind))
        rows = [row for row in self.body(self.run_tool("tracks", "all")) if not row.startswith("time")]
        self.assertEqual(rows, ["1772643600,39.95123291015625,0.5", "1772643600,39.9512345678901,0.5"])

    def test_what_cannot_be_read_is_refused_in_a_sentence_before_the_first_byte(self):
        table = self.fixes("f.parquet", user=["u", "u", "u"])
        self.fixes("holes.parquet", tracks=("a", None, None), user=["u", None, "u"])
        self.table("north.parquet", track=["a"], time=["2026-03-04T17:00:00Z"], lat=["north"], lon=[1.0])
        self.table("other.parquet", trip=["a"], at=["2026-03-04T17:00:00Z"], lat=[1.0], lon=[1.0])
        for name, text in (("text.parquet", "track,time,lat,lon\n" * 10),
                           ("a.ndjson", '{"type":"settings","version":1}\n')):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        listed = "f.parquet: has no column {}, but trip, at, lat, lon, user"
        for arguments, sentence in (
                (("tracks", table, "--track", "trip"), listed.format("time") + "; --time names"),
                (("tracks", table, *NAMED[:3], "recorded"), listed.format("recorded")),
                (("tracks", "holes.parquet", *NAMED), "holes.parquet: 2 of 3 rows have no trip; leave them out"),
                (("tracks", "none.parquet"), "none.parquet: there is no such file or folder"),
                (("tracks", "text.parquet"), "text.parquet: cannot be read as Parquet"),
                (("tracks", "north.parquet"), "north.parquet: cannot be read as Parquet: Failed to parse"),
                (("tracks", table, "other.parquet", *NAMED), "the tables do not fit together"),
                (("tables", "none.ndjson", "--output", "out"), "none.ndjson: cannot be opened: No such file"),
                (("tables", table, "--output", "out"), "f.parquet: is no line of an analysis"),
                (("tables", "a.ndjson", "--output", "out"), "a.ndjson: ends early, without its totals")):
            with self.subTest(sentence=sentence):
                self.assert_refused(self.run_tool(*arguments), sentence)
        for name, sentence in ((table, listed.format("recorded")), ("holes.parquet", "1 of 3 rows has no user")):
            columns_of = (*NAMED[:3], "recorded") if name == table else ("--time", "at", "--track", "lat")
            run = self.run_tool("tracks", name, *columns_of, "--person", "user")
            self.assertEqual((run.returncode, run.stdout), (1, b""))
            self.assertNotIn(b"Traceback", run.stderr)
            self.assertIn(sentence, run.stderr.decode())

    def test_persons_are_folders_of_which_analyze_must_be_told(self):
        table = self.fixes("f.parquet", user=["v", "u", "u"])
        run = self.run_tool("tracks", table, *NAMED, "--person", "user")
        self.assertEqual(run.returncode, 0)
        self.assertIn(b'"u/a"', run.stdout)
        self.assertIn(b"analyze needs --person-by folder", run.stderr)

    def test_columns_are_listed_with_their_types(self):
        listed = self.run_tool("columns").stdout.decode()
        self.assertIn("verdicts   double                 nearest_meters\n", listed)


class ArgumentTests(unittest.TestCase):
    """The options of analyze.py."""

    def refusal(self, *arguments):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as ended:
            analyze.parse_arguments([*arguments, "--store", "s", "--output", "o"])
        self.assertEqual(ended.exception.code, 2)
        return errors.getvalue()

    def test_parquet_needs_the_option_table(self):
        for path in ("fixes.parquet", "s3a://b/fixes.PARQUET/", "geo.geoparquet"):
            self.assertIn(f"{path}: --table reads Parquet", self.refusal(path))

    def test_columns_need_the_option_table(self):
        for name in (*columns.USUAL, *columns.OTHERS):
            self.assertIn(f"--{name} needs --table", self.refusal("fixes", f"--{name}", "x"))

    def test_a_resumed_run_compares_columns_by_their_names_whether_given_or_usual(self):
        found = []
        for options in ([], ["--track", "track"]):
            arguments, _ = analyze.parse_arguments(
                ["t.parquet", "--table", *options, "--store", __file__, "--fencepost", __file__, "--output", "o"])
            found.append(analyze.settings_of(arguments, []))
        self.assertEqual(found[0], found[1])
        self.assertEqual([found[0][name] for name in ("track", "time", "person")], ["track", "time", None])


class ObjectionTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = os.path.join(folder.name, "fencepost")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(STAND_IN)
        os.chmod(self.program, 0o755)

    def test_options_that_fencepost_refuses_are_known_before_spark_starts(self):
        self.assertIsNone(process.objection(self.program, "s", ["--refresh", "fixed"]))
        self.assertEqual(process.objection(self.program, "s", ["--refrsh", "fixed"]), (64, "Unknown option"))

    def test_a_program_that_cannot_run_here_may_run_on_the_executors(self):
        self.assertIsNone(process.objection(self.program, "s", ["--library"]))
        os.chmod(self.program, 0o644)
        self.assertIsNone(process.objection(self.program, "s", ["--refrsh"]))


class RunTests(unittest.TestCase):
    """The folder of a run, on the local filesystem."""

    SETTINGS = {"track": "trip", "options": [], "lines": False, "store": "12ab"}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.output = os.path.join(folder.name, "out")
        self.run_folder = storage.Run(storage.LocalStorage(), self.output)

    def begin(self, is_resumed=False, **changes):
        self.run_folder.begin(self.SETTINGS | changes, is_resumed)

    def plan(self):
        self.run_folder.plan(lambda: self.run_folder.mark("parts/000000"))

    def refusal(self, **arguments):
        with self.assertRaises(SystemExit) as ended:
            self.begin(**arguments)
        return ended.exception.code

    def test_a_plan_that_fails_leaves_the_folder_free(self):
        def fail():
            self.run_folder.mark("fixes/part=0")
            sys.exit("has no column trip")

        self.begin()
        with self.assertRaises(SystemExit):
            self.run_folder.plan(fail)
        self.begin(track="trip_id")
        self.plan()
        self.assertEqual(self.run_folder.parts(), [0])

    def test_a_run_without_tracks_leaves_the_folder_free(self):
        self.begin()
        with self.assertRaisesRegex(columns.Fault, "has no tracks"):
            self.run_folder.plan(lambda: None)
        self.begin()

    def test_a_run_is_refused_a_second_time_and_its_plan_is_kept_when_it_is_resumed(self):
        self.begin()
        self.plan()
        self.assertTrue(self.refusal().endswith(
            "has a run already; --resume goes on with it, --add adds what is new, "
            "another --output or removing the folder starts anew"))
        self.begin(is_resumed=True)
        self.run_folder.plan(lambda: self.fail("planned twice"))

    def test_a_resumed_run_says_what_differs(self):
        self.begin()
        self.plan()
        self.assertTrue(self.refusal(is_resumed=True, track="trip_id").endswith(
            "was made with another track (trip, now trip_id); choose another --output"))
        self.assertIn("another options (none, now --refresh fixed), another lines (no, now yes), another store;",
                      self.refusal(is_resumed=True, options=["--refresh", "fixed"], lines=True, store="34cd"))

    def test_a_run_that_was_killed_before_its_plan_may_be_resumed_with_other_columns(self):
        self.begin()
        self.begin(is_resumed=True, track="trip_id")
        self.plan()
        self.begin(is_resumed=True, track="trip_id")

    def test_what_is_added_follows_what_was_planned_before(self):
        def plan(*files):
            self.run_folder.record_inputs(files)
            self.run_folder.list_parts([(file, 1) for file in files], 1, 100)

        def add(*files):
            self.run_folder.plan(lambda: plan(*files), adds=True)

        def fail():
            plan("lost")
            sys.exit("the disk is full")

        self.begin()
        self.run_folder.plan(lambda: plan("a", "b"))
        with self.assertRaises(SystemExit):
            self.run_folder.plan(fail, adds=True)
        self.assertEqual((self.run_folder.parts(), self.run_folder.inputs()), ([0, 1], {"a", "b"}))
        # A driver that is killed forgets nothing and cleans nothing up.
        self.run_folder.storage.write(f"{self.run_folder.work}/planning", "2")
        plan("half")
        add("c")
        self.assertEqual(self.run_folder.parts(), [0, 1, 2])
        self.assertEqual(self.run_folder.inputs(), {"a", "b", "c"})
        self.assertEqual(self.run_folder.files(2), ["c"])

    def test_a_folder_of_others_is_left_alone(self):
        os.makedirs(os.path.join(self.output, "thesis"))
        self.assertIn("is not empty, and no run has been there", self.refusal())

    def test_only_addresses_that_are_surely_local_are_looked_at_without_spark(self):
        path_of = storage.LocalStorage.path_of
        self.assertEqual(path_of("file:///a/b", None), "/a/b")
        self.assertEqual(path_of("out", "local[2]"), "out")
        for address, master in (("out", None), ("out", "spark://h:7077"), ("s3a://b/out", "local[2]")):
            self.assertIsNone(path_of(address, master))
