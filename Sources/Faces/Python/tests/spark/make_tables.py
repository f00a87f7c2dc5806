"""Makes tables of fixes for the test: the same fixes as CSV files, as Parquet and as GeoParquet.

usage: make_tables.py TRACK.gpx... --output DIR [--copies N]

Writes DIR/persons/PERSON/NAME.csv and DIR/flat/NAME.csv, and with rows in another order DIR/fixes.parquet,
DIR/geo.parquet and DIR/nanoseconds.parquet, which pandas writes. DIR/trackless.parquet has rows without a track,
and DIR/mixed times in nanoseconds in one file and not in the other. DIR/care has numbers of different widths in its
files, accuracies, and rows without times.
"""
import argparse
import json
import os
import random
import struct
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.parquet as parquet


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tracks", nargs="+")
    parser.add_argument("--output", required=True)
    parser.add_argument("--copies", type=int, default=3)
    arguments = parser.parse_args()
    rows = []
    for number in range(arguments.copies):
        for path in arguments.tracks:
            rows += fixes(path, number, arguments.output)
    random.Random(5).shuffle(rows)
    person, track, time, lat, lon = zip(*rows)
    times = pa.array([text.rstrip("Z") for text in time]).cast(pa.timestamp("ms")).cast(pa.timestamp("ms", tz="UTC"))
    columns = {"user": person, "trip": track, "at": times}
    fixes_table = pa.table(columns | {"lat": lat, "lon": lon})
    parquet.write_table(fixes_table, f"{arguments.output}/fixes.parquet", row_group_size=1000)
    make_others(fixes_table, arguments.output)
    points = [struct.pack("<BIdd", 1, 1, x, y) for x, y in zip(lon, lat)]
    geo = {"version": "1.1.0", "primary_column": "geometry",
           "columns": {"geometry": {"encoding": "WKB", "geometry_types": ["Point"]}}}
    table = pa.table(columns | {"geometry": pa.array(points, pa.binary())})
    parquet.write_table(table.replace_schema_metadata({"geo": json.dumps(geo)}),
                        f"{arguments.output}/geo.parquet")


def make_others(table, output):
    """Tables that need care: with times in nanoseconds, in all files or in some, and without tracks."""
    nanoseconds = table.to_pandas().astype({"at": "datetime64[ns, UTC]"})
    nanoseconds.to_parquet(f"{output}/nanoseconds.parquet", index=False)
    os.makedirs(f"{output}/mixed", exist_ok=True)
    nanoseconds[:100].to_parquet(f"{output}/mixed/one.parquet", index=False)
    parquet.write_table(table[100:], f"{output}/mixed/two.parquet")
    make_care(table, output)
    trackless = table[:20].set_column(table.column_names.index("trip"), "trip", pa.nulls(20, pa.string()))
    parquet.write_table(trackless, f"{output}/trackless.parquet")


def make_care(table, output):
    """A folder of two files: one with float and one with double, accuracies, and rows without times."""
    os.makedirs(f"{output}/care", exist_ok=True)
    numbers = range(len(table))
    table = table.append_column("accuracy", pa.array([float(number % 30) for number in numbers]))
    times = [None if number % 50 == 0 else time for number, time in enumerate(table["at"].to_pylist())]
    table = table.set_column(table.column_names.index("at"), "at", pa.array(times, table["at"].type))
    narrow = pa.schema([field.with_type(pa.float32()) if field.type == pa.float64() else field
                        for field in table.schema])
    half = len(table) // 2
    parquet.write_table(table[:half].cast(narrow), f"{output}/care/one.parquet")
    parquet.write_table(table[half:], f"{output}/care/two.parquet")


def fixes(path, number, output):
    """Rows of a track on another day and a little further north, which it also writes as files."""
    person, name = f"person {number % 2}", f"{number}-{os.path.basename(path)}.csv"
    namespace = "{http://www.topografix.com/GPX/1/1}"
    rows = [(person, name, point.find(f"{namespace}time").text.replace("03-04", f"03-{9 - number:02}"),
             float(point.get("lat")) + number / 10_000, float(point.get("lon")))
            for point in ElementTree.parse(path).iter(f"{namespace}trkpt")]
    for folder in (f"{output}/persons/{person}", f"{output}/flat"):
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{name}", "w", encoding="utf-8") as out:
            out.write("time,lat,lon\n")
            out.writelines(f"{time},{lat!r},{lon!r}\n" for _, _, time, lat, lon in rows)
    return rows


if __name__ == "__main__":
    main()
