"""Imports a file of places into a DuckDB database with an R-tree, as a table for look-ups by place has.

usage: duckdb_import.py PLACES.csv DATABASE
"""

import pathlib
import sys

import duckdb
import duckdb_extension_spatial

extensions = pathlib.Path(duckdb_extension_spatial.__file__).parent
base = duckdb.connect(sys.argv[2])
base.execute("SET threads = 1")
base.load_extension(str(next(extensions.rglob("spatial.duckdb_extension"))))
base.execute(f"""
    CREATE TABLE places AS SELECT *, ST_Point(lon, lat) AS spot FROM read_csv('{sys.argv[1]}');
    CREATE INDEX places_spot ON places USING RTREE (spot);
    CHECKPOINT;
    """)
count, lat, lon = base.execute("SELECT count(*), round(sum(lat), 3), round(sum(lon), 3) FROM places").fetchone()
print(count, lat, lon)
