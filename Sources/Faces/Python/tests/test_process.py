"""The program in a task: what happens when it crashes, fails or gets much to read."""

import gzip
import json
import struct
import sys
import tempfile
import unittest

import pyarrow as pa

from fencepost.spark import _process as process, _storage as storage
from fencepost.tables import _frames as frames, _points as points, _typed as typed

# Stands in for fencepost: answers each track, and does what the track's name asks for.
STAND_IN = r'''
import json, os, signal, sys
stream = sys.stdin.buffer
count = 0
while line := stream.readline():
    header = json.loads(line)
    name = header["track"]
    stream.read(header.get("bytes", 0))
    if "error" in header:
        print(json.dumps({"type": "skipped", "track": name, "error": header["error"]}, separators=(",", ":")))
        continue
    for word in ("SEGV", "KILL"):
        if word in name:
            sys.stdout.flush()
            os.kill(os.getpid(), getattr(signal, "SIG" + word))
    if "status" in name:
        sys.exit("the store is locked")
    count += 1
    print(json.dumps({"type": "track", "track": name, "fixes": count}, separators=(",", ":")))
print(json.dumps({"type": "totals", "tracks": count}, separators=(",", ":")))
'''


class StandIn:
    def command(self):
        return [sys.executable, "-c", STAND_IN]


class ProcessTests(unittest.TestCase):
    def analyze(self, names, size=10):
        with tempfile.TemporaryDirectory() as folder:
            analysis = process.Analysis(StandIn(), folder)
            analysis.run((name, frames.frame(name, b"x" * size)) for name in names)
            lines = [json.loads(line) for line in analysis.track_lines()]
            return lines, json.loads(gzip.decompress(analysis.sums()))

    def test_answers_every_track_in_order(self):
        lines, totals = self.analyze(["a", "b", "c"])
        self.assertEqual([line["track"] for line in lines], ["a", "b", "c"])
        self.assertEqual(totals["tracks"], 3)

    def test_much_input_does_not_block(self):
        lines, _ = self.analyze([f"t{number}" for number in range(300)], size=300_000)
        self.assertEqual(len(lines), 300)

    def test_a_crash_costs_its_track_only(self):
        lines, totals = self.analyze(["a", "SEGV 1", "b", "SEGV 2", "c"])
        self.assertEqual([line["type"] for line in lines], ["track", "skipped", "track", "skipped", "track"])
        self.assertEqual(lines[1]["error"], "the analysis ended by SIGSEGV")
        self.assertEqual(totals["tracks"], 3)

    def test_many_crashes_fail_the_task(self):
        with self.assertRaisesRegex(process.Failure, "SIGSEGV"):
            self.analyze([f"SEGV {number}" for number in range(20)])

    def test_a_kill_from_outside_fails_the_task_so_that_it_is_tried_again(self):
        with self.assertRaisesRegex(process.Failure, "status -9 after 1 of 3"):
            self.analyze(["a", "KILL", "b"])

    def test_a_failure_of_the_program_says_why(self):
        with self.assertRaisesRegex(process.Failure, "the store is locked"):
            self.analyze(["a", "status", "b"])


class LineTests(unittest.TestCase):
    def test_an_unknown_line_is_left_to_the_ndjson_and_a_broken_one_is_refused(self):
        lines = typed.TypedLines()
        self.assertEqual(list(lines.take('{"type":"settings","version":1}')), [])
        with self.assertRaises(ValueError):
            list(lines.take('{"type":"tra'))

    def test_rows_have_the_day_of_their_track(self):
        lines = typed.TypedLines()
        list(lines.take('{"type":"entry","track":"a","place":"p","time":"2026-03-05T00:00:01.250Z"}'))
        list(lines.take('{"type":"track","track":"a","first":"2026-03-04T23:59:59Z","suppressed":{"cooldown":2}}'))
        rows = {table: batch.to_pylist()[0] for table, batch in lines.finish()}
        self.assertEqual(str(rows["entries"]["date"]), "2026-03-04")
        self.assertEqual(rows["entries"]["time"].isoformat(), "2026-03-05T00:00:01.250000+00:00")
        self.assertEqual(rows["tracks"]["suppressed"], [("cooldown", 2)])


