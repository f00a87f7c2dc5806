"""A query of the streaming benchmark by DuckDB in plain SQL, on a sphere.

usage: stream_duckdb.py entering|first FIXES.csv PLACES.csv FOUND.txt
"""

import sys

import duckdb

query, fixes_file, places_file, found_file = sys.argv[1:5]
base = duckdb.connect()
base.execute("SET threads = 1")
base.execute(f"""
    CREATE TABLE fixes AS
      SELECT row_number() OVER () AS n, device, time::VARCHAR AS time, lat, lon
      FROM read_csv('{fixes_file}', types = {{'time': 'VARCHAR'}});
    CREATE TABLE places AS
      SELECT id, lat, lon, radius AS r, radius / 110500 AS reach,
        radius / 110500 / cos(radians(least(89, abs(lat) + radius / 110500))) AS wide
      FROM read_csv('{places_file}');
    CREATE TABLE steps AS SELECT *, row_number() OVER (PARTITION BY device ORDER BY n) AS step FROM fixes;
    CREATE TABLE inside AS
      SELECT n, step, device, time, id FROM steps f JOIN places p
        ON f.lat >= p.lat - reach AND f.lat <= p.lat + reach AND f.lon >= p.lon - wide AND f.lon <= p.lon + wide
      WHERE 2 * 6371008.8 * asin(sqrt(sin(radians(f.lat - p.lat) / 2) ** 2
        + cos(radians(f.lat)) * cos(radians(p.lat)) * sin(radians(f.lon - p.lon) / 2) ** 2)) <= r;
    """)
if query == "first":
    found = "SELECT device, id, arg_min(time, n) FROM inside GROUP BY device, id"
else:
    found = """SELECT device, id, time FROM (
        SELECT *, lag(step, 1, -2) OVER (PARTITION BY device, id ORDER BY n) AS before FROM inside)
      WHERE before <> step - 1"""
base.execute(f"COPY ({found}) TO '{found_file}' (DELIMITER ' ', HEADER false)")
