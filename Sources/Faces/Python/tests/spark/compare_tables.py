"""Compares typed tables: every row of one folder with every row of another, and both with the lines they come from.

usage: compare_tables.py SPARK_OUTPUT TABLES LINES.ndjson
"""
import glob
import sys

import duckdb


def table(folder, name):
    """The files of a table, whether one or many in partitions."""
    files = glob.glob(f"{folder}/{name}.parquet") or glob.glob(f"{folder}/{name}/**/*.parquet", recursive=True)
    return f"read_parquet({files}, hive_partitioning = true, union_by_name = true)"


def main():
    spark, plain, lines = sys.argv[1:]
    for name in ("verdicts", "entries", "tracks", "stories", "totals"):
        names = [row[0] for row in duckdb.sql(f"describe select * from {table(plain, name)}").fetchall()]
        columns = ", ".join(f'"{column}"' for column in names)
        one, other = (f"select {columns} from {table(folder, name)}" for folder in (spark, plain))
        for first, second in ((one, other), (other, one)):
            rows = duckdb.sql(f"{first} except all {second}").fetchall()
            if rows:
                sys.exit(f"{name}: {len(rows)} rows are in one folder only, such as {rows[0]}")
    check_lines(plain, lines)
    print("tables equal")


def check_lines(folder, lines):
    """Sums over the lines by another reader of JSON."""
    source = f"read_ndjson('{lines}', columns = {{type: 'VARCHAR', nearest: 'DOUBLE', alerts: 'BIGINT', " \
             "lat: 'DOUBLE', time: 'TIMESTAMPTZ', first: 'TIMESTAMPTZ', lengthMillimeters: 'BIGINT', title: 'VARCHAR'})"
    entries = "count(*), epoch_ms(max(time)), epoch_ms(min(time)), sum(lat)"
    pairs = [
        ("verdicts", "verdict", "count(*), sum(nearest_meters), sum(alerts)", "count(*), sum(nearest), sum(alerts)"),
        ("entries", "entry", entries, entries),
        ("tracks", "track", "count(length_millimeters), sum(length_millimeters), epoch_ms(max(first))",
         "count(*), sum(lengthMillimeters), epoch_ms(max(first))"),
        ("stories", "story", "count(*), sum(alerts), max(title)", "count(*), sum(alerts), max(title)"),
    ]
    for name, kind, typed, raw in pairs:
        found = duckdb.sql(f"select {typed} from {table(folder, name)}").fetchall()[0]
        expected = duckdb.sql(f"select {raw} from {source} where type = '{kind}'").fetchall()[0]
        if any(abs(a - b) > 1e-6 if isinstance(a, float) else a != b for a, b in zip(found, expected)):
            sys.exit(f"{name}: {found} in the table, {expected} in the lines")


if __name__ == "__main__":
    main()