class StorageTests(unittest.TestCase):
    def test_a_file_counts_once_however_often_it_is_named(self):
        found = [("s3a://b/a", None), ("s3a://b/a/x.gpx", 7), ("s3a://b/a-b", None), ("s3a://b/a/c/d", None),
                 ("s3a://b/y.gpx", 8), ("s3a://b/y.gpx", 8)]
        self.assertEqual(
            list(storage.distinct(found)), [("s3a://b/a", None), ("s3a://b/a-b", None), ("s3a://b/y.gpx", 8)])

    def test_local_files_keep_their_paths_as_names(self):
        self.assertEqual(storage.track_name("file:/t/a b.gpx"), "/t/a b.gpx")
        self.assertEqual(storage.track_name("file:///t/a.gpx"), "/t/a.gpx")
        self.assertEqual(storage.track_name("s3a://b/a.gpx"), "s3a://b/a.gpx")

    def test_tracks_are_known_by_their_endings(self):
        for name, expected in {"a.gpx": True, "A.NMEA.GZ": True, "gpx": False, "a.pdf": False, ".gz": False}.items():
            self.assertEqual(storage.is_track(name), expected, name)


class FrameTests(unittest.TestCase):
    def test_points_are_read_in_either_byte_order_and_with_marks(self):
        little = struct.pack("<BIdd", 1, 1, -75.5, 39.25)
        some = [little, struct.pack(">BIdd", 0, 1, -75.5, 39.25),
                  struct.pack("<BIIdd", 1, 0x20000001, 4326, -75.5, 39.25),
                  struct.pack("<BIddd", 1, 0x80000001, -75.5, 39.25, 7),
                  struct.pack("<BIddd", 1, 1001, -75.5, 39.25, 7)]
        others = [None, b"", little[:20], struct.pack("<BIdd", 1, 2, 1, 2),
                  struct.pack("<BIdd", 1, 1, float("nan"), float("nan"))]
        lons, lats = points.point_columns(pa.array(some + others, pa.binary()))
        self.assertEqual(lons.to_pylist(), [-75.5] * 5 + [None] * 5)
        self.assertEqual(lats.to_pylist(), [39.25] * 5 + [None] * 5)

    def test_points_may_be_structs(self):
        lons, lats = points.point_columns(pa.array([{"x": -75.5, "y": 39.25}, None]))
        self.assertEqual((lons.to_pylist(), lats.to_pylist()), ([-75.5, None], [39.25, None]))

    def test_times_are_written_in_utc_whatever_their_zone(self):
        local = pa.array([1_772_643_600_250], pa.timestamp("ms", tz="America/New_York"))
        plain = pa.array([1_772_643_600_250], pa.timestamp("ms"))
        for times in (local, plain):
            self.assertEqual(frames.utc_text(times).to_pylist(), ["2026-03-04T17:00:00.250000Z"])

    def test_a_fix_without_a_track_is_refused(self):
        batch = pa.RecordBatch.from_pydict({"track": ["a", None], "lat": [1.0, 2.0], "lon": [1.0, 2.0]})
        with self.assertRaisesRegex(ValueError, "1 fixes have no track"):
            list(frames.TableTracks().take(batch))

    def test_a_large_track_waits_in_a_file_that_its_frame_names(self):
        with tempfile.TemporaryDirectory() as folder:
            tracks, found = frames.TableTracks(folder), []
            tracks.MOST_BYTES = 20
            for names in (["a"] * 9, ["a", "b"]):
                count = len(names)
                found += tracks.take(pa.RecordBatch.from_pydict(
                    {"track": names, "lat": [1.5] * count, "lon": [0.5] * count}))
            found += tracks.finish()
            header = json.loads(found[0][1])
            with open(header["file"], "rb") as file:
                self.assertEqual(file.read().split(), [b'"lat","lon"'] + [b"1.5,0.5"] * 10)
        self.assertEqual(header["track"], "a")
        self.assertIn(b'"bytes"', found[1][1])

    def test_a_track_may_span_batches(self):
        tracks = frames.TableTracks()
        found = []
        for names, lats in ((["a", "a"], [1.0, 2.0]), (["a", "b"], [3.0, 1e-7])):
            found += tracks.take(pa.RecordBatch.from_pydict({"track": names, "lat": lats, "lon": [0.5, 0.5]}))
        found += tracks.finish()
        bodies = [frame.split(b"\n", 1)[1] for _, frame in found]
        self.assertEqual([name for name, _ in found], ["a", "b"])
        self.assertEqual(bodies[0].split()[1:], [b"1,0.5", b"2,0.5", b"3,0.5"])
        self.assertEqual(float(bodies[1].split()[1].split(b",")[0]), 1e-7)
