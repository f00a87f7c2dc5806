"""The enters of a drive with every place monitored, by DuckDB.

usage: duckdb_enters.py DRIVE.csv PLACES.csv ENTERS.txt

Its spatial extension is a download of its own and not used; the geometry is plain SQL in a plane
about the middle of the drive, hence not exact.
"""

import sys

import duckdb

base = duckdb.connect()
base.execute("SET threads = 1")
base.execute(
    f"""
    CREATE TABLE fixes AS
      SELECT row_number() OVER () - 1 AS n, lat, lon FROM read_csv('{sys.argv[1]}');
    CREATE TABLE middle AS SELECT avg(lat) AS lat, avg(lon) AS lon FROM fixes;
    CREATE MACRO east(degrees) AS (degrees - (SELECT lon FROM middle))
      * 111319.49 * cos(radians((SELECT lat FROM middle)));
    CREATE MACRO north(degrees) AS (degrees - (SELECT lat FROM middle)) * 111132.95;
    CREATE TABLE places AS
      SELECT id, radius AS r, east(lon) AS x, north(lat) AS y FROM read_csv('{sys.argv[2]}');
    CREATE TABLE segments AS
      SELECT * FROM (
        SELECT n, lag(east(lon)) OVER (ORDER BY n) AS x, lag(north(lat)) OVER (ORDER BY n) AS y,
          east(lon) - x AS dx, north(lat) - y AS dy FROM fixes)
      WHERE dx * dx + dy * dy > 0;
    COPY (
      SELECT id, n FROM (
        SELECT id, n, r, s.x - p.x AS fx, s.y - p.y AS fy, dx, dy,
          greatest(0, least(1, -(fx * dx + fy * dy) / (dx * dx + dy * dy))) AS t
        FROM segments s JOIN places p
          ON greatest(s.x, s.x + dx) >= p.x - r AND least(s.x, s.x + dx) <= p.x + r
          AND greatest(s.y, s.y + dy) >= p.y - r AND least(s.y, s.y + dy) <= p.y + r)
      WHERE fx * fx + fy * fy > r * r
        AND (fx + t * dx) * (fx + t * dx) + (fy + t * dy) * (fy + t * dy) <= r * r
    ) TO '{sys.argv[3]}' (DELIMITER ' ', HEADER false);
    """
)
