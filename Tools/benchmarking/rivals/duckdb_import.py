"""Imports a file of places into a DuckDB database with an index of ids and a sort by place, as a table for look-ups has.

usage: duckdb_import.py PLACES.csv DATABASE
"""

import sys

import duckdb

base = duckdb.connect(sys.argv[2])
base.execute("SET threads = 1")
base.execute(f"""
    CREATE TABLE places AS SELECT * FROM read_csv('{sys.argv[1]}') ORDER BY lat, lon;
    CREATE UNIQUE INDEX places_id ON places (id);
    CREATE INDEX places_spot ON places (lat, lon);
    CHECKPOINT;
    """)
count, lat, lon = base.execute("SELECT count(*), round(sum(lat), 3), round(sum(lon), 3) FROM places").fetchone()
print(count, lat, lon)
